// Ends the process when a write of the replicated log fails.
//
// libraft before 0.16 goes on leading after such a write, and gives the place of the lost entries in the log,
// which other nodes may have, to new ones: edits that were acknowledged are lost. A node that is dead does no
// such harm. Nothing in its API says so; its calls of the system are led through here.
#pragma once

// From now on a failed write of libraft ends the process.
//
// Returns how many of its calls are watched; it makes two kinds.
int raft_log_end_at_failed_write(void);
