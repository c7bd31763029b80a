#include "CChatDBSQLite.h"

int chatdb_db_config_bool(sqlite3 *db, int option, int value, int *now) {
    int state = -1;
    int code = sqlite3_db_config(db, option, value, &state);
    if (now) *now = state;
    return code;
}
