#include <pcap/pcap.h>
#include <stdint.h>
#include <stdio.h>

#ifndef __APPLE__
// A stream over a reader of our own (macOS has funopen). The C library shows this only to those who define _GNU_SOURCE,
// which would change other types, too, so that they no longer agree with those of Swift's own C module.
struct weir_stream_functions {
    ssize_t (*read)(void *cookie, char *buffer, size_t size);
    ssize_t (*write)(void *cookie, const char *buffer, size_t size);
    int (*seek)(void *cookie, int64_t *position, int whence);
    int (*close)(void *cookie);
};
FILE *fopencookie(void *cookie, const char *mode, struct weir_stream_functions functions);
#endif
