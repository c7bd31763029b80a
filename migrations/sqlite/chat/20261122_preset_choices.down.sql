-- chatdb: data-loss
-- An earlier version does not keep these choices. It decides by the operator's list about a server or relay that comes
-- back without a row.

DROP TABLE preset_choices;
