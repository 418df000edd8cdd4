-- Second half of the demonstration, the receiving side before anything comes:
-- types of the same names, but made later and in another order, so that
-- neither their numbers nor those of the enum's labels are the sender's.

CREATE SCHEMA hr;

CREATE TYPE hr.other AS (a int, b text);
CREATE DOMAIN hr.another AS text;
CREATE TYPE hr.yet_another AS ENUM ('day', 'night');
CREATE TABLE hr.noise (o hr.other, a hr.another, y hr.yet_another);

CREATE TYPE hr.address AS (street text, zip varchar(5), place numeric(9, 6)[]);
CREATE TYPE hr.shift AS ENUM ('day', 'evening', 'night');

CREATE TABLE inbox (r bytea);
