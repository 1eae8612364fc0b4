// Measures a command. A shell or an interpreter as the parent would add its own size to the child's peak memory (Linux
// counts the image that called exec), and its startup to the time; this program takes 1 MB.
//
//     timed REPORT OUTPUT COMMAND [ARGUMENT...]
//
// One line is written to REPORT: exit status, wall, user and system time in nanoseconds, peak memory in bytes.
// The command's standard output goes to OUTPUT.

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint64_t nanoseconds(struct timeval time) {
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_usec * 1000;
}

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "usage: timed REPORT OUTPUT COMMAND [ARGUMENT...]\n");
        return 64;
    }
    uint64_t start = now();
    pid_t child = fork();
    if (child < 0) {
        perror("fork");
        return 2;
    }
    if (child == 0) {
        int output = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC, 0644);
        if (output < 0 || dup2(output, STDOUT_FILENO) < 0) {
            perror(argv[2]);
            _exit(126);
        }
        close(output);
        execvp(argv[3], argv + 3);
        fprintf(stderr, "%s: %s\n", argv[3], strerror(errno));
        _exit(127);
    }
    int status;
    struct rusage usage;
    while (wait4(child, &status, 0, &usage) < 0) {
        if (errno != EINTR) {
            perror("wait4");
            return 2;
        }
    }
    uint64_t wall = now() - start;
#ifdef __APPLE__
    uint64_t peak = (uint64_t)usage.ru_maxrss;
#else
    uint64_t peak = (uint64_t)usage.ru_maxrss * 1024;
#endif
    FILE *report = fopen(argv[1], "w");
    if (!report) {
        perror(argv[1]);
        return 2;
    }
    fprintf(report, "%d %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
            WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), wall, nanoseconds(usage.ru_utime),
            nanoseconds(usage.ru_stime), peak);
    return fclose(report) == 0 ? 0 : 2;
}
