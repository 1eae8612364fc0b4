// Background traffic: TLS, HTTP, DNS and QUIC-like flows, without media.

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "world.h"

enum {
    BYTES_A_FLOW = 5000,
    SLOTS = 2000, // flows open at the same time
    CLIENTS = 4096,
    SERVERS = 256,
    RESOLVER = SERVERS,
    FIRST_PORT = 16384,
    PAYLOAD = 1350, // of a large QUIC packet
    RECORD = 16384, // of a large TLS record
    RECORD_HEADER = 5,
};

static struct host clients[CLIENTS], servers[SERVERS + 1];

enum kind { TLS, HTTP, DNS, QUIC, KINDS };

static const char *const kind_names[KINDS] = {"tls", "http", "dns", "quic"};

// A slot has one flow at a time.
struct slot {
    enum kind kind;
    uint64_t flow;
    struct tcp tcp;     // DNS and QUIC use only its endpoints
    int step;
    size_t left;        // bytes that the server has yet to send
    size_t record_left; // of them in the current TLS record
    int unacknowledged;
    uint8_t connection[8];
};

static uint64_t flows_begun, flows_of_kind[KINDS];
static uint64_t bytes_a_flow = BYTES_A_FLOW;

static uint8_t *put(uint8_t *at, const void *bytes, size_t length) {
    memcpy(at, bytes, length);
    return at + length;
}

static int server_name(const struct slot *slot, char *name, size_t size) {
    return snprintf(name, size, "host%u.benchmark.example", (unsigned)(slot->flow % 5000));
}

// RFC 8446 section 4.1.2, with server_name, supported_groups, supported_versions and key_share.
static size_t client_hello(struct world *world, const struct slot *slot, uint8_t *message) {
    static const uint8_t suites[] = {0, 6, 0x13, 0x01, 0x13, 0x02, 0x13, 0x03, 1, 0};
    static const uint8_t groups_versions[] = {0, 10, 0, 4, 0, 2, 0, 29, 0, 43, 0, 3, 2, 3, 4};
    static const uint8_t share[] = {0, 51, 0, 38, 0, 36, 0, 29, 0, 32};
    char name[64];
    size_t length = (size_t)server_name(slot, name, sizeof name);
    uint8_t *at = message + 9; // after the headers of record and message
    put16(at, 0x0303);
    at = put(at + 2, random_bytes(world), 32);
    *at++ = 32;
    at = put(at, random_bytes(world), 32);
    at = put(at, suites, sizeof suites);
    uint8_t *extensions = at;
    at += 2;
    put16(at, 0);
    put16(at + 2, (uint32_t)length + 5);
    put16(at + 4, (uint32_t)length + 3);
    at[6] = 0;
    put16(at + 7, (uint32_t)length);
    at = put(at + 9, name, length);
    at = put(at, groups_versions, sizeof groups_versions);
    at = put(at, share, sizeof share);
    at = put(at, random_bytes(world), 32);
    put16(extensions, (uint32_t)(at - extensions - 2));
    size_t total = (size_t)(at - message);
    put32(message + 5, 1u << 24 | (uint32_t)(total - 9));
    message[0] = 22;
    put16(message + 1, 0x0301);
    put16(message + 3, (uint32_t)(total - RECORD_HEADER));
    return total;
}

static size_t server_hello(struct world *world, uint8_t *message) {
    static const uint8_t head[] = {22, 3, 3, 0, 122, 2, 0, 0, 118, 3, 3};
    static const uint8_t extensions[] = {0x13, 0x01, 0, 0, 46, 0, 43, 0, 2, 3, 4, 0, 51, 0, 36, 0, 29, 0, 32};
    static const uint8_t change_cipher_spec[] = {20, 3, 3, 0, 1, 1};
    uint8_t *at = put(message, head, sizeof head);
    at = put(at, random_bytes(world), 32);
    *at++ = 32;
    at = put(at, random_bytes(world), 32);
    at = put(at, extensions, sizeof extensions);
    at = put(at, random_bytes(world), 32);
    return (size_t)(put(at, change_cipher_spec, sizeof change_cipher_spec) - message);
}

// Fills a segment from the TLS records, starting new ones as needed.
static size_t record_bytes(struct world *world, struct slot *slot, uint8_t *at, size_t room) {
    size_t used = 0;
    while (slot->left > 0 && (slot->record_left > 0 || used + RECORD_HEADER < room)) {
        if (slot->record_left == 0) {
            slot->record_left = slot->left < RECORD ? slot->left : RECORD;
            at[used] = 23;
            put16(at + used + 1, 0x0303);
            put16(at + used + 3, (uint32_t)slot->record_left);
            used += RECORD_HEADER;
        }
        size_t count = slot->record_left < room - used ? slot->record_left : room - used;
        if (count == 0) break;
        memcpy(at + used, random_bytes(world), count);
        used += count;
        slot->record_left -= count;
        slot->left -= count;
    }
    return used;
}

static size_t http_request(const struct slot *slot, uint8_t *payload) {
    char name[64];
    server_name(slot, name, sizeof name);
    return (size_t)snprintf((char *)payload, TCP_MSS,
                            "GET /item/%" PRIu64 " HTTP/1.1\r\nHost: %s\r\nUser-Agent: benchmark/1\r\nAccept: */*\r\n"
                            "Connection: close\r\n\r\n",
                            slot->flow, name);
}

static size_t server_bytes(struct world *world, struct slot *slot, uint8_t *payload, bool first) {
    size_t used = 0;
    if (slot->kind == TLS) {
        if (first) used = server_hello(world, payload);
        return used + record_bytes(world, slot, payload + used, TCP_MSS - used);
    }
    if (first) {
        used = (size_t)snprintf((char *)payload, TCP_MSS,
                                "HTTP/1.1 200 OK\r\nServer: benchmark/1\r\nContent-Type: application/octet-stream\r\n"
                                "Content-Length: %zu\r\nConnection: close\r\n\r\n",
                                slot->left);
    }
    size_t count = slot->left < TCP_MSS - used ? slot->left : TCP_MSS - used;
    memcpy(payload + used, random_bytes(world), count);
    slot->left -= count;
    return used + count;
}

static void begin_flow(struct world *world, struct slot *slot);

// Ends the flow and, unless the capture is full, starts the next one in the same slot.
static uint64_t next_flow(struct world *world, struct slot *slot, uint64_t now) {
    if (flows_begun == world->options.count) return NEVER;
    begin_flow(world, slot);
    return now + random_between(world, 100, 20000);
}

static uint64_t tcp_step(struct world *world, struct slot *slot, uint64_t now) {
    enum { OPEN, ANSWERED, ACKNOWLEDGED, REQUEST, FIRST_DATA, DATA, CLOSE, CLOSED, LAST };
    struct capture *capture = &world->capture;
    struct tcp *tcp = &slot->tcp;
    uint8_t payload[TCP_MSS];
    switch (slot->step++) {
    case OPEN: tcp_send(capture, now, tcp, 0, TCP_SYN, "", 0); return now + random_between(world, 2000, 40000);
    case ANSWERED: tcp_send(capture, now, tcp, 1, TCP_SYN | TCP_ACK, "", 0); return now + 40;
    case ACKNOWLEDGED: tcp_send(capture, now, tcp, 0, TCP_ACK, "", 0); return now + 300;
    case REQUEST: {
        size_t length = slot->kind == TLS ? client_hello(world, slot, payload) : http_request(slot, payload);
        tcp_send(capture, now, tcp, 0, TCP_PSH | TCP_ACK, payload, length);
        return now + random_between(world, 5000, 60000);
    }
    case FIRST_DATA:
    case DATA: {
        size_t length = server_bytes(world, slot, payload, slot->step == DATA);
        tcp_send(capture, now, tcp, 1, TCP_ACK | (slot->left == 0 ? TCP_PSH : 0), payload, length);
        if (++slot->unacknowledged == 2 || slot->left == 0) {
            tcp_send(capture, now, tcp, 0, TCP_ACK, "", 0);
            slot->unacknowledged = 0;
        }
        slot->step = slot->left == 0 ? CLOSE : DATA;
        return now + random_between(world, 20, 400);
    }
    case CLOSE: tcp_send(capture, now, tcp, 1, TCP_FIN | TCP_ACK, "", 0); return now + 500;
    case CLOSED: tcp_send(capture, now, tcp, 0, TCP_FIN | TCP_ACK, "", 0); return now + 500;
    default: tcp_send(capture, now, tcp, 1, TCP_ACK, "", 0); return next_flow(world, slot, now);
    }
}

static uint64_t dns_step(struct world *world, struct slot *slot, uint64_t now) {
    bool answer = slot->step++ == 1;
    uint8_t message[512];
    char name[64];
    server_name(slot, name, sizeof name);
    put16(message, (uint32_t)(slot->flow & 0xffff));
    put16(message + 2, answer ? 0x8180 : 0x0100);
    put16(message + 4, 1);
    put16(message + 6, answer);
    put32(message + 8, 0);
    uint8_t *at = message + 12;
    for (const char *label = name; *label;) {
        size_t length = strcspn(label, ".");
        *at++ = (uint8_t)length;
        at = put(at, label, length);
        label += length + (label[length] == '.');
    }
    *at++ = 0;
    put32(at, 1 << 16 | 1); // A, IN
    at += 4;
    if (answer) {
        put16(at, 0xc00c); // the name of the question
        put32(at + 2, 1 << 16 | 1);
        put32(at + 6, 300);
        put16(at + 10, 4);
        put32(at + 12, servers[slot->flow % SERVERS].address);
        at += 16;
    }
    const struct endpoint *side = slot->tcp.side;
    udp_send(&world->capture, now, &side[answer], &side[!answer], message, (size_t)(at - message));
    return answer ? next_flow(world, slot, now) : now + random_between(world, 1000, 30000);
}

// QUIC packets (RFC 9000 section 17): a padded Initial in each direction, then short headers. The payload is random.
static uint64_t quic_step(struct world *world, struct slot *slot, uint64_t now) {
    int step = slot->step++;
    const struct endpoint *side = slot->tcp.side;
    uint8_t payload[PAYLOAD];
    bool from_server = step > 0;
    size_t length = 1200;
    memcpy(payload, random_bytes(world), sizeof payload);
    if (step <= 1) {
        payload[0] = (uint8_t)(0xc0 | (payload[0] & 0x0f)); // the form, fixed and type bits of an Initial
        put32(payload + 1, 1);
        payload[5] = 8;
        memcpy(payload + 6, slot->connection, 8);
        payload[14] = 0; // no source connection id
        payload[15] = 0; // no token
        put16(payload + 16, 0x4000 | (1200 - 18));
    } else {
        payload[0] = (uint8_t)(0x40 | (payload[0] & 0x3f));
        if (slot->unacknowledged == 4) { // an acknowledgement
            from_server = false;
            slot->unacknowledged = 0;
            length = 40;
        } else {
            length = slot->left < PAYLOAD - 40 ? slot->left + 40 : PAYLOAD;
            slot->left -= length - 40;
            slot->unacknowledged++;
        }
        if (!from_server) memcpy(payload + 1, slot->connection, 8);
    }
    udp_send(&world->capture, now, &side[from_server], &side[!from_server], payload, length);
    if (step > 0 && slot->left == 0) return next_flow(world, slot, now);
    return now + random_between(world, 50, step <= 1 ? 30000 : 400);
}

static uint64_t slot_step(struct world *world, struct actor *actor) {
    struct slot *slot = actor->self;
    switch (slot->kind) {
    case DNS: return dns_step(world, slot, actor->when);
    case QUIC: return quic_step(world, slot, actor->when);
    default: return tcp_step(world, slot, actor->when);
    }
}

static void begin_flow(struct world *world, struct slot *slot) {
    static const uint16_t ports[KINDS] = {[TLS] = 443, [HTTP] = 80, [DNS] = 53, [QUIC] = 443};
    memset(slot, 0, sizeof *slot);
    uint64_t flow = slot->flow = flows_begun++;
    uint32_t choice = random_below(world, 100);
    slot->kind = choice < 40 ? TLS : choice < 60 ? HTTP : choice < 75 ? QUIC : DNS;
    flows_of_kind[slot->kind]++;
    uint32_t server = slot->kind == DNS ? RESOLVER : random_below(world, SERVERS);
    // A client uses a new port for each flow, so no two flows share a 5-tuple.
    slot->tcp.side[0] = (struct endpoint){&clients[flow % CLIENTS], (uint16_t)(FIRST_PORT + flow / CLIENTS)};
    slot->tcp.side[1] = (struct endpoint){&servers[server], ports[slot->kind]};
    for (int side = 0; side < 2; side++) slot->tcp.next[side] = random_below(world, UINT32_MAX);
    slot->left = random_below(world, 10) > 0 ? random_between(world, 200, 4000) : random_between(world, 10000, 50000);
    slot->left = slot->left * bytes_a_flow / BYTES_A_FLOW;
    memcpy(slot->connection, random_bytes(world), 8);
}

void generate_noise(struct world *world) {
    struct options *options = &world->options;
    if (options->count == 0) options->count = options->size / BYTES_A_FLOW;
    else if (options->size / options->count > 0) bytes_a_flow = options->size / options->count;
    for (uint32_t i = 0; i < CLIENTS; i++) clients[i].address = 0x0a020000 + i; // from 10.2.0.0
    for (uint32_t i = 0; i <= SERVERS; i++) servers[i].address = 0x0afb0000 + i; // from 10.251.0.0
    struct slot *slots = allocate(SLOTS, sizeof *slots);
    for (size_t i = 0; i < SLOTS && flows_begun < options->count; i++) {
        begin_flow(world, &slots[i]);
        world_add(world, slot_step, &slots[i], EPOCH + i * 150);
    }
    world_run(world, UINT64_MAX);
    free(slots);
    capture_close(&world->capture);
    FILE *truth = truth_open(world);
    fprintf(truth, ",\n \"flows\": %" PRIu64 ",\n \"directions\": %" PRIu64 ",\n \"protocols\": {", flows_begun,
            2 * flows_begun);
    for (int i = 0; i < KINDS; i++) {
        fprintf(truth, "%s\"%s\": %" PRIu64, i > 0 ? ", " : "", kind_names[i], flows_of_kind[i]);
    }
    fprintf(truth, "},\n \"streams\": []");
    truth_close(truth);
}
