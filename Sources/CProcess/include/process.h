// What the command asks of its own process: signals that wake it up, and the user that it runs as. C, because the
// system's interfaces are handlers, global variables and structures that differ between systems.
#pragma once
#include <stdbool.h>
#include <stdint.h>

/// A user to run as.
struct process_user {
    uint32_t user;
    uint32_t group;
    /// Whether there is such a user; the rest means nothing otherwise.
    bool is_known;
};

/// Where giving up privileges failed.
enum process_drop_step {
    process_drop_done = 0,
    process_drop_groups,
    process_drop_group,
    process_drop_user,
    process_drop_capabilities,
    /// Read back, the identity was not what it should be, or it could be regained.
    process_drop_unverified,
};

/// From now on SIGINT, SIGTERM and SIGHUP do not end the process: the first makes the descriptor readable that is
/// returned, the second ends the process at once. SIGUSR1 is noted. SIGPIPE is ignored: writing fails instead. -1 when there are no
/// descriptors left.
int process_watch_signals(void);

/// The signal that came, or 0.
int process_signal(void);

/// Whether SIGUSR1 has come since the last call: somebody asks for the overview.
bool process_take_request(void);

/// Whether the process has the rights of the superuser.
bool process_is_root(void);

/// The user who called sudo, by SUDO_UID and SUDO_GID; unknown without them, or when they are no numbers.
struct process_user process_sudo_user(void);

/// The user of this name, or with this number.
struct process_user process_find_user(const char *name);

/// Runs as `user` from now on, for good: supplementary groups, group, user, in this order, because each of the first
/// two needs the rights that the last gives up. Read back afterwards, and whether they can be regained is tried.
enum process_drop_step process_drop_to(struct process_user user);

/// Gives up all capabilities, for good. Nothing to do on systems that have none.
enum process_drop_step process_drop_capabilities_now(void);

/// Whether both names are of one file that is there.
bool process_is_same_file(const char *one, const char *other);

/// Writes the path of the running program into `path`; its length, 0 when it is not known or longer than `size`.
int process_path(char *path, int size);

/// Writes the folder that the program runs in into `path`; its length, 0 when it is not known or longer than `size`.
int process_folder(char *path, int size);

/// A new file to write and read that has no name, and goes when it is closed; -1 when there can be none.
int process_temporary_file(void);
