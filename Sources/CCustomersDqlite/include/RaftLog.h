// Ends the process when a write of the replicated log fails, or a sync of any file.
//
// After such a failure, libraft before 0.16 remains the leader and gives the log indexes of the lost entries,
// which other nodes may have stored, to new entries: acknowledged edits are lost. A node that has ended can't
// do that. libraft's API does not report the failure, so this target replaces the functions of the C library
// that libraft extends, writes, and syncs its log with: a program's own functions take precedence over those of a
// library.
//
// Watching the free space and ending in time would be plainer, and loses nothing on a disk that fills. But writes also
// fail beyond a quota and on a broken disk: there, such a node reported edits as not made that were made
// (`failing_disk` in Tests/ClusterFaults).
//
// Not watched: writes of the metadata (term and vote) and of snapshots. libraft checks them itself: it does not
// vote, or keeps the log that the snapshot would have replaced. Their syncs are watched.
//
// Empty with a dqlite that does not need it (1.12 or later), and on processors other than x86-64.
#pragma once

// Returns 1 if libraft calls the functions of this target, and 0 otherwise.
int raft_log_is_watched(void);
