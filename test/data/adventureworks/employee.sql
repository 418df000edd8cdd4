-- Makes humanresources.employee and loads its 290 rows from Employee.csv, in
-- the folder that the variable "dir" names, or else the current one.
-- Column types are PostgreSQL's nearest to the original's, named on the right.

\if :{?dir}
\cd :dir
\endif

CREATE SCHEMA humanresources;

CREATE TABLE humanresources.employee
(
	businessentityid	integer PRIMARY KEY,	-- int
	nationalidnumber	varchar(15) NOT NULL,	-- nvarchar(15)
	loginid				varchar(256) NOT NULL,	-- nvarchar(256)
	organizationnode	bytea,					-- hierarchyid, NULL at the root
	organizationlevel	smallint,				-- computed: its GetLevel()
	jobtitle			varchar(50) NOT NULL,	-- nvarchar(50)
	birthdate			date NOT NULL,
	maritalstatus		char(1) NOT NULL CHECK (maritalstatus IN ('M', 'S')),
	gender				char(1) NOT NULL CHECK (gender IN ('M', 'F')),
	hiredate			date NOT NULL,
	salariedflag		boolean NOT NULL,		-- bit
	vacationhours		smallint NOT NULL,
	sickleavehours		smallint NOT NULL,
	currentflag			boolean NOT NULL,		-- bit
	rowguid				uuid NOT NULL UNIQUE,	-- uniqueidentifier
	modifieddate		timestamp(3) NOT NULL	-- datetime
);

-- The file has organizationnode as bare hex digits, and backslashes that are
-- just backslashes, so it is CSV with a quote character that it doesn't have.
CREATE TEMPORARY TABLE employee_file (LIKE humanresources.employee);
ALTER TABLE employee_file ALTER organizationnode TYPE text;

\copy employee_file FROM 'Employee.csv' (FORMAT csv, DELIMITER E'\t', QUOTE E'\x01')

INSERT INTO humanresources.employee
SELECT businessentityid, nationalidnumber, loginid,
	decode(organizationnode, 'hex'), organizationlevel, jobtitle, birthdate,
	maritalstatus, gender, hiredate, salariedflag, vacationhours,
	sickleavehours, currentflag, rowguid, modifieddate
FROM employee_file;

DROP TABLE employee_file;
ANALYZE humanresources.employee;
