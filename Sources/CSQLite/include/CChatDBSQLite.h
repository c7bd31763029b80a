#ifndef CCHATDB_SQLITE_H
#define CCHATDB_SQLITE_H

#include <sqlite3.h>

/// Sets (value 0 or 1) or only asks (value -1) one boolean option of sqlite3_db_config, which is variadic and so
/// cannot be called from Swift. `now` receives the state after the call. Returns SQLite's result code.
int chatdb_db_config_bool(sqlite3 *db, int option, int value, int *now);

#endif
