#define _GNU_SOURCE
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif
#if defined(__linux__) && __has_include(<linux/capability.h>)
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#define HAS_CAPABILITIES 1
#endif

// Signals

static volatile sig_atomic_t first_signal;
static int wake_descriptor = -1;
static volatile sig_atomic_t is_overview_requested;

static void note_request(int number) {
    (void)number;
    is_overview_requested = 1;
}

static void note_signal(int number) {
    if (first_signal != 0) {
        // The second signal: terminate now. Files are complete up to here.
        _exit(128 + number);
    }
    first_signal = number;
    int saved = errno;
    // One octet fits into an empty pipe; a failure cannot be reported here.
    ssize_t written = write(wake_descriptor, "", 1);
    (void)written;
    errno = saved;
}

int process_watch_signals(void) {
    int ends[2];
    if (pipe(ends) != 0) return -1;
    for (int i = 0; i < 2; i++) {
        fcntl(ends[i], F_SETFD, FD_CLOEXEC);
        fcntl(ends[i], F_SETFL, O_NONBLOCK);
    }
    wake_descriptor = ends[1];
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = note_signal;
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    action.sa_handler = note_request;
    sigaction(SIGUSR1, &action, NULL);
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL);
    return ends[0];
}

int process_signal(void) { return first_signal; }

bool process_take_request(void) {
    bool is_requested = is_overview_requested;
    is_overview_requested = 0;
    return is_requested;
}

// Users

static bool number(const char *text, uint32_t *value) {
    if (!text || *text < '0' || *text > '9') return false;
    char *end;
    errno = 0;
    unsigned long long parsed = strtoull(text, &end, 10);
    // The largest value means "unchanged" to the calls below.
    if (errno != 0 || *end != '\0' || parsed >= UINT32_MAX) return false;
    *value = (uint32_t)parsed;
    return true;
}

bool process_is_root(void) { return geteuid() == 0; }

struct process_user process_sudo_user(void) {
    struct process_user user = {0, 0, false};
    user.is_known = number(getenv("SUDO_UID"), &user.user) && number(getenv("SUDO_GID"), &user.group);
    return user;
}

struct process_user process_find_user(const char *name) {
    struct process_user user = {0, 0, false};
    uint32_t value;
    struct passwd *entry = getpwnam(name);
    if (!entry && number(name, &value)) entry = getpwuid(value);
    if (entry) {
        user.user = entry->pw_uid;
        user.group = entry->pw_gid;
        user.is_known = true;
    }
    return user;
}

static bool runs_as(uid_t user, gid_t group) {
#ifdef __linux__
    uid_t users[3];
    gid_t groups[3];
    if (getresuid(&users[0], &users[1], &users[2]) != 0 || getresgid(&groups[0], &groups[1], &groups[2]) != 0)
        return false;
    for (int i = 0; i < 3; i++)
        if (users[i] != user || groups[i] != group) return false;
    return true;
#else
    return getuid() == user && geteuid() == user && getgid() == group && getegid() == group;
#endif
}

enum process_drop_step process_drop_to(struct process_user user) {
    gid_t group = user.group;
    // The user's supplementary groups, to write files where the user may; only the group if the user has no name.
    struct passwd *entry = getpwuid(user.user);
    int status = entry ? initgroups(entry->pw_name, group) : setgroups(1, &group);
    if (status != 0) return process_drop_groups;
#ifdef __linux__
    if (setresgid(group, group, group) != 0) return process_drop_group;
    if (setresuid(user.user, user.user, user.user) != 0) return process_drop_user;
#else
    if (setgid(group) != 0) return process_drop_group;
    if (setuid(user.user) != 0) return process_drop_user;
#endif
    enum process_drop_step step = process_drop_capabilities_now();
    if (step != process_drop_done) return step;
    if (!runs_as(user.user, group)) return process_drop_unverified;
    // Regaining privileges must fail.
    if (user.user != 0 && (setuid(0) == 0 || seteuid(0) == 0)) return process_drop_unverified;
    if (group != 0 && user.user != 0 && (setgid(0) == 0 || setegid(0) == 0)) return process_drop_unverified;
    return runs_as(user.user, group) ? process_drop_done : process_drop_unverified;
}

enum process_drop_step process_drop_capabilities_now(void) {
#ifdef HAS_CAPABILITIES
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
    memset(data, 0, sizeof data);
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    if (syscall(SYS_capset, &header, data) != 0) return process_drop_capabilities;
    // Executing another program must not regain privileges either.
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return process_drop_capabilities;
    memset(data, 0xFF, sizeof data);
    if (syscall(SYS_capget, &header, data) != 0) return process_drop_unverified;
    for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++)
        if (data[i].effective != 0 || data[i].permitted != 0 || data[i].inheritable != 0) return process_drop_unverified;
#endif
    return process_drop_done;
}

int process_path(char *path, int size) {
#if defined(__linux__)
    ssize_t length = readlink("/proc/self/exe", path, (size_t)size);
    return length > 0 && length < size ? (int)length : 0;
#elif defined(__APPLE__)
    uint32_t room = (uint32_t)size;
    return _NSGetExecutablePath(path, &room) == 0 ? (int)strlen(path) : 0;
#else
    (void)path, (void)size;
    return 0;
#endif
}

bool process_is_same_file(const char *one, const char *other) {
    struct stat first, second;
    if (stat(one, &first) != 0 || stat(other, &second) != 0) return false;
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino && S_ISREG(first.st_mode);
}

int process_folder(char *path, int size) {
    return getcwd(path, (size_t)size) ? (int)strlen(path) : 0;
}

// Files

bool process_remove(const char *path) { return unlink(path) == 0; }

bool process_rename(const char *from, const char *to) { return rename(from, to) == 0; }

bool process_is_special(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

int process_temporary_file(void) {
    const char *folder = getenv("TMPDIR");
    char name[4096];
    if (!folder || !*folder) folder = "/tmp";
    int length = snprintf(name, sizeof name, "%s/weir-XXXXXX", folder);
    if (length < 0 || (size_t)length >= sizeof name) return -1;
    int descriptor = mkstemp(name);
    if (descriptor >= 0) {
        unlink(name);
        fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    }
    return descriptor;
}

int process_make_folders(const char *path) {
    char name[4096];
    size_t length = strlen(path);
    if (length == 0) return ENOENT;
    if (length >= sizeof name) return ENAMETOOLONG;
    memcpy(name, path, length + 1);
    for (size_t index = 1; index <= length; index++) {
        if (name[index] != '/' && name[index] != '\0') continue;
        char end = name[index];
        name[index] = '\0';
        struct stat found;
        if (mkdir(name, 0777) != 0) {
            int reason = errno;
            if (stat(name, &found) != 0) return reason;
            if (!S_ISDIR(found.st_mode)) return reason == EEXIST ? ENOTDIR : reason;
        }
        name[index] = end;
    }
    return 0;
}

bool process_is_inside(const char *path, const char *folder) {
    char *real = realpath(path, NULL);
    char *root = realpath(folder, NULL);
    bool is_inside = false;
    if (real != NULL && root != NULL) {
        size_t length = strlen(root);
        // The root folder ends in a slash already.
        if (length > 0 && root[length - 1] == '/') length--;
        is_inside = strncmp(real, root, length) == 0 && real[length] == '/';
    }
    free(real);
    free(root);
    return is_inside;
}

#ifndef WEIR_COMMIT
#define WEIR_COMMIT ""
#endif

unsigned char process_commit(int index) {
    static const char commit[] = WEIR_COMMIT;
    return index >= 0 && (size_t)index < sizeof commit ? (unsigned char)commit[index] : 0;
}

bool process_disable_core_dumps(void) {
    const struct rlimit none = {0, 0};
#ifdef HAS_CAPABILITIES
    // Linux ignores the limit if it passes core dumps to a program.
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return false;
#endif
    return setrlimit(RLIMIT_CORE, &none) == 0;
}
