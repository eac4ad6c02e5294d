#define _GNU_SOURCE
#include "RaftLog.h"

#ifdef CLUSTER
// Debian's header of dqlite 1.11.1 says 1.10.0.
#include <dqlite.h>
#endif

#if defined(__linux__) && defined(__x86_64__) && defined(CLUSTER) && DQLITE_VERSION_NUMBER < 11200
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static void end_process(int code) {
  dprintf(STDERR_FILENO, "customers-node: can't write to the disk (%s); stopping the node\n", strerror(code));
  _exit(1);
}

// libraft extends the log with this function.
int posix_fallocate(int file, off_t offset, off_t length) {
  int (*original)(int, off_t, off_t) = (int (*)(int, off_t, off_t))dlsym(RTLD_NEXT, "posix_fallocate");
  int code = original(file, offset, length);
  if (code != 0 && code != EOPNOTSUPP) end_process(code);
  return code;
}

// Ends the process if a file could not be synced; what is not a file on a disk can't be.
static int synced(int file, const char *name) {
  int (*original)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  int code = original(file);
  if (code != 0 && errno != EINTR && errno != EINVAL && errno != EROFS) end_process(errno);
  return code;
}

int fsync(int file) { return synced(file, "fsync"); }

int fdatasync(int file) { return synced(file, "fdatasync"); }

// Ends the process if a completed write has failed or is incomplete.
static void check(const struct io_event *event) {
  const struct iocb *write = (const struct iocb *)(uintptr_t)event->obj;
  // libraft repeats a write that would have blocked.
  if (event->res == -EAGAIN) return;
  if (event->res < 0) end_process((int)-event->res);
  if (write->aio_lio_opcode != IOCB_CMD_PWRITEV) return;
  const struct iovec *pieces = (const struct iovec *)(uintptr_t)write->aio_buf;
  uint64_t size = 0;
  for (uint64_t index = 0; index < write->aio_nbytes; index++) size += pieces[index].iov_len;
  if ((uint64_t)event->res < size) end_process(ENOSPC);
}

// The C library's syscall; NULL until it was looked up.
__attribute__((visibility("hidden"), used)) long (*raft_log_syscall)(long, ...);

__attribute__((visibility("hidden"), used)) void raft_log_find_syscall(void) {
  raft_log_syscall = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
}

// What the replaced syscall does for io_getevents.
__attribute__((visibility("hidden"), used)) long raft_log_get_events(
    long number, aio_context_t context, long least, long most, struct io_event *events, void *timeout) {
  if (!raft_log_syscall) raft_log_find_syscall();
  long result = raft_log_syscall(number, context, least, most, events, timeout);
  for (long index = 0; index < result; index++) check(events + index);
  return result;
}

// libraft calls io_getevents with syscall, because the C library has no wrapper for it. Other callers pass other
// numbers of arguments, which C can't pass on without reading some that were not passed; a jump can.
_Static_assert(SYS_io_getevents == 208, "the number in the next lines is another one");
__asm__(
    ".text\n"
    ".globl syscall\n"
    ".type syscall, @function\n"
    "syscall:\n"
    "  cmpq $208, %rdi\n"
    "  je raft_log_get_events\n"
    "  cmpq $0, raft_log_syscall(%rip)\n"
    "  jne 1f\n"
    "  pushq %rdi\n  pushq %rsi\n  pushq %rdx\n  pushq %rcx\n  pushq %r8\n  pushq %r9\n"
    "  subq $8, %rsp\n"
    "  call raft_log_find_syscall\n"
    "  addq $8, %rsp\n"
    "  popq %r9\n  popq %r8\n  popq %rcx\n  popq %rdx\n  popq %rsi\n  popq %rdi\n"
    "1:\n"
    "  jmp *raft_log_syscall(%rip)\n"
    ".size syscall, . - syscall\n");

int raft_log_is_watched(void) {
  return dlsym(RTLD_DEFAULT, "syscall") == (void *)syscall
         && dlsym(RTLD_DEFAULT, "fsync") == (void *)fsync && dlsym(RTLD_DEFAULT, "fdatasync") == (void *)fdatasync
         && dlsym(RTLD_DEFAULT, "posix_fallocate") == (void *)posix_fallocate;
}
#else
int raft_log_is_watched(void) { return 0; }
#endif
