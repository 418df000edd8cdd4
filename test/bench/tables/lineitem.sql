-- lineitem: the first rows of the table LINEITEM of TPC-H at scale factor 1,
-- made by the rules of the specification's clause 4.2.3, in the order of its
-- keys, as its own generator writes them.  Its columns: 4 whole numbers, 4
-- numerics, 3 dates, 5 texts.  "lineitem_rows" is how many.
--
-- It is the same on every machine, since what is random there is a hash of the
-- row's own key here (bench.draw), one stream for each column:
--
--   per order   1 how many lines, 2 date
--   per line    3 part, 4 which of its four suppliers, 5 quantity, 6 discount,
--               7 tax, 8 to 10 ship, commit and receipt date, 11 return flag,
--               12 instruction, 13 mode, 14 to 16 comment
--   per sentence of the comments' pool 20 and up

-- The words that comments are made of, clause 4.2.2.14.
CREATE TEMPORARY TABLE word_list AS
SELECT kind, string_to_array(words, ',') AS words
FROM (VALUES
	('noun', 'foxes,ideas,theodolites,pinto beans,instructions,dependencies,excuses,platelets,asymptotes,courts,dolphins,multipliers,sauternes,warthogs,frets,dinos,attainments,somas,Tiresias'',patterns,forges,braids,hockey players,frays,warhorses,dugouts,notornis,epitaphs,pearls,tithes,waters,orbits,gifts,sheaves,depths,sentiments,decoys,realms,pains,grouches,escapades'),
	('verb', 'sleep,wake,are,cajole,haggle,nag,use,boost,affix,detect,integrate,maintain,nod,was,lose,sublate,solve,thrash,promise,engage,hinder,print,x-ray,breach,eat,grow,impress,mold,poach,serve,run,dazzle,snooze,doze,unwind,kindle,play,hang,believe,doubt'),
	('adjective', 'furious,sly,careful,blithe,quick,fluffy,slow,quiet,ruthless,thin,close,dogged,daring,brave,stealthy,permanent,enticing,idle,busy,regular,final,ironic,even,bold,silent'),
	('adverb', 'sometimes,always,never,furiously,slyly,carefully,blithely,quickly,fluffily,slowly,quietly,ruthlessly,thinly,closely,doggedly,daringly,bravely,stealthily,permanently,enticingly,idly,busily,regularly,finally,ironically,evenly,boldly,silently'),
	('preposition', 'about,above,according to,across,after,against,along,alongside of,among,around,at,atop,before,behind,beneath,beside,besides,between,beyond,by,despite,during,except,for,from,in place of,inside,instead of,into,near,of,on,outside,over,past,since,through,throughout,to,toward,under,until,up,upon,without,with,within'),
	('auxiliary', 'do,may,might,shall,will,would,can,could,should,ought to,must,will have to,shall have to,could have to,should have to,must have to,need to,try to'),
	('terminator', '.,;,:,?,!,--')) AS v(kind, words);

-- The grammar of a sentence: each rule's letters stand for noun, verb,
-- adJective, aDverb, auXiliary, Preposition; the terminator follows.
CREATE TEMPORARY TABLE sentence_rule AS
WITH noun_phrase(np) AS (VALUES ('N'), ('J N'), ('J, J N'), ('D J N')),
	verb_phrase(vp) AS (VALUES ('V'), ('X V'), ('V D'), ('X V D'))
SELECT row_number() OVER (ORDER BY shape, a.np, vp, b.np) - 1 AS number,
	replace(replace(replace(shape, '1', a.np), '2', vp), '3', b.np) AS rule
FROM (VALUES ('1 2'), ('1 2 P the 3'), ('1 2 3'), ('1 P the 3 2'), ('1 P the 3 2 P the 3')) AS s(shape),
	noun_phrase a, verb_phrase, noun_phrase b;

-- One sentence: the rule's letters replaced by words, the i-th by stream 21 + i.
CREATE FUNCTION pg_temp.sentence(key bigint, rule text, terminator text, nouns text[], verbs text[],
	adjectives text[], adverbs text[], prepositions text[], auxiliaries text[])
RETURNS text LANGUAGE plpgsql AS
$$
DECLARE
	letter text;
	list text[];
	sentence text := '';
	i int := 0;
BEGIN
	FOREACH letter IN ARRAY string_to_array(rule, ' ') LOOP
		i := i + 1;
		list := CASE left(letter, 1) WHEN 'N' THEN nouns WHEN 'V' THEN verbs WHEN 'J' THEN adjectives
			WHEN 'D' THEN adverbs WHEN 'P' THEN prepositions WHEN 'X' THEN auxiliaries END;
		sentence := sentence || CASE WHEN i = 1 THEN '' ELSE ' ' END
			|| coalesce(list[1 + bench.draw(key, 21 + i, cardinality(list))], letter)
			|| CASE WHEN right(letter, 1) = ',' THEN ',' ELSE '' END;
	END LOOP;
	RETURN sentence || terminator;
END
$$;

-- The pool that comments are cut from: sentences in a row, each with what
-- follows it.  One for every three rows is half as long as all comments.
CREATE TEMPORARY TABLE pool AS
SELECT number - 1 AS number, line, length(sentence) AS places
FROM (
	SELECT number, sentence,
		sentence || ' ' || lead(sentence, 1, '') OVER w || ' ' || lead(sentence, 2, '') OVER w
			|| ' ' || lead(sentence, 3, '') OVER w AS line
	FROM (
		SELECT s.number, pg_temp.sentence(s.number, rule, t.words[1 + bench.draw(s.number, 21, cardinality(t.words))],
			n.words, v.words, j.words, d.words, p.words, x.words) AS sentence
		FROM generate_series(1, :lineitem_rows / 3 + 10) AS s(number)
			JOIN sentence_rule r ON r.number = bench.draw(s.number, 20, (SELECT count(*) FROM sentence_rule)),
			word_list n, word_list v, word_list j, word_list d, word_list p, word_list x, word_list t
		WHERE (n.kind, v.kind, j.kind, d.kind, p.kind, x.kind, t.kind) =
			('noun', 'verb', 'adjective', 'adverb', 'preposition', 'auxiliary', 'terminator')
	) AS sentences
	WINDOW w AS (ORDER BY number)
) AS lines;

ANALYZE pool;

-- CREATE TABLE AS, since INSERT would put some rows where an earlier page has
-- room, and not in order.
CREATE TABLE lineitem AS
WITH orders AS
(
	-- of each 32 keys the first 8 are used
	SELECT (number >> 3 << 5) | (number & 7) AS orderkey,
		date '1992-01-01' + bench.draw(number, 2, date '1998-12-31' - 151 - date '1992-01-01' + 1) AS orderdate,
		1 + bench.draw(number, 1, 7) AS lines
	FROM generate_series(1::bigint, :lineitem_rows / 3 + 10) AS number
),
drawn AS
(
	SELECT orderkey, orderdate, linenumber,
		1 + bench.draw(key, 3, 200000) AS partkey,
		bench.draw(key, 4, 4) AS supplier,
		1 + bench.draw(key, 5, 50) AS quantity,
		bench.draw(key, 6, 11) AS discount,
		bench.draw(key, 7, 9) AS tax,
		orderdate + 1 + bench.draw(key, 8, 121) AS shipdate,
		orderdate + 30 + bench.draw(key, 9, 61) AS commitdate,
		key
	FROM orders, generate_series(1, lines) AS linenumber,
		LATERAL (SELECT orderkey * 8 + linenumber AS key OFFSET 0) AS k
	LIMIT :lineitem_rows
),
dated AS
(
	SELECT *, shipdate + 1 + bench.draw(key, 10, 30) AS receiptdate,
		bench.draw(key, 14, (SELECT count(*) - 3 FROM pool)) AS pool_number
	FROM drawn
)
SELECT orderkey AS l_orderkey,
	partkey AS l_partkey,
	(partkey + supplier * (10000 / 4 + (partkey - 1) / 10000)) % 10000 + 1 AS l_suppkey,
	linenumber AS l_linenumber,
	quantity::numeric(15,2) AS l_quantity,
	(quantity * ((90000 + (partkey / 10) % 20001 + 100 * (partkey % 1000)) / 100.0))::numeric(15,2) AS l_extendedprice,
	(discount / 100.0)::numeric(15,2) AS l_discount,
	(tax / 100.0)::numeric(15,2) AS l_tax,
	CASE WHEN receiptdate > date '1995-06-17' THEN 'N'
		WHEN bench.draw(key, 11, 2) = 0 THEN 'R' ELSE 'A' END::char(1) AS l_returnflag,
	CASE WHEN shipdate > date '1995-06-17' THEN 'O' ELSE 'F' END::char(1) AS l_linestatus,
	shipdate AS l_shipdate,
	commitdate AS l_commitdate,
	receiptdate AS l_receiptdate,
	((ARRAY['DELIVER IN PERSON', 'COLLECT COD', 'NONE', 'TAKE BACK RETURN'])[1 + bench.draw(key, 12, 4)])::char(25)
		AS l_shipinstruct,
	((ARRAY['REG AIR', 'AIR', 'RAIL', 'SHIP', 'TRUCK', 'MAIL', 'FOB'])[1 + bench.draw(key, 13, 7)])::char(10)
		AS l_shipmode,
	substr(line, 1 + bench.draw(key, 15, places), 10 + bench.draw(key, 16, 34))::varchar(44) AS l_comment
FROM dated JOIN pool ON number = pool_number
ORDER BY orderkey, linenumber;

DROP TABLE word_list, sentence_rule, pool;
CALL bench.add_subject('lineitem', 'l_orderkey', 'sum(l_partkey)', :json_values, :xml_values);
