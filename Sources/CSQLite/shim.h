// What Swift does not import from sqlite3.h: variadic functions and macros with casts.
#pragma once
#include <sqlite3.h>

static const sqlite3_destructor_type CSQLITE_TRANSIENT = SQLITE_TRANSIENT;

// Nothing is copied, as the text is part of the program.
static inline int csqlite_bind_empty_text(sqlite3_stmt *statement, int index) {
  return sqlite3_bind_text(statement, index, "", 0, SQLITE_STATIC);
}

static inline int csqlite_db_config(sqlite3 *db, int option, int value) {
  return sqlite3_db_config(db, option, value, (int *)0);
}

static inline int csqlite_disable_memory_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
