// A capture file being written: pcap, Ethernet, microseconds.

#ifndef CAPTURE_H
#define CAPTURE_H

#include <stddef.h>
#include <stdint.h>

struct capture {
    int file;
    uint8_t *buffer;
    size_t used;
    uint64_t bytes;   // of the file, including headers
    uint64_t packets;
    uint64_t time;    // of the last packet, in microseconds since 1970
};

// A host with its own counter of IPv4 identifications.
struct host {
    uint32_t address; // host byte order
    uint16_t identification;
};

struct endpoint {
    struct host *host;
    uint16_t port;
};

enum tcp_flag { TCP_FIN = 0x01, TCP_SYN = 0x02, TCP_RST = 0x04, TCP_PSH = 0x08, TCP_ACK = 0x10 };

// A TCP connection opened by side 0. `next` is the next sequence number of each side.
struct tcp {
    struct endpoint side[2];
    uint32_t next[2];
};

enum { TCP_MSS = 1448 }; // 1500 minus IPv4, TCP and the timestamp option

void capture_open(struct capture *capture, const char *path);
void capture_close(struct capture *capture);

// Decreasing times are raised to that of the previous packet.
void udp_send(struct capture *capture, uint64_t time, const struct endpoint *from, const struct endpoint *to,
              const uint8_t *payload, size_t length);
void tcp_send(struct capture *capture, uint64_t time, struct tcp *tcp, int side, int flags, const void *payload,
              size_t length);

// A fragment of a UDP datagram at `offset` octets, a multiple of 8; `more` if others follow.
void fragment_send(struct capture *capture, uint64_t time, struct host *from, const struct host *to, unsigned offset,
                   int more, const uint8_t *payload, size_t length);

static inline void put16(uint8_t *at, uint32_t value) {
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

static inline void put32(uint8_t *at, uint32_t value) {
    put16(at, value >> 16);
    put16(at + 2, value);
}

#endif
