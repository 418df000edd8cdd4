--
-- A rowset as a procedure's parameter
--
-- SQL Server calls it a table-valued parameter: a client calls a procedure once
-- for a whole table of rows, instead of once a row.  In PostgreSQL an array of a
-- composite type comes near, but needs that type in the client, and breaks when
-- the type gets a field.  A rowset needs no type: the procedure says which columns
-- it wants, and one that a client does not know yet may have a default.
--
CREATE EXTENSION rowser;

CREATE TABLE product (code text PRIMARY KEY, name text NOT NULL, stock int NOT NULL CHECK (stock >= 0));
INSERT INTO product VALUES ('A1', 'anvil', 3), ('R7', 'rope', 40), ('S2', 'rocket skates', 0), ('T3', 'tunnel paint', 5);

CREATE TABLE customer_order (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, customer text NOT NULL);
CREATE TABLE order_line (
	order_id int NOT NULL REFERENCES customer_order,
	code text NOT NULL REFERENCES product,
	quantity int NOT NULL CHECK (quantity > 0),
	gift boolean NOT NULL,
	PRIMARY KEY (order_id, code)
);

-- The parameter's columns.  It is a type of the procedure's own: clients need not
-- know it.
CREATE TYPE order_request AS (code text, quantity int, gift boolean);

--
-- The procedure takes the lines that it can, and gives the others back as a
-- rowset too, each with a message that says what is wrong.
--
CREATE PROCEDURE place_order(p_customer text, p_lines bytea, INOUT p_order int, INOUT p_rejected bytea)
LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO customer_order (customer) VALUES (p_customer) RETURNING id INTO p_order;

	-- Nobody else takes these products from stock before we have.
	PERFORM FROM product WHERE code IN (SELECT code FROM rowset_to_recordset(p_lines) AS l(code text))
	ORDER BY code FOR UPDATE;

	WITH line AS MATERIALIZED (
		-- the first argument has the defaults: whoever says nothing wants no gift
		SELECT l.*,
			CASE
				WHEN p.code IS NULL THEN format('there is no product "%s"', l.code)
				WHEN count(*) OVER (PARTITION BY l.code) > 1 THEN format('product "%s" is ordered twice', l.code)
				WHEN l.quantity IS NULL OR l.quantity <= 0 THEN 'the quantity must be positive'
				WHEN l.quantity > p.stock THEN format('only %s of "%s" in stock', p.stock, p.name)
			END AS message
		FROM rowset_populate_recordset(ROW(NULL, NULL, false)::order_request, p_lines) AS l
			LEFT JOIN product AS p USING (code)
	), taken AS (
		INSERT INTO order_line
		SELECT p_order, code, quantity, gift FROM line WHERE message IS NULL
		RETURNING code, quantity
	), from_stock AS (
		UPDATE product SET stock = stock - taken.quantity FROM taken WHERE product.code = taken.code
	)
	SELECT rowset_agg(r ORDER BY code) INTO p_rejected
	FROM (SELECT code, quantity, message FROM line WHERE message IS NOT NULL) AS r;
END $$;

--
-- A call
--
-- The lines come from wherever the client has them: a query, as here, a table,
-- or bytes from another server.
SELECT query_to_rowset($$SELECT * FROM (VALUES
	('A1', 2, true), ('R7', 15, false), ('S2', 1, false), ('X9', 1, false), ('T3', -4, false)) AS v(code, quantity, gift)$$) AS lines \gset
CALL place_order('Wile E.', :'lines', NULL, NULL) \gset result_

SELECT * FROM order_line WHERE order_id = :result_p_order ORDER BY code;
SELECT * FROM rowset_to_recordset(:'result_p_rejected') AS t(code text, quantity int, message text);
SELECT * FROM product ORDER BY code;

-- A client from before there were gifts, which also counts in bigint and sends
-- more than is asked for: columns are matched by name and cast.
SELECT query_to_rowset($$SELECT 'blue' AS color, 5::bigint AS quantity, 'R7'::varchar AS code$$) AS lines \gset
CALL place_order('Road R.', :'lines', NULL, NULL) \gset result_
SELECT * FROM order_line WHERE order_id = :result_p_order;
SELECT :{?result_p_rejected} AS any_rejected;

--
-- What is no parameter of this procedure is refused, and the error says why
--
\set SHOW_CONTEXT never
CALL place_order('Nobody', query_to_rowset($$SELECT 'A1' AS code, 'two' AS quantity$$), NULL, NULL);
CALL place_order('Nobody', query_to_rowset($$SELECT 'A1' AS product, 2 AS quantity$$), NULL, NULL);
CALL place_order('Nobody', 'code=A1&quantity=2', NULL, NULL);
SELECT count(*) AS orders FROM customer_order;
