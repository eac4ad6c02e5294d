#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "CCustomersSystem.h"

enum { SLOTS = 8 };
static struct {
  // Set last and cleared first, so that a handler in between finds a whole name or none.
  atomic_int is_used;
  // With room for what SQLite adds to the name.
  char path[PATH_MAX + 16];
} slots[SLOTS];

void csystem_note_temporary(const char *path) {
  if (strlen(path) >= PATH_MAX) return;
  for (int slot = 0; slot < SLOTS; slot++) {
    if (slots[slot].is_used) continue;
    strcpy(slots[slot].path, path);
    slots[slot].is_used = 1;
    return;
  }
}

void csystem_forget_temporary(const char *path) {
  for (int slot = 0; slot < SLOTS; slot++) {
    if (slots[slot].is_used && strcmp(slots[slot].path, path) == 0) slots[slot].is_used = 0;
  }
}

void csystem_remove_temporaries(void) {
  static const char *const suffixes[] = {"-journal", "-wal", "-shm"};
  for (int slot = 0; slot < SLOTS; slot++) {
    if (!slots[slot].is_used) continue;
    char *const path = slots[slot].path;
    unlink(path);
    char *const end = path + strlen(path);
    for (int suffix = 0; suffix < 3; suffix++) {
      strcpy(end, suffixes[suffix]);
      unlink(path);
    }
    slots[slot].is_used = 0;
  }
}

// The exit code at a signal; 0 if the signal itself ends the program.
static atomic_int code_at_signals;

void csystem_exit_at_signals_with(int code) { code_at_signals = code; }

static void remove_and_end(int number) {
  csystem_remove_temporaries();
  if (code_at_signals) _exit(code_at_signals);
  signal(number, SIG_DFL);
  raise(number);
}

int csystem_is_ignored(int number) {
  struct sigaction action;
  return sigaction(number, NULL, &action) != 0 || action.sa_handler == SIG_IGN;
}

void csystem_remove_temporaries_at(int number) {
  struct sigaction action;
  if (csystem_is_ignored(number)) return;
  memset(&action, 0, sizeof action);
  action.sa_handler = remove_and_end;
  sigaction(number, &action, NULL);
}
