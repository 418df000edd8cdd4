-- texts: a heap of messages, nearly all of it text: five short columns and a
-- body of up to some 1,600 characters in several alphabets, stored inline.
-- "texts_rows" is how many rows.

CREATE TABLE texts AS
WITH words AS
(
	SELECT string_to_array('the,of,and,to,in,a,is,that,for,it,as,was,with,be,by,on,not,he,this,are,or,his,from,at,which,but,have,an,had,they,you,were,their,one,all,we,can,her,has,there,been,if,more,when,will,would,who,so,no,order,invoice,customer,delivery,payment,received,attached,tomorrow,warehouse,please,regards,question,Straße,größer,naïve,café,señor,mañana,привет,заказ,доставка,спасибо,ありがとう,注文,配送,東京', ',') AS list
)
SELECT id::int,
	'user' || bench.draw(id, 1, 5000) || '@' || (ARRAY['example.com', 'example.org', 'example.net'])[1 + bench.draw(id, 2, 3)] AS sender,
	initcap(s.subject) AS subject,
	(ARRAY['en', 'de', 'es', 'fr', 'ru', 'ja'])[1 + bench.draw(id, 3, 6)] AS language,
	'https://www.example.com/' || md5(id::text) AS link,
	CASE WHEN bench.draw(id, 4, 3) = 0 THEN 'answers ' || bench.draw(id, 5, id) END AS note,
	b.body
FROM generate_series(1, :texts_rows) AS id, words,
	LATERAL (SELECT string_agg(list[1 + bench.draw(id * 1000 + i, 6, cardinality(list))], ' ') AS subject
		FROM generate_series(1, 2 + bench.draw(id, 7, 7)) AS i) AS s,
	LATERAL (SELECT string_agg(list[1 + bench.draw(id * 1000 + i, 8, cardinality(list))], ' ') AS body
		FROM generate_series(1, 10 + bench.draw(id, 9, 220)) AS i) AS b;

CALL bench.add_subject('texts', 'id', 'sum(octet_length(subject))', :json_values, :xml_values);
