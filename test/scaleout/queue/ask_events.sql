ALTER SEQUENCE flaky RESTART;
SELECT pgq_ask(id::text, request, params) FROM asked ORDER BY id;
