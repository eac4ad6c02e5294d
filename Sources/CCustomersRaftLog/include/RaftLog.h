// Ends the process when a write of the replicated log fails.
//
// After such a failure, libraft before 0.16 remains the leader and gives the log indexes of the lost entries,
// which other nodes may have stored, to new entries: acknowledged edits are lost. A node that has ended can't
// do that. libraft's API does not report the failure, so this target replaces the two functions of the C
// library that libraft writes with: a program's own functions take precedence over those of a library.
#pragma once

// Returns 1 if libraft calls the functions of this target, and 0 otherwise.
int raft_log_is_watched(void);
