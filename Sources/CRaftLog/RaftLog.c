#define _GNU_SOURCE
#include "RaftLog.h"

#if defined(__linux__) && defined(__LP64__)
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/aio_abi.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static void end_process(int code) {
  dprintf(STDERR_FILENO, "customers-node: can't write to the disk (%s); the node ends\n", strerror(code));
  _exit(1);
}

// In place of `posix_fallocate`, with which the log gets longer.
static int allocate(int file, off_t offset, off_t length) {
  int code = posix_fallocate(file, offset, length);
  if (code != 0 && code != EOPNOTSUPP) end_process(code);
  return code;
}

// A write has ended; it may have been asked for again, as it would have had to wait.
static void look(const struct io_event *event) {
  const struct iocb *write = (const struct iocb *)(uintptr_t)event->obj;
  if (event->res == -EAGAIN) return;
  if (event->res < 0) end_process((int)-event->res);
  if (write->aio_lio_opcode != IOCB_CMD_PWRITEV) return;
  const struct iovec *pieces = (const struct iovec *)(uintptr_t)write->aio_buf;
  uint64_t size = 0;
  for (uint64_t index = 0; index < write->aio_nbytes; index++) size += pieces[index].iov_len;
  if ((uint64_t)event->res < size) end_process(ENOSPC);
}

// In place of `syscall`, with which the log is written: the C library has no function for `io_getevents`.
static long call(long number, ...) {
  va_list list;
  va_start(list, number);
  long words[6];
  for (int index = 0; index < 6; index++) words[index] = va_arg(list, long);
  va_end(list);
  long result = syscall(number, words[0], words[1], words[2], words[3], words[4], words[5]);
  if (number == SYS_io_getevents) {
    for (long index = 0; index < result; index++) look((const struct io_event *)words[3] + index);
  }
  return result;
}

// Replaces what the library calls: the dynamic linker keeps the addresses in a table of each library.
static int redirect(struct dl_phdr_info *object, size_t size, void *count) {
  (void)size;
  if (!strstr(object->dlpi_name, "/libraft.so") && !strstr(object->dlpi_name, "/libdqlite.so")) return 0;
  const ElfW(Dyn) *entry = 0;
  for (int index = 0; index < object->dlpi_phnum; index++) {
    if (object->dlpi_phdr[index].p_type == PT_DYNAMIC)
      entry = (const ElfW(Dyn) *)(object->dlpi_addr + object->dlpi_phdr[index].p_vaddr);
  }
  const ElfW(Sym) *symbols = 0;
  const char *names = 0;
  const ElfW(Rela) *tables[2] = {0, 0};
  size_t sizes[2] = {0, 0};
  for (; entry && entry->d_tag != DT_NULL; entry++) {
    switch (entry->d_tag) {
      case DT_SYMTAB: symbols = (const ElfW(Sym) *)entry->d_un.d_ptr; break;
      case DT_STRTAB: names = (const char *)entry->d_un.d_ptr; break;
      case DT_JMPREL: tables[0] = (const ElfW(Rela) *)entry->d_un.d_ptr; break;
      case DT_PLTRELSZ: sizes[0] = entry->d_un.d_val; break;
      case DT_RELA: tables[1] = (const ElfW(Rela) *)entry->d_un.d_ptr; break;
      case DT_RELASZ: sizes[1] = entry->d_un.d_val; break;
      default: break;
    }
  }
  for (int table = 0; table < 2 && symbols && names; table++) {
    for (size_t index = 0; tables[table] && index < sizes[table] / sizeof(ElfW(Rela)); index++) {
      const ElfW(Rela) *place = &tables[table][index];
      const char *name = names + symbols[ELF64_R_SYM(place->r_info)].st_name;
      uintptr_t target = !strcmp(name, "syscall")           ? (uintptr_t)call
                         : !strcmp(name, "posix_fallocate") ? (uintptr_t)allocate
                                                            : 0;
      if (!target) continue;
      uintptr_t *slot = (uintptr_t *)(object->dlpi_addr + place->r_offset);
      uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
      if (mprotect((void *)((uintptr_t)slot & ~(page - 1)), page, PROT_READ | PROT_WRITE) != 0) return -1;
      *slot = target;
      ++*(int *)count;
    }
  }
  return 0;
}

int raft_log_end_at_failed_write(void) {
  int count = 0;
  return dl_iterate_phdr(redirect, &count) == 0 ? count : 0;
}
#else
int raft_log_end_at_failed_write(void) { return 0; }
#endif
