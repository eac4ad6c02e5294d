// Ends the process when a write of the replicated log fails.
//
// libraft before 0.16 goes on leading after such a write, and gives the place of the lost entries in the log,
// which other nodes may have, to new ones: edits that were acknowledged are lost. A node that is dead does no
// such harm. Its API does not report the failure, so this target replaces the two functions of the C library
// with which libraft writes: a program's own functions take precedence over those of a library.
#pragma once

// Returns 1 if libraft calls the functions of this target, else 0.
int raft_log_is_watched(void);
