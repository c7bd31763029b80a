#include "CChatDBSQLite.h"

int chatdb_db_config_bool(sqlite3 *db, int option, int value, int *now) {
    int state = -1;
    int code = sqlite3_db_config(db, option, value, &state);
    if (now) *now = state;
    return code;
}

// Weak: a SQLite without column metadata has no such functions.
#pragma weak sqlite3_column_table_name
#pragma weak sqlite3_column_origin_name

const char *chatdb_column_table(sqlite3_stmt *statement, int column) {
    return sqlite3_column_table_name ? sqlite3_column_table_name(statement, column) : 0;
}

const char *chatdb_column_origin(sqlite3_stmt *statement, int column) {
    return sqlite3_column_origin_name ? sqlite3_column_origin_name(statement, column) : 0;
}
