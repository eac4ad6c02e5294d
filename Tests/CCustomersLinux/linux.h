// What glibc declares for _GNU_SOURCE only, and Swift's Glibc therefore lacks.

/// Gives the calling thread its own copy of what `flags` name.
int unshare(int flags);

/// The current folder, the root and the umask.
static const int LINUX_CLONE_FS = 0x200;
