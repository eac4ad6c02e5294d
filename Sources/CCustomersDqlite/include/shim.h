// dqlite, and the guard of a node: limits what the connections that dqlite opens for clients can do.
//
// Anyone who can reach the port of a node can send it any SQL. Some statements crash a node of dqlite 1.11.1
// (https://github.com/canonical/dqlite); others would make the nodes differ.
#pragma once
#include <dqlite.h>
#include <string.h>
#include <strings.h>
#include "../../CSQLite/shim.h"

// The pragmas used by our statements and by dqlite itself, and the value each may be set to (NULL: any value).
static const struct {
  const char *name;
  const char *value;
} cdqlite_pragmas[] = {
    {"application_id", 0}, {"user_version", 0},  {"schema_version", ""},  {"foreign_key_check", ""},
    {"table_info", 0},     {"page_size", "4096"}, {"synchronous", "OFF"}, {"journal_mode", "WAL"},
    {"wal_autocheckpoint", "0"}, {"foreign_keys", "1"},
};

static int cdqlite_authorize(
    void *context, int action, const char *first, const char *second, const char *third, const char *fourth) {
  (void)context, (void)third, (void)fourth;
  switch (action) {
    case SQLITE_ATTACH:
    case SQLITE_DETACH: return SQLITE_DENY;
    case SQLITE_PRAGMA:
      for (size_t index = 0; index < sizeof cdqlite_pragmas / sizeof *cdqlite_pragmas; index++) {
        const char *value = cdqlite_pragmas[index].value;
        if (strcasecmp(first, cdqlite_pragmas[index].name) != 0) continue;
        return !value || !second || !strcmp(second, value) ? SQLITE_OK : SQLITE_DENY;
      }
      return SQLITE_DENY;
    case SQLITE_FUNCTION:
      // Debian's library does not enable it; where it is enabled, it can run any code.
      return second && !strcasecmp(second, "load_extension") ? SQLITE_DENY : SQLITE_OK;
    default: return SQLITE_OK;
  }
}

// Interrupts a statement that writes and returns rows. Sent as a query, it would leave pages in the log that
// make the next statement fail in dqlite 1.11.1.
static int cdqlite_trace(unsigned event, void *db, void *statement, void *sql) {
  (void)event, (void)sql;
  const char *text = sqlite3_sql(statement);
  if (sqlite3_column_count(statement) > 0 && !sqlite3_stmt_readonly(statement) && text
      && strncasecmp(text, "PRAGMA", 6) != 0)
    sqlite3_interrupt(db);
  return 0;
}

// Called for each connection that is opened in this process.
static int cdqlite_guard(sqlite3 *db, char **message, const struct sqlite3_api_routines *routines) {
  (void)message, (void)routines;
  sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 100000000);
  sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, 1000000);
  sqlite3_limit(db, SQLITE_LIMIT_TRIGGER_DEPTH, 20);
  sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
  sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
  sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
  sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
  // The other nodes would not receive a page that is written before the commit. Temporary data go to files that
  // only this process can open: SQLite walks through a journal in memory from its start at the end of each
  // statement, so an edit of many rows would take time quadratic in their number. Only the journal of the temporary
  // tables stays in memory: dqlite 1.11.1 crashes where SQLite asks how long a temporary file is, as at a rollback.
  int code = sqlite3_exec(
      db,
      "PRAGMA secure_delete = ON; PRAGMA cache_spill = OFF; PRAGMA temp_store = FILE; PRAGMA cell_size_check = ON;"
      "PRAGMA temp.journal_mode = MEMORY",
      0, 0, 0);
  if (code == SQLITE_OK) code = csqlite_add_functions(db);
  if (code == SQLITE_OK) code = sqlite3_trace_v2(db, SQLITE_TRACE_STMT, cdqlite_trace, db);
  if (code == SQLITE_OK) code = sqlite3_set_authorizer(db, cdqlite_authorize, 0);
  return code;
}

static inline int cdqlite_guard_connections(void) {
  return sqlite3_auto_extension((void (*)(void))cdqlite_guard);
}
