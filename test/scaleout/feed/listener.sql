CREATE TABLE inbox (n bigint GENERATED ALWAYS AS IDENTITY, payload text);
CREATE TABLE heard (LIKE lineitem);
