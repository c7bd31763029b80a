-- chatdb: data-loss
-- An earlier version has no operators: which were switched on and which conditions were accepted is forgotten.

DROP TABLE operator_usage_conditions;
DROP TABLE usage_conditions;
DROP TABLE server_operators;
