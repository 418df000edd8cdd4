ALTER SEQUENCE flaky RESTART;
INSERT INTO task (id, request, params) OVERRIDING SYSTEM VALUE SELECT id, request, params FROM asked;
