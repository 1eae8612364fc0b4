// Sends the frames of a capture on an interface, at their capture times or at a rate.
//
//     send INTERFACE FILE.pcap [--rate PACKETS-A-SECOND] [--seconds N] [--loop]
//
// Without --rate the capture times are used. --loop restarts at the end of the file. Frames are sent in groups of up to 32
// per call, as needed for millions per second. Prints the number of frames sent and the time taken as JSON.
// After a delay, the sender continues at the rate instead of catching up with a burst; the reported rate is lower then.
// `-` is standard input, which is read ahead, so that its writer may be slow at times.

#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <pcap/pcap.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { GROUP = 32, LARGEST = 2048, SECOND = 1000000000, PATIENCE = 5000000, TICK = 200000 };

static uint8_t frames[GROUP][LARGEST];
static struct iovec parts[GROUP];
static struct mmsghdr messages[GROUP];

static void fail(const char *what) {
    perror(what);
    exit(2);
}

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * SECOND + (uint64_t)time.tv_nsec;
}

static void wait_until(uint64_t moment) {
    for (;;) {
        uint64_t time = now();
        if (time >= moment) return;
        // Sleeping is inexact: the last part is a busy wait.
        if (moment - time > 200000) {
            struct timespec rest = {0, (long)(moment - time > SECOND / 2 ? SECOND / 2 : moment - time - 100000)};
            nanosleep(&rest, NULL);
        }
    }
}

static int open_interface(const char *name) {
    int descriptor = socket(AF_PACKET, SOCK_RAW, 0);
    if (descriptor < 0) fail("socket");
    struct sockaddr_ll address = {.sll_family = AF_PACKET, .sll_ifindex = (int)if_nametoindex(name)};
    if (address.sll_ifindex == 0) fail(name);
    if (bind(descriptor, (struct sockaddr *)&address, sizeof address) != 0) fail("bind");
    int room = 8 << 20, yes = 1;
    setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    // Bypasses the queueing discipline, which would make the rate look higher than it is.
    setsockopt(descriptor, SOL_PACKET, PACKET_QDISC_BYPASS, &yes, sizeof yes);
    return descriptor;
}

static void send_group(int descriptor, unsigned count) {
    for (unsigned done = 0; done < count;) {
        int sent = sendmmsg(descriptor, messages + done, count - done, 0);
        if (sent < 0) {
            if (errno == ENOBUFS || errno == EAGAIN || errno == EINTR) continue;
            fail("sendmmsg");
        }
        done += (unsigned)sent;
    }
}

// Loads the whole file, so that sending does not wait for a disk.
struct frame {
    uint64_t time;
    uint32_t start, length;
};

static struct frame *list;
static size_t count, capacity;
static uint8_t *octets;
static size_t used, room;

static void load(pcap_t *file) {
    struct pcap_pkthdr *header;
    const u_char *data;
    while (pcap_next_ex(file, &header, &data) == 1) {
        if (header->caplen > LARGEST) continue;
        if (count == capacity) {
            capacity = capacity ? 2 * capacity : 1 << 16;
            list = realloc(list, capacity * sizeof *list);
        }
        if (used + header->caplen > room) {
            room = room ? 2 * room : 64 << 20;
            octets = realloc(octets, room);
        }
        if (!list || !octets) fail("realloc");
        list[count++] = (struct frame){(uint64_t)header->ts.tv_sec * SECOND + (uint64_t)header->ts.tv_usec,
                                       (uint32_t)used, header->caplen};
        memcpy(octets + used, data, header->caplen);
        used += header->caplen;
    }
}

int main(int argc, char **argv) {
    uint64_t rate = 0, seconds = 0;
    bool loop = false;
    if (argc < 3) return fprintf(stderr, "usage: send INTERFACE FILE [--rate N] [--seconds N] [--loop]\n"), 64;
    for (int i = 3; i < argc; i++) {
        if (strcmp(argv[i], "--loop") == 0) loop = true;
        else if (i + 1 < argc && strcmp(argv[i], "--rate") == 0) rate = strtoull(argv[++i], NULL, 10);
        else if (i + 1 < argc && strcmp(argv[i], "--seconds") == 0) seconds = strtoull(argv[++i], NULL, 10);
        else return fprintf(stderr, "send: %s?\n", argv[i]), 64;
    }
    char message[PCAP_ERRBUF_SIZE];
    pcap_t *file = pcap_open_offline_with_tstamp_precision(argv[2], PCAP_TSTAMP_PRECISION_NANO, message);
    if (!file) return fprintf(stderr, "send: %s\n", message), 2;
    int descriptor = open_interface(argv[1]);
    bool streams = rate == 0 && !loop;
    if (!streams) load(file);
    for (unsigned i = 0; i < GROUP; i++) {
        parts[i].iov_base = frames[i];
        messages[i].msg_hdr.msg_iov = &parts[i];
        messages[i].msg_hdr.msg_iovlen = 1;
    }
    uint64_t start = now(), sent = 0, first = 0;
    uint64_t end = seconds ? start + seconds * SECOND : UINT64_MAX;
    struct pcap_pkthdr *header;
    const u_char *data;
    if (streams) {
        while (now() < end && pcap_next_ex(file, &header, &data) == 1) {
            uint64_t time = (uint64_t)header->ts.tv_sec * SECOND + (uint64_t)header->ts.tv_usec;
            if (first == 0) first = time;
            if (header->caplen > LARGEST) continue;
            wait_until(start + (time - first));
            memcpy(frames[0], data, header->caplen);
            parts[0].iov_len = header->caplen;
            send_group(descriptor, 1);
            sent++;
        }
    } else {
        size_t next = 0;
        uint64_t origin = start, paced = 0;
        while (count > 0 && now() < end) {
            uint64_t group = GROUP;
            if (rate) {
                // Every 200 µs, sends the frames that are due, and sleeps in between, since the core may be shared.
                uint64_t time = now(), due = (time - origin) * rate / SECOND;
                if (due > paced + PATIENCE * rate / SECOND) {
                    origin = time - TICK;
                    paced = 0;
                    due = TICK * rate / SECOND;
                }
                if (due <= paced) {
                    uint64_t rest = (paced + 1) * SECOND / rate - (time - origin);
                    struct timespec pause = {0, (long)(rest < TICK ? TICK : rest > SECOND / 2 ? SECOND / 2 : rest)};
                    nanosleep(&pause, NULL);
                    continue;
                }
                if (due - paced < group) group = due - paced;
            }
            unsigned filled = 0;
            for (; filled < group && next < count; filled++, next++) {
                parts[filled].iov_base = octets + list[next].start;
                parts[filled].iov_len = list[next].length;
            }
            paced += filled;
            send_group(descriptor, filled);
            sent += filled;
            if (next == count) {
                if (!loop) break;
                next = 0;
            }
        }
    }
    double took = (double)(now() - start) / SECOND;
    printf("{\"sent\": %" PRIu64 ", \"seconds\": %.3f, \"rate\": %.0f}\n", sent, took, (double)sent / took);
    return 0;
}
