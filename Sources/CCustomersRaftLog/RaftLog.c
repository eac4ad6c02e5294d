#define _GNU_SOURCE
#include "RaftLog.h"

#if defined(__linux__) && defined(CLUSTER)
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <stdarg.h>
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

// libraft calls io_getevents with this function, because the C library has no wrapper for it.
long syscall(long number, ...) {
  static long (*original)(long, ...);
  if (!original) original = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  va_list list;
  va_start(list, number);
  long words[6];
  for (int index = 0; index < 6; index++) words[index] = va_arg(list, long);
  va_end(list);
  long result = original(number, words[0], words[1], words[2], words[3], words[4], words[5]);
  if (number == SYS_io_getevents) {
    for (long index = 0; index < result; index++) check((const struct io_event *)words[3] + index);
  }
  return result;
}

int raft_log_is_watched(void) {
  return dlsym(RTLD_DEFAULT, "syscall") == (void *)syscall
         && dlsym(RTLD_DEFAULT, "posix_fallocate") == (void *)posix_fallocate;
}
#else
int raft_log_is_watched(void) { return 0; }
#endif
