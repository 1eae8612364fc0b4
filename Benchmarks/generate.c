// Generates large captures for the benchmarks: the same arguments give the same bytes. Writes the content of each
// capture (the ground truth) as JSON next to it.
//
//     generate KIND SIZE FILE.pcap [--count N] [--seed N] [--faults 0]
//
// To add a kind, add a file to `generate/` and a line to `kinds`.

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "generate/world.h"

static const struct {
    const char *name;
    void (*generate)(struct world *world);
    const char *summary;
} kinds[] = {
    {"rtp", generate_rtp, "RTSP sessions with RTP and RTCP over UDP (--count sessions, 500)"},
    {"interleaved", generate_interleaved, "RTSP sessions with RTP and RTCP inside the connection (--count, 100)"},
    {"rtmp", generate_rtmp, "RTMP publishers (--count connections, 200)"},
    {"noise", generate_noise, "TLS, HTTP, DNS and QUIC-like flows (--count flows; default: one for each 5,000 bytes)"},
    {"churn", generate_churn, "floods and short sessions at constant rates (--count percent of the rates, 100)"},
    {"syns", generate_churn, "a flood of SYNs from and to anywhere (--count a second, 100000)"},
    {"fragments", generate_churn, "a flood of first or second fragments without the other (--count a second, 100000)"},
    {"datagrams", generate_churn, "a flood of UDP flows of one packet (--count a second, 100000)"},
    {"halfOpen", generate_churn, "a flood of RTSP connections that are left half open (--count a second, 100000)"},
};

static void usage(void) {
    fprintf(stderr, "usage: generate KIND SIZE FILE.pcap [--count N] [--seed N] [--faults 0]\n"
                    "SIZE is in bytes, or with a k, m or g in thousands, millions or milliards. KIND is one of\n");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        fprintf(stderr, "  %-12s %s\n", kinds[i].name, kinds[i].summary);
    }
    exit(64);
}

static uint64_t parse(const char *text, bool units) {
    char *end;
    uint64_t value = strtoull(text, &end, 10);
    if (end == text) usage();
    if (units && *end) {
        switch (*end++) {
        case 'k': value *= 1000; break;
        case 'm': value *= 1000000; break;
        case 'g': value *= 1000000000; break;
        default: usage();
        }
    }
    if (*end) usage();
    return value;
}

int main(int argc, char **argv) {
    if (argc < 4) usage();
    struct world world = {.options = {.kind = argv[1], .size = parse(argv[2], true), .output = argv[3], .seed = 1}};
    for (int i = 4; i < argc; i += 2) {
        if (i + 1 == argc) usage();
        uint64_t value = parse(argv[i + 1], false);
        if (strcmp(argv[i], "--count") == 0) world.options.count = value;
        else if (strcmp(argv[i], "--seed") == 0) world.options.seed = value;
        else if (strcmp(argv[i], "--faults") == 0) world.options.flawless = value == 0;
        else usage();
    }
    world.chance = world.options.seed;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kinds[i].name, argv[1]) == 0) {
            capture_open(&world.capture, argv[3]);
            kinds[i].generate(&world);
            fprintf(stderr, "%s: %" PRIu64 " bytes, %" PRIu64 " packets\n", argv[3], world.capture.bytes,
                    world.capture.packets);
            return 0;
        }
    }
    usage();
}
