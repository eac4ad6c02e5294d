// Calls of the system that the C library hides from Swift, or does not have.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif
#ifdef __GLIBC__
#include <malloc.h>
#endif

// Opens a file as open(2) does, but fails with ELOOP if any part of the path is a link.
//
// The C library has no function for it (https://man7.org/linux/man-pages/man2/openat2.2.html). A kernel older
// than Linux 5.6, and any other system, checks only the last part.
static inline int csystem_open_without_links(const char *path, int flags, int mode) {
#ifdef SYS_openat2
  const uint64_t no_symbolic_links = 0x04;
  struct { uint64_t flags, mode, resolve; } how = {
      (uint64_t)flags, flags & O_CREAT ? (uint64_t)mode & 07777 : 0, no_symbolic_links};
  const long file = syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
  if (file >= 0 || errno != ENOSYS) return (int)file;
#endif
  return open(path, flags | O_NOFOLLOW, mode);
}

// Renames a file unless the new name is taken, which is then EEXIST; ENOSYS or EINVAL if the system or the file
// system can't (https://man7.org/linux/man-pages/man2/rename.2.html).
static inline int csystem_rename_without_replacing(const char *old, const char *new) {
#if defined(__linux__)
  const unsigned no_replacing = 1;
  return (int)syscall(SYS_renameat2, AT_FDCWD, old, AT_FDCWD, new, no_replacing);
#elif defined(__APPLE__)
  return renamex_np(old, new, RENAME_EXCL);
#else
  errno = ENOSYS;
  return -1;
#endif
}

// The names of the unfinished files of this process, which a signal handler removes: there, only C can be sure to need
// no memory and no lock. Of more files than there is room for, the next program removes what is left. Only one
// thread at a time may note or forget one.
void csystem_note_temporary(const char *path);
void csystem_forget_temporary(const char *path);
void csystem_remove_temporaries(void);
// From now on, removes them when the signal ends the program; one that is ignored stays ignored.
void csystem_remove_temporaries_at(int signal);
// From now on, such a signal ends the program with this exit code.
void csystem_exit_at_signals_with(int code);

// Whether the program ignores a signal.
int csystem_is_ignored(int signal);

// Takes whole blocks of 64 bytes into the state of SHA-256 (FIPS 180-4), in C, which is quick without an optimizer, too.
void csystem_sha256(uint32_t state[8], const uint8_t *bytes, size_t blocks);

// Compresses bytes as gzip does (RFC 1952), by zlib; returns how many bytes of the room are used, 0 if it is too small.
size_t csystem_gzip(const uint8_t *bytes, size_t count, uint8_t *room, size_t size);

// A stream that is compressed with deflate, or taken apart, piece by piece (RFC 1951), by zlib; NULL without memory.
typedef struct csystem_deflate csystem_deflate;
csystem_deflate *csystem_deflate_open(int inflates);
// Takes bytes into the room, and says how many of each it used; returns 1 at the end of the stream, -1 if it is damaged,
// otherwise 0.
int csystem_deflate_run(
    csystem_deflate *state, const uint8_t *bytes, size_t *count, uint8_t *room, size_t *size, int is_last);
void csystem_deflate_close(csystem_deflate *state);
// The checksum of zip, of bytes after those with a checksum; 0 of none.
uint32_t csystem_crc32(uint32_t crc, const uint8_t *bytes, size_t count);
