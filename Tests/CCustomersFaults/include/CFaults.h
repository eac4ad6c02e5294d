// A VFS that shows a test each call that SQLite makes on the files of one folder, before it is made.
#pragma once

#include <stdint.h>

enum cfaults_kind {
  CFAULTS_OPEN, CFAULTS_READ, CFAULTS_WRITE, CFAULTS_TRUNCATE, CFAULTS_SYNC, CFAULTS_LOCK, CFAULTS_DELETE,
  CFAULTS_SIZE, CFAULTS_ACCESS,
};

/// A call that is about to be made.
struct cfaults_call {
  enum cfaults_kind kind;
  const char *path;
  /// Where a read or write begins; the new size of a truncation.
  int64_t offset;
  /// What a write writes; NULL for other calls.
  const uint8_t *bytes;
  int64_t count;
  /// Of an open and a sync: whether the file is a journal, whose first sync also syncs its folder. Of a
  /// deletion: whether the folder is synced.
  int syncs_folder;
};

/// What a test does with a call: 0 lets SQLite make it, a result code is what SQLite gets instead, and minus
/// a result code what it gets although the call is made (but an open).
typedef int (*cfaults_hook)(void *context, const struct cfaults_call *call);

/// Makes the VFS SQLite's default; files of folders that no test watches are passed on. Returns a result code.
int cfaults_register(void);

/// Shows the hook all calls on files whose path begins with `prefix`, which must live as long.
///
/// Returns 0 if there are too many watchers. Files that are open must be closed before `cfaults_unwatch`.
int cfaults_watch(const char *prefix, cfaults_hook hook, void *context);
void cfaults_unwatch(const char *prefix);
