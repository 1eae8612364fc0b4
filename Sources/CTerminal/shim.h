// What the command asks of its terminal: C, because ioctl and getenv speak in pointers.
#pragma once
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/// Whether a file descriptor is a terminal.
static inline int terminal_is(int descriptor) { return isatty(descriptor); }

/// Whether the terminal cannot take back what it shows.
static inline int terminal_is_dumb(void) {
    const char *name = getenv("TERM");
    return name && strcmp(name, "dumb") == 0;
}

/// Columns of the terminal: of the device, else of COLUMNS; 0 when neither knows.
static inline int terminal_columns(int descriptor) {
    struct winsize size;
    if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    const char *columns = getenv("COLUMNS");
    return columns ? atoi(columns) : 0;
}

/// Whether the environment asks for no colour (NO_COLOR set to something, or a dumb terminal).
static inline int terminal_refuses_color(void) {
    const char *refusal = getenv("NO_COLOR");
    return (refusal && *refusal) || terminal_is_dumb();
}
