// What glibc declares for _GNU_SOURCE only, and Swift's Glibc therefore lacks.

/// Lets a program that is started with these actions, of the type `posix_spawn_file_actions_t`, begin in a folder.
int posix_spawn_file_actions_addchdir_np(void *actions, const char *path);

/// Gives the calling thread its own copy of what `flags` name.
int unshare(int flags);

/// The current folder, the root and the umask.
static const int LINUX_CLONE_FS = 0x200;
