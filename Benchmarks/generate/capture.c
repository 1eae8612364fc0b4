#include "capture.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    BUFFER_SIZE = 4 << 20,
    LARGEST_RECORD = 2048,
    RECORD_HEADER = 16,
    ETHERNET = 14,
    IPV4 = 20,
    UDP = 8,
    TCP = 20,
};

static void fail(const char *what) {
    perror(what);
    exit(2);
}

static void flush(struct capture *capture) {
    for (size_t done = 0; done < capture->used;) {
        ssize_t count = write(capture->file, capture->buffer + done, capture->used - done);
        if (count < 0) fail("write");
        done += (size_t)count;
    }
    capture->used = 0;
}

// The file is little-endian on every machine, so that the same arguments give the same bytes.
static void little32(uint8_t *at, uint32_t value) {
    for (int i = 0; i < 4; i++) at[i] = (uint8_t)(value >> (8 * i));
}

void capture_open(struct capture *capture, const char *path) {
    memset(capture, 0, sizeof *capture);
    capture->file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (capture->file < 0) fail(path);
    capture->buffer = malloc(BUFFER_SIZE);
    if (!capture->buffer) fail("malloc");
    little32(capture->buffer, 0xa1b2c3d4);
    little32(capture->buffer + 4, 2 | 4 << 16); // version 2.4
    little32(capture->buffer + 8, 0);
    little32(capture->buffer + 12, 0);
    little32(capture->buffer + 16, 262144);
    little32(capture->buffer + 20, 1); // LINKTYPE_ETHERNET
    capture->used = 24;
    capture->bytes = 24;
}

void capture_close(struct capture *capture) {
    flush(capture);
    if (close(capture->file) < 0) fail("close");
    free(capture->buffer);
}

// The sum of RFC 1071 over native 16-bit words, 32 bits at a time. Stored natively, it is correct in either byte order.
// Only the last part may have an odd length.
static uint64_t sum(uint64_t start, const uint8_t *bytes, size_t length) {
    uint64_t total = start;
    size_t i = 0;
    for (; i + 4 <= length; i += 4) {
        uint32_t word;
        memcpy(&word, bytes + i, 4);
        total += word;
    }
    uint32_t rest = 0;
    memcpy(&rest, bytes + i, length - i);
    return total + rest;
}

static uint16_t checksum(uint64_t total) {
    while (total >> 16) total = (total & 0xffff) + (total >> 16);
    return (uint16_t)~total;
}

static uint8_t *begin(struct capture *capture) {
    if (capture->used + LARGEST_RECORD > BUFFER_SIZE) flush(capture);
    return capture->buffer + capture->used;
}

static void end(struct capture *capture, uint64_t time, size_t length) {
    if (time < capture->time) time = capture->time;
    capture->time = time;
    uint8_t *record = capture->buffer + capture->used;
    little32(record, (uint32_t)(time / 1000000));
    little32(record + 4, (uint32_t)(time % 1000000));
    little32(record + 8, (uint32_t)length);
    little32(record + 12, (uint32_t)length);
    capture->used += RECORD_HEADER + length;
    capture->bytes += RECORD_HEADER + length;
    capture->packets++;
}

// Writes the Ethernet and IPv4 headers and returns the sum of the pseudo header (RFC 768, RFC 9293 section 3.1).
static uint64_t network(uint8_t *frame, struct host *from, const struct host *to, int protocol, size_t length) {
    frame[0] = frame[6] = 2; // locally administered
    frame[1] = frame[7] = 0;
    put32(frame + 2, to->address);
    put32(frame + 8, from->address);
    put16(frame + 12, 0x0800);
    uint8_t *ip = frame + ETHERNET;
    ip[0] = 0x45;
    ip[1] = 0;
    put16(ip + 2, (uint32_t)(IPV4 + length));
    put16(ip + 4, ++from->identification);
    put16(ip + 6, 0x4000); // do not fragment
    ip[8] = 64;
    ip[9] = (uint8_t)protocol;
    put16(ip + 10, 0);
    put32(ip + 12, from->address);
    put32(ip + 16, to->address);
    uint16_t value = checksum(sum(0, ip, IPV4));
    memcpy(ip + 10, &value, 2);
    uint8_t tail[4] = {0, (uint8_t)protocol, (uint8_t)(length >> 8), (uint8_t)length};
    return sum(sum(0, ip + 12, 8), tail, 4);
}

void udp_send(struct capture *capture, uint64_t time, const struct endpoint *from, const struct endpoint *to,
              const uint8_t *payload, size_t length) {
    uint8_t *frame = begin(capture) + RECORD_HEADER;
    uint64_t pseudo = network(frame, from->host, to->host, 17, UDP + length);
    uint8_t *udp = frame + ETHERNET + IPV4;
    put16(udp, from->port);
    put16(udp + 2, to->port);
    put16(udp + 4, (uint32_t)(UDP + length));
    put16(udp + 6, 0);
    memcpy(udp + UDP, payload, length);
    uint16_t value = checksum(sum(pseudo, udp, UDP + length));
    if (value == 0) value = 0xffff; // RFC 768: zero means no checksum
    memcpy(udp + 6, &value, 2);
    end(capture, time, ETHERNET + IPV4 + UDP + length);
}

void fragment_send(struct capture *capture, uint64_t time, struct host *from, const struct host *to, unsigned offset,
                   int more, const uint8_t *payload, size_t length) {
    uint8_t *frame = begin(capture) + RECORD_HEADER;
    network(frame, from, to, 17, length);
    uint8_t *ip = frame + ETHERNET;
    put16(ip + 6, (more ? 0x2000 : 0) | offset / 8);
    put16(ip + 10, 0);
    uint16_t value = checksum(sum(0, ip, IPV4));
    memcpy(ip + 10, &value, 2);
    memcpy(ip + IPV4, payload, length);
    end(capture, time, ETHERNET + IPV4 + length);
}

void tcp_send(struct capture *capture, uint64_t time, struct tcp *tcp, int side, int flags, const void *payload,
              size_t length) {
    uint8_t *frame = begin(capture) + RECORD_HEADER;
    uint8_t *header = frame + ETHERNET + IPV4;
    uint8_t *option = header + TCP;
    if (flags & TCP_SYN) {
        put32(option, 0x020405b4); // maximum segment size 1460
        put32(option + 4, 0x0402080a); // SACK permitted, timestamps
        option += 8;
    } else {
        put32(option, 0x0101080a); // two NOPs, timestamps
        option += 4;
    }
    uint32_t now = (uint32_t)(time / 1000);
    put32(option, now);
    put32(option + 4, flags & TCP_ACK ? now - 1 : 0);
    option += 8;
    if (flags & TCP_SYN) {
        put32(option, 0x01030307); // NOP, window scale 7
        option += 4;
    }
    size_t size = (size_t)(option - header);
    uint64_t pseudo = network(frame, tcp->side[side].host, tcp->side[!side].host, 6, size + length);
    put16(header, tcp->side[side].port);
    put16(header + 2, tcp->side[!side].port);
    put32(header + 4, tcp->next[side]);
    put32(header + 8, flags & TCP_ACK ? tcp->next[!side] : 0);
    header[12] = (uint8_t)(size << 2);
    header[13] = (uint8_t)flags;
    put16(header + 14, 64240);
    put32(header + 16, 0);
    memcpy(header + size, payload, length);
    uint16_t value = checksum(sum(pseudo, header, size + length));
    memcpy(header + 16, &value, 2);
    tcp->next[side] += (uint32_t)length + (flags & (TCP_SYN | TCP_FIN) ? 1 : 0);
    end(capture, time, ETHERNET + IPV4 + size + length);
}
