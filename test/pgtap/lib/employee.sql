--
-- employee.sql
--	  Loads humanresources.employee, 290 real rows of 16 columns, from the
--	  project's folder or from the one of the test.
--
\set here `pwd`
\set dir `ls -d test/data/adventureworks ../data/adventureworks 2>/dev/null | head -n 1`
\ir ../../data/adventureworks/employee.sql
\cd :here
