// Process control for the command: wake-up signals and the user to run as. In C, because the system's interfaces are
// handlers, global variables and structures that differ between systems.
#pragma once
#include <stdbool.h>
#include <stdint.h>

/// A user to run as.
struct process_user {
    uint32_t user;
    uint32_t group;
    /// Whether the user exists; the other fields are undefined otherwise.
    bool is_known;
};

/// The step at which dropping privileges failed.
enum process_drop_step {
    process_drop_done = 0,
    process_drop_groups,
    process_drop_group,
    process_drop_user,
    process_drop_capabilities,
    /// Verification failed: the identity is not the expected one, or privileges can be regained.
    process_drop_unverified,
};

/// Installs handlers for SIGINT, SIGTERM and SIGHUP: the first signal makes the returned descriptor readable, the
/// second one terminates the process immediately. SIGUSR1 is recorded. SIGPIPE is ignored, so that writing fails
/// instead. Returns -1 if no descriptors are available.
int process_watch_signals(void);

/// Returns the signal received, or 0.
int process_signal(void);

/// Whether SIGUSR1, a request for the overview, was received since the last call.
bool process_take_request(void);

/// Whether the process runs as root.
bool process_is_root(void);

/// Returns the user who called sudo, from SUDO_UID and SUDO_GID; unknown if they are missing or not numbers.
struct process_user process_sudo_user(void);

/// Returns the user with this name or number.
struct process_user process_find_user(const char *name);

/// Switches to `user` permanently: supplementary groups, group, user, in this order, because each of the first two
/// needs the privileges that the last one drops. Verifies the result, and that the privileges cannot be regained.
enum process_drop_step process_drop_to(struct process_user user);

/// Drops all capabilities permanently. Does nothing on systems without capabilities.
enum process_drop_step process_drop_capabilities_now(void);

/// Whether both names refer to the same existing file.
bool process_is_same_file(const char *one, const char *other);

/// Writes the path of the running program to `path`. Returns its length, or 0 if it is unknown or longer than `size`.
int process_path(char *path, int size);

/// Writes the working directory to `path`. Returns its length, or 0 if it is unknown or longer than `size`.
int process_folder(char *path, int size);

/// Opens an unnamed temporary file for reading and writing, deleted when it is closed. Returns -1 on failure.
int process_temporary_file(void);

/// Removes a file that this program has written. Returns whether it is gone.
bool process_remove(const char *path);

/// Gives a file another name, in place of a file that has it. Returns whether it was done.
bool process_rename(const char *from, const char *to);

/// Whether `path` exists, and is a pipe, a device or a socket: it cannot be read twice, nor be taken back.
bool process_is_special(const char *path);

/// Whether `path` exists and is below `folder`, after all links in both are followed.
bool process_is_inside(const char *path, const char *folder);

/// Creates a folder and those above it, as far as they are missing. Returns 0, or the number of the error.
int process_make_folders(const char *path);

/// An octet of the commit that the program was built from, as `WEIR_COMMIT` stated it. Returns 0 behind its end.
unsigned char process_commit(int index);

/// Disables core dumps, which would contain the secrets that the process has read. Returns whether it succeeded.
bool process_disable_core_dumps(void);
