// What Swift does not import from sqlite3.h: variadic functions and macros with casts.
#pragma once
#include <sqlite3.h>

static const sqlite3_destructor_type CSQLITE_TRANSIENT = SQLITE_TRANSIENT;

static inline int csqlite_db_config(sqlite3 *db, int option, int value) {
  return sqlite3_db_config(db, option, value, (int *)0);
}

static inline int csqlite_disable_memory_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
