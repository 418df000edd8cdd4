--
-- An audit trigger that keeps whole rows, whatever becomes of the table
--
-- A log of changes outlives many versions of the table that it tells about.
-- A log with the table's columns has to be altered with it, and one in JSON
-- forgets what the types were.  A rowset of one row keeps names, types and values
-- to the bit, and is read by name: whatever columns the table has by then.
--
CREATE EXTENSION rowser;

-- One log for all tables.  record_to_rowset() of a row that isn't there is
-- NULL: OLD of an INSERT, NEW of a DELETE.
CREATE TABLE audit (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	at timestamptz NOT NULL DEFAULT clock_timestamp(),
	who name NOT NULL DEFAULT session_user,
	tbl regclass NOT NULL,
	operation text NOT NULL,
	old_row bytea,
	new_row bytea
);

CREATE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO audit (tbl, operation, old_row, new_row)
	VALUES (tg_relid, tg_op, record_to_rowset(OLD), record_to_rowset(NEW));
	RETURN NULL;
END $$;

CREATE TYPE grade AS ENUM ('junior', 'senior');
CREATE TABLE employee (id int PRIMARY KEY, name text NOT NULL, grade grade, salary int, fax text);
CREATE TRIGGER audit AFTER INSERT OR UPDATE OR DELETE ON employee
FOR EACH ROW EXECUTE FUNCTION audit();

INSERT INTO employee VALUES (1, 'Ada', 'junior', 4000, '555-1'), (2, 'Grace', 'senior', 5200, NULL);
UPDATE employee SET grade = 'senior', salary = 4800 WHERE id = 1;
DELETE FROM employee WHERE id = 2;

-- Rows of the log are rows of the table.
SELECT a.id, operation, o.*, n.*
FROM audit AS a,
	rowset_populate_record(NULL::employee, old_row) AS o,
	rowset_populate_record(NULL::employee, new_row) AS n
WHERE tbl = 'employee'::regclass AND operation = 'UPDATE';

--
-- The table changes its shape
--
ALTER TABLE employee DROP COLUMN fax;
ALTER TABLE employee ALTER salary TYPE numeric(8,2);
ALTER TABLE employee RENAME name TO full_name;
ALTER TABLE employee ADD email text;
UPDATE employee SET email = 'ada@example.com', salary = 4800.50;

-- The old rows are read as rows of the new table: what is gone is left out, what
-- is new is NULL, and the salary is cast.
SELECT a.id, operation, n.*
FROM audit AS a, rowset_populate_record(NULL::employee, new_row) AS n
WHERE tbl = 'employee'::regclass
ORDER BY a.id;

-- full_name is missing above, since it had another name then.  The first argument
-- is where missing columns come from, so it can be filled from the old name.
-- The old columns are still there to be asked for, also the one that is gone.
SELECT a.id, n.full_name, o.fax
FROM audit AS a, rowset_to_recordset(old_row) AS o(id int, name text, fax text),
	rowset_populate_record(ROW(NULL, o.name, NULL, NULL, NULL)::employee, old_row) AS n
WHERE tbl = 'employee'::regclass AND a.id < 5
ORDER BY a.id;

-- What the table looked like when a row was written
SELECT a.id, string_agg(c.name || ' ' || c.type, ', ' ORDER BY c.ordinality) AS columns
FROM audit AS a, rowset_columns(coalesce(new_row, old_row)) AS c
WHERE tbl = 'employee'::regclass
GROUP BY a.id
ORDER BY a.id;

--
-- Who has changed what
--
-- JSON is handy for comparing rows column by column, when that is all that it is
-- used for.
SELECT a.id, operation, key AS "column", o.value AS old, n.value AS new
FROM audit AS a,
	jsonb_each_text(to_jsonb(rowset_populate_record(NULL::employee, old_row))) AS o
	JOIN jsonb_each_text(to_jsonb(rowset_populate_record(NULL::employee, new_row))) AS n USING (key)
WHERE tbl = 'employee'::regclass AND o.value IS DISTINCT FROM n.value
ORDER BY a.id, key;

-- Put back what was deleted.
INSERT INTO employee
SELECT n.*
FROM audit AS a, rowset_to_recordset(old_row) AS o(name text),
	rowset_populate_record(ROW(NULL, o.name, NULL, NULL, NULL)::employee, old_row) AS n
WHERE tbl = 'employee'::regclass AND operation = 'DELETE';

SELECT * FROM employee ORDER BY id;
