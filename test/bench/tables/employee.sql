-- employee: 290 rows of 16 columns, the table that the model of this project
-- was measured on.  "dir" is the folder of its file.

\ir ../../data/adventureworks/employee.sql

CREATE TABLE employee AS
SELECT * FROM humanresources.employee ORDER BY businessentityid;

CALL bench.add_subject('employee', 'businessentityid', 'sum(vacationhours)', :json_values, :xml_values);
