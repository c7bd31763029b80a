#ifndef CCHATDB_SQLITE_H
#define CCHATDB_SQLITE_H

#include <sqlite3.h>

/// Sets (value 0 or 1) or only asks (value -1) one boolean option of sqlite3_db_config, which is variadic and so
/// cannot be called from Swift. `now` receives the state after the call. Returns SQLite's result code.
int chatdb_db_config_bool(sqlite3 *db, int option, int value, int *now);

/// The table, or the column, that a column of a statement's result comes from; NULL for a computed one, and where this
/// SQLite was built without that knowledge (SQLITE_ENABLE_COLUMN_METADATA).
const char *chatdb_column_table(sqlite3_stmt *statement, int column);
const char *chatdb_column_origin(sqlite3_stmt *statement, int column);

#endif
