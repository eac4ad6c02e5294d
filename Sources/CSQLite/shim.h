// What Swift does not import from sqlite3.h: variadic functions and macros with casts.
#pragma once
#include <sqlite3.h>
#include <stdint.h>
#include <string.h>

static const sqlite3_destructor_type CSQLITE_TRANSIENT = SQLITE_TRANSIENT;

// Nothing is copied, because the text is part of the program.
static inline int csqlite_bind_empty_text(sqlite3_stmt *statement, int index) {
  return sqlite3_bind_text(statement, index, "", 0, SQLITE_STATIC);
}

static inline int csqlite_db_config(sqlite3 *db, int option, int value) {
  return sqlite3_db_config(db, option, value, (int *)0);
}

static inline int csqlite_disable_memory_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

static int csqlite_is_ascii(const unsigned char *text, int size) {
  uint64_t eight;
  int index = 0;
  for (; index + 8 <= size; index += 8) {
    memcpy(&eight, text + index, 8);
    if (eight & 0x8080808080808080u) return 0;
  }
  for (; index < size; index++)
    if (text[index] & 0x80) return 0;
  return 1;
}

// Whether the word begins with this first letter at one of the places before `end`.
static int csqlite_has_from(
    unsigned char first, const unsigned char *text, const unsigned char *end, const unsigned char *word, int length) {
  for (const unsigned char *place = text; (place = memchr(place, first, end - place)); place++) {
    int matched = 1;
    for (; matched < length; matched++) {
      const unsigned char letter = place[matched];
      if ((letter >= 'A' && letter <= 'Z' ? letter + 32 : letter) != word[matched]) break;
    }
    if (matched == length) return 1;
  }
  return 0;
}

static int csqlite_has(const unsigned char *text, int size, const unsigned char *word, int length) {
  if (length == 0) return 1;
  if (length > size) return 0;
  const unsigned char *const end = text + size - length + 1;
  const unsigned char capital = word[0] >= 'a' && word[0] <= 'z' ? word[0] - 32 : word[0];
  return csqlite_has_from(word[0], text, end, word, length) ||
         (capital != word[0] && csqlite_has_from(capital, text, end, word, length));
}

// Whether a text begins with a letter that is folded to two: ß, æ, œ, and their capitals.
static int csqlite_is_double(const unsigned char *text, const unsigned char *end) {
  if (end - text >= 2 && text[0] == 0xc3) return text[1] == 0x9f || text[1] == 0xa6 || text[1] == 0x86;
  if (end - text >= 2 && text[0] == 0xc5) return text[1] == 0x92 || text[1] == 0x93;
  return end - text >= 3 && text[0] == 0xe1 && text[1] == 0xba && text[2] == 0x9e;
}

// Whether a text may begin with a word. A character beyond ASCII may be one of its letters with an accent, an accent
// by itself, or two letters; those of other scripts, by their first bytes, are neither. After a few of them, the caller
// finds out.
static int csqlite_may_begin(
    const unsigned char *text, const unsigned char *end, const unsigned char *word, int length, int most) {
  for (; length > 0; word++, length--) {
    if (text == end) return 0;
    const unsigned char letter = *text++;
    if (letter < 0x80) {
      if ((letter >= 'A' && letter <= 'Z' ? letter + 32 : letter) != *word) return 0;
      continue;
    }
    // In 0xea, there are letters of Latin, too.
    if ((letter >= 0xce && letter <= 0xe0) || (letter >= 0xe4 && letter <= 0xed && letter != 0xea)) return 0;
    if (most-- == 0) return 1;
    const int is_double = csqlite_is_double(text - 1, end);
    while (text < end && (*text & 0xc0) == 0x80) text++;
    if (csqlite_may_begin(text, end, word, length, most)) return 1;
    if (is_double && (length < 3 || csqlite_may_begin(text, end, word + 2, length - 2, most))) return 1;
  }
  return 1;
}

// The same for a text beyond ASCII, at any place.
static int csqlite_may_have_accented(const unsigned char *text, int size, const unsigned char *word, int length) {
  for (const unsigned char *place = text; place < text + size; place++)
    if ((*place & 0xc0) != 0x80 && csqlite_may_begin(place, text + size, word, length, 6)) return 1;
  return length == 0;
}

// may_have(word, text, ...): whether a text may have a word in it when both are folded.
//
// It compares bytes, because folding every text of a long list would take several times longer. The word is in
// lowercase ASCII; the caller folds a text to find out. A word with other letters is NULL here, and only a text with
// such letters can contain it.
static void csqlite_may_have(sqlite3_context *context, int count, sqlite3_value **values) {
  const int has_word = sqlite3_value_type(values[0]) != SQLITE_NULL;
  const unsigned char *word = sqlite3_value_text(values[0]);
  const int length = sqlite3_value_bytes(values[0]);
  int may_have = 0;
  for (int value = 1; value < count && !may_have; value++) {
    // As text it would be copied to get a zero at its end.
    const unsigned char *text = sqlite3_value_blob(values[value]);
    const int size = sqlite3_value_bytes(values[value]);
    may_have = csqlite_is_ascii(text, size) ? has_word && csqlite_has(text, size, word, length)
                                            : !has_word || csqlite_may_have_accented(text, size, word, length);
  }
  sqlite3_result_int(context, may_have);
}

static int csqlite_number(const unsigned char *text, int length) {
  int number = 0;
  for (; length > 0; text++, length--) {
    if (*text < '0' || *text > '9') return -1;
    number = number * 10 + (*text - '0');
  }
  return number;
}

// Whether ten letters are a day as in 2026-12-24; not the 29th of February, which some years don't have.
static int csqlite_is_day(const unsigned char *text) {
  static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const int year = csqlite_number(text, 4), month = csqlite_number(text + 5, 2), day = csqlite_number(text + 8, 2);
  return text[4] == '-' && text[7] == '-' && year > 0 && month > 0 && month <= 12 && day > 0
      && day <= lengths[month - 1];
}

static const unsigned char *csqlite_find(
    const unsigned char *text, const unsigned char *end, const unsigned char *key, int length) {
  for (; length > 0 && end - text >= length; text++) {
    text = memchr(text, *key, end - text - length + 1);
    if (!text || !memcmp(text, key, length)) return text;
  }
  return 0;
}

// may_be_day(json, key, first, last): whether the value of a key, which is in quotes, may be a day from the first to the
// last one, or something else than a day.
//
// It compares bytes, as may_have does. Only a key that is there once, with its value after it, is certainly the column.
static void csqlite_may_be_day(sqlite3_context *context, int count, sqlite3_value **values) {
  (void)count;
  const unsigned char *texts[4];
  for (int value = 0; value < 4; value++) texts[value] = sqlite3_value_blob(values[value]);
  const int size = sqlite3_value_bytes(values[0]), length = sqlite3_value_bytes(values[1]);
  const unsigned char *const end = texts[0] + size;
  const unsigned char *found = csqlite_find(texts[0], end, texts[1], length);
  int may_be = 1;
  if (found && sqlite3_value_bytes(values[2]) == 10 && sqlite3_value_bytes(values[3]) == 10) {
    const unsigned char *const day = found + length + 2;
    const int is_day = end - day > 10 && day[-2] == ':' && day[-1] == '"' && day[10] == '"' && csqlite_is_day(day);
    if (is_day && !csqlite_find(day, end, texts[1], length))
      may_be = memcmp(day, texts[2], 10) >= 0 && memcmp(day, texts[3], 10) <= 0;
  }
  sqlite3_result_int(context, may_be);
}

// Whether bytes are UTF-8 as Unicode defines it: each character in its shortest form, and no half of a pair.
static int csqlite_is_utf8(const unsigned char *text, int size) {
  const unsigned char *const end = text + size;
  while (text < end) {
    const unsigned char first = *text++;
    if (first < 0x80) continue;
    const int more = first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
    if (first < 0xc2 || first > 0xf4 || end - text < more) return 0;
    const unsigned char least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    const unsigned char greatest = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (*text < least || *text > greatest) return 0;
    for (int index = 1; index < more; index++)
      if ((text[index] & 0xc0) != 0x80) return 0;
    text += more;
  }
  return 1;
}

// are_readable(most, text, ...): whether all values are texts in UTF-8 of up to so many bytes.
static void csqlite_are_readable(sqlite3_context *context, int count, sqlite3_value **values) {
  const int most = sqlite3_value_int(values[0]);
  int are_readable = 1;
  for (int value = 1; value < count && are_readable; value++) {
    const unsigned char *text = sqlite3_value_blob(values[value]);
    const int size = sqlite3_value_bytes(values[value]);
    are_readable = sqlite3_value_type(values[value]) == SQLITE_TEXT && size <= most &&
                   (csqlite_is_ascii(text, size) || csqlite_is_utf8(text, size));
  }
  sqlite3_result_int(context, are_readable);
}

// A polynomial of the numbers that were added, for a secret number, modulo the prime 2^61 - 1.
static uint64_t csqlite_add(uint64_t polynomial, uint64_t number, uint64_t secret) {
  const uint64_t prime = ((uint64_t)1 << 61) - 1;
  const __uint128_t product = (__uint128_t)(polynomial + number) * secret;
  const uint64_t sum = (uint64_t)(product & prime) + (uint64_t)(product >> 61);
  return (sum & prime) + (sum >> 61);
}

// fingerprint(secret, value, ...): a number for the types and bytes of values. Those of other values are others, save with
// a chance of about one in 2^61 for every 7 bytes, whoever chose the values without knowing the secret.
static void csqlite_fingerprint(sqlite3_context *context, int count, sqlite3_value **values) {
  const uint64_t secret = (uint64_t)sqlite3_value_int64(values[0]) >> 4 | 1;
  uint64_t print = csqlite_add(1, (uint64_t)count, secret);
  for (int value = 1; value < count; value++) {
    const int type = sqlite3_value_type(values[value]);
    sqlite3_int64 integer;
    const unsigned char *bytes = (const unsigned char *)&integer;
    int size = sizeof integer;
    if (type == SQLITE_INTEGER) {
      integer = sqlite3_value_int64(values[value]);
    } else {
      // The bytes of any other number are those of its text.
      size = sqlite3_value_bytes(values[value]);
      // Most texts are empty; the numbers of the others say which are.
      if (size == 0 && type == SQLITE_TEXT) continue;
      bytes = sqlite3_value_blob(values[value]);
    }
    print = csqlite_add(print, (uint64_t)value << 34 | (uint64_t)size << 3 | (uint64_t)type, secret);
    uint64_t number;
    for (; size >= 8; bytes += 7, size -= 7) {
      memcpy(&number, bytes, 8);
      print = csqlite_add(print, number & 0xffffffffffffff, secret);
    }
    if (size == 0) continue;
    for (number = 0; size > 0; size--) number = number << 8 | bytes[size - 1];
    print = csqlite_add(print, number, secret);
  }
  sqlite3_result_int64(context, (sqlite3_int64)print);
}

// integers(number, ...): the numbers of all rows, one row after another, as they are in memory. What is no integer is the
// least one.
struct csqlite_integers {
  sqlite3_int64 *numbers;
  uint64_t count, capacity;
};

static void csqlite_add_integers(sqlite3_context *context, int count, sqlite3_value **values) {
  struct csqlite_integers *all = sqlite3_aggregate_context(context, sizeof *all);
  if (!all) return sqlite3_result_error_nomem(context);
  if (all->count + (uint64_t)count > all->capacity) {
    const uint64_t capacity = 2 * all->capacity + 64 + (uint64_t)count;
    sqlite3_int64 *const numbers = sqlite3_realloc64(all->numbers, capacity * sizeof *numbers);
    if (!numbers) return sqlite3_result_error_nomem(context);
    all->numbers = numbers;
    all->capacity = capacity;
  }
  for (int value = 0; value < count; value++)
    all->numbers[all->count++] =
        sqlite3_value_type(values[value]) == SQLITE_INTEGER ? sqlite3_value_int64(values[value]) : INT64_MIN;
}

static void csqlite_return_integers(sqlite3_context *context) {
  struct csqlite_integers *all = sqlite3_aggregate_context(context, 0);
  if (all) sqlite3_result_blob64(context, all->numbers, all->count * sizeof *all->numbers, sqlite3_free);
}

static inline int csqlite_add_functions(sqlite3 *db) {
  const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY;
  int added = sqlite3_create_function_v2(
      db, "may_have", -1, flags, (void *)0, csqlite_may_have, (void *)0, (void *)0, (void *)0);
  if (added != SQLITE_OK) return added;
  added = sqlite3_create_function_v2(
      db, "are_readable", -1, flags, (void *)0, csqlite_are_readable, (void *)0, (void *)0, (void *)0);
  if (added != SQLITE_OK) return added;
  added = sqlite3_create_function_v2(
      db, "fingerprint", -1, flags, (void *)0, csqlite_fingerprint, (void *)0, (void *)0, (void *)0);
  if (added != SQLITE_OK) return added;
  added = sqlite3_create_function_v2(
      db, "integers", -1, flags, (void *)0, (void *)0, csqlite_add_integers, csqlite_return_integers, (void *)0);
  if (added != SQLITE_OK) return added;
  return sqlite3_create_function_v2(
      db, "may_be_day", 4, flags, (void *)0, csqlite_may_be_day, (void *)0, (void *)0, (void *)0);
}

// The bytes of the file of a database, read through SQLite's own descriptor: closing another one would drop the
// locks of this process (https://sqlite.org/howtocorrupt.html, 2.2).
static inline sqlite3_file *csqlite_file(sqlite3 *db) {
  sqlite3_file *file = 0;
  if (sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return 0;
  return file != 0 && file->pMethods != 0 ? file : 0;
}

static inline int csqlite_file_size(sqlite3 *db, sqlite3_int64 *size) {
  sqlite3_file *file = csqlite_file(db);
  return file == 0 ? SQLITE_CANTOPEN : file->pMethods->xFileSize(file, size);
}

static inline int csqlite_file_read(sqlite3 *db, void *buffer, int count, sqlite3_int64 offset) {
  sqlite3_file *file = csqlite_file(db);
  return file == 0 ? SQLITE_CANTOPEN : file->pMethods->xRead(file, buffer, count, offset);
}

// What the text of a schema may do when it is run again: create, but neither read nor attach.
static int csqlite_allow_creating(
    void *context, int action, const char *first, const char *second, const char *database, const char *trigger) {
  (void)context, (void)first, (void)second, (void)database, (void)trigger;
  const int is_denied = action == SQLITE_SELECT || action == SQLITE_ATTACH || action == SQLITE_DETACH ||
                        action == SQLITE_PRAGMA || action == SQLITE_RECURSIVE;
  return is_denied ? SQLITE_DENY : SQLITE_OK;
}

static inline void csqlite_only_creates(sqlite3 *db, int is_on) {
  sqlite3_set_authorizer(db, is_on ? csqlite_allow_creating : 0, (void *)0);
}
