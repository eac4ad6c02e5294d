#include "CFaults.h"

#include <pthread.h>
#include <sqlite3.h>
#include <string.h>

// The VFS that does the work.
static sqlite3_vfs *real;

// Watchers ----------------------------------------------------------------------------------------

struct watcher {
  const char *prefix;
  cfaults_hook hook;
  void *context;
};

static struct watcher watchers[64];
static pthread_mutex_t watchers_mutex = PTHREAD_MUTEX_INITIALIZER;

static struct watcher watcher_of(const char *path) {
  struct watcher found = {0};
  pthread_mutex_lock(&watchers_mutex);
  for (int i = 0; path && i < 64; i++) {
    const char *prefix = watchers[i].prefix;
    if (prefix && strncmp(path, prefix, strlen(prefix)) == 0) found = watchers[i];
  }
  pthread_mutex_unlock(&watchers_mutex);
  return found;
}

int cfaults_watch(const char *prefix, cfaults_hook hook, void *context) {
  int done = 0;
  pthread_mutex_lock(&watchers_mutex);
  for (int i = 0; !done && i < 64; i++) {
    if (watchers[i].prefix) continue;
    watchers[i] = (struct watcher){prefix, hook, context};
    done = 1;
  }
  pthread_mutex_unlock(&watchers_mutex);
  return done;
}

void cfaults_unwatch(const char *prefix) {
  pthread_mutex_lock(&watchers_mutex);
  for (int i = 0; i < 64; i++) {
    if (watchers[i].prefix == prefix) watchers[i] = (struct watcher){0};
  }
  pthread_mutex_unlock(&watchers_mutex);
}

// A file ------------------------------------------------------------------------------------------

struct file {
  sqlite3_file base;
  struct watcher watcher;
  const char *path;
  int syncs_folder;
  // The real file follows.
};

static sqlite3_file *inner(sqlite3_file *file) { return (sqlite3_file *)((struct file *)file + 1); }

static int ask(struct watcher *watcher, struct cfaults_call call) {
  return watcher->hook ? watcher->hook(watcher->context, &call) : SQLITE_OK;
}

// What a call returns to SQLite: it was made if the hook allowed it, or wanted it to seem to have failed.
#define TELL(answer, made) \
  do { \
    int code = (answer); \
    if (code > SQLITE_OK) return code; \
    int made_code = (made); \
    return code < SQLITE_OK ? -code : made_code; \
  } while (0)

static int ask_file(
  sqlite3_file *base, enum cfaults_kind kind, int64_t offset, const void *bytes, int64_t count
) {
  struct file *file = (struct file *)base;
  return ask(
    &file->watcher,
    (struct cfaults_call){kind, file->path, offset, bytes, count, file->syncs_folder});
}

static int file_close(sqlite3_file *file) {
  return inner(file)->pMethods ? inner(file)->pMethods->xClose(inner(file)) : SQLITE_OK;
}

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  TELL(
    ask_file(file, CFAULTS_READ, offset, NULL, count),
    inner(file)->pMethods->xRead(inner(file), bytes, count, offset));
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  TELL(
    ask_file(file, CFAULTS_WRITE, offset, bytes, count),
    inner(file)->pMethods->xWrite(inner(file), bytes, count, offset));
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  TELL(
    ask_file(file, CFAULTS_TRUNCATE, size, NULL, 0),
    inner(file)->pMethods->xTruncate(inner(file), size));
}

static int file_sync(sqlite3_file *file, int flags) {
  // What a power cut would do is simulated; a real sync would only take time.
  TELL(
    ask_file(file, CFAULTS_SYNC, 0, NULL, 0),
    ((struct file *)file)->watcher.hook ? SQLITE_OK : inner(file)->pMethods->xSync(inner(file), flags));
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  TELL(
    ask_file(file, CFAULTS_SIZE, 0, NULL, 0),
    inner(file)->pMethods->xFileSize(inner(file), size));
}

static int file_lock(sqlite3_file *file, int level) {
  TELL(
    ask_file(file, CFAULTS_LOCK, 0, NULL, level),
    inner(file)->pMethods->xLock(inner(file), level));
}

static int file_unlock(sqlite3_file *file, int level) {
  return inner(file)->pMethods->xUnlock(inner(file), level);
}

static int file_check_reserved_lock(sqlite3_file *file, int *result) {
  return inner(file)->pMethods->xCheckReservedLock(inner(file), result);
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
  return inner(file)->pMethods->xFileControl(inner(file), operation, argument);
}

static int file_sector_size(sqlite3_file *file) {
  return inner(file)->pMethods->xSectorSize(inner(file));
}

static int file_characteristics(sqlite3_file *file) {
  return inner(file)->pMethods->xDeviceCharacteristics(inner(file));
}

static int file_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **memory) {
  return inner(file)->pMethods->xShmMap(inner(file), page, size, extend, memory);
}

static int file_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  return inner(file)->pMethods->xShmLock(inner(file), offset, count, flags);
}

static void file_shm_barrier(sqlite3_file *file) { inner(file)->pMethods->xShmBarrier(inner(file)); }

static int file_shm_unmap(sqlite3_file *file, int deletes) {
  return inner(file)->pMethods->xShmUnmap(inner(file), deletes);
}

// Version 2: with shared memory for a write-ahead log, without memory-mapped pages.
static const sqlite3_io_methods methods = {
  2, file_close, file_read, file_write, file_truncate, file_sync, file_size, file_lock, file_unlock,
  file_check_reserved_lock, file_control, file_sector_size, file_characteristics, file_shm_map, file_shm_lock,
  file_shm_barrier, file_shm_unmap, NULL, NULL,
};

// The VFS -----------------------------------------------------------------------------------------

static int vfs_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *base, int flags, int *out_flags) {
  struct file *file = (struct file *)base;
  int is_journal = SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL | SQLITE_OPEN_SUPER_JOURNAL;
  *file = (struct file){
    .watcher = watcher_of(path), .path = path, .syncs_folder = (flags & is_journal) != 0,
  };
  inner(base)->pMethods = NULL;
  int code = ask_file(base, CFAULTS_OPEN, 0, NULL, 0);
  if (code <= SQLITE_OK) code = real->xOpen(real, path, inner(base), flags, out_flags);
  // SQLite closes a file that could not be opened only if it has methods.
  if (!code || inner(base)->pMethods) base->pMethods = &methods;
  return code;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *path, int syncs_folder) {
  struct watcher watcher = watcher_of(path);
  TELL(
    ask(&watcher, (struct cfaults_call){CFAULTS_DELETE, path, 0, NULL, 0, syncs_folder}),
    real->xDelete(real, path, watcher.hook ? 0 : syncs_folder));
}

static int vfs_access(sqlite3_vfs *vfs, const char *path, int flags, int *result) {
  struct watcher watcher = watcher_of(path);
  TELL(
    ask(&watcher, (struct cfaults_call){CFAULTS_ACCESS, path, 0, NULL, 0, 0}),
    real->xAccess(real, path, flags, result));
}

int cfaults_register(void) {
  static sqlite3_vfs shim;
  pthread_mutex_lock(&watchers_mutex);
  int is_first = real == NULL;
  if (is_first) real = sqlite3_vfs_find(NULL);
  pthread_mutex_unlock(&watchers_mutex);
  if (!is_first) return SQLITE_OK;
  // What is not about files (time, randomness, full paths) stays with the real one: it gets the shim as its
  // first argument, and looks into `pAppData` only, which is copied.
  shim = *real;
  shim.zName = "cfaults";
  shim.pNext = NULL;
  shim.szOsFile = (int)sizeof(struct file) + real->szOsFile;
  shim.xOpen = vfs_open;
  shim.xDelete = vfs_delete;
  shim.xAccess = vfs_access;
  return sqlite3_vfs_register(&shim, 1);
}
