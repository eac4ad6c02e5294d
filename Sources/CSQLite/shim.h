// What Swift does not import from sqlite3.h: variadic functions and macros with casts.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

static const sqlite3_destructor_type CSQLITE_TRANSIENT = SQLITE_TRANSIENT;

// Nothing is copied, because the text is part of the program.
static inline int csqlite_bind_empty_text(sqlite3_stmt *statement, int index) {
  return sqlite3_bind_text(statement, index, "", 0, SQLITE_STATIC);
}

static inline int csqlite_db_config(sqlite3 *db, int option, int value) {
  return sqlite3_db_config(db, option, value, (int *)0);
}

// Opens a file as open(2) does, but fails with ELOOP if any part of the path is a link.
//
// The C library has no function for it (https://man7.org/linux/man-pages/man2/openat2.2.html). A kernel older
// than Linux 5.6 checks only the last part.
static inline int csqlite_open_without_links(const char *path, int flags, int mode) {
#ifdef SYS_openat2
  const uint64_t no_symbolic_links = 0x04;
  struct { uint64_t flags, mode, resolve; } how = {
      (uint64_t)flags, flags & O_CREAT ? (uint64_t)mode & 07777 : 0, no_symbolic_links};
  const long file = syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
  if (file >= 0 || errno != ENOSYS) return (int)file;
#endif
  return open(path, flags | O_NOFOLLOW, mode);
}

static inline int csqlite_disable_memory_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// may_have(word, text, ...): whether a text may have a word in it when both are folded.
//
// It compares bytes, because folding every text of a long list would take several times longer. The word
// consists of lowercase ASCII letters. A text with other letters may contain any word; the caller folds it to
// find out. A word with other letters is NULL here, and only such texts can contain it.
static void csqlite_may_have(sqlite3_context *context, int count, sqlite3_value **values) {
  const int has_word = sqlite3_value_type(values[0]) != SQLITE_NULL;
  const unsigned char *word = sqlite3_value_text(values[0]);
  const int length = sqlite3_value_bytes(values[0]);
  for (int value = 1; value < count; value++) {
    // As text it would be copied to get a zero at its end.
    const unsigned char *text = sqlite3_value_blob(values[value]);
    const int size = sqlite3_value_bytes(values[value]);
    int matched = 0;
    for (int index = 0; index < size; index++) {
      const unsigned char byte = text[index];
      if (byte & 0x80) return sqlite3_result_int(context, 1);
      if (!has_word || index + length > size) continue;
      for (matched = 0; matched < length; matched++) {
        const unsigned char letter = text[index + matched];
        if ((letter >= 'A' && letter <= 'Z' ? letter + 32 : letter) != word[matched]) break;
      }
      if (matched == length) return sqlite3_result_int(context, 1);
    }
    if (has_word && length == 0) return sqlite3_result_int(context, 1);
  }
  sqlite3_result_int(context, 0);
}

static inline int csqlite_add_functions(sqlite3 *db) {
  return sqlite3_create_function_v2(
      db, "may_have", -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, (void *)0, csqlite_may_have,
      (void *)0, (void *)0, (void *)0);
}
