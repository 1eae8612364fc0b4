// Traffic that strains a long-running capture: unanswered SYNs, incomplete fragments, UDP flows of one packet, half-open
// RTSP connections, and short healthy sessions among them. All have constant rates, so that the number of open flows is
// constant; or one kind alone, as a flood. Ground truth: counts of each.

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "world.h"

enum trouble { SYN, FRAGMENT, DATAGRAM, HALF_OPEN, SESSION, TROUBLES };

static const struct {
    const char *name;
    unsigned each_second; // at --count 100
} rates[TROUBLES] = {
    {"syns", 500}, {"fragments", 200}, {"datagrams", 500}, {"halfOpen", 20}, {"sessions", 5},
};

enum { CLIENT, SERVER, RTP_PACKETS = 60, RTP_MICROSECONDS = 40000, RTP_LENGTH = 172 };

static uint64_t made[TROUBLES];
static struct host camera = {0x0afa000a, 0}; // 10.250.0.10

enum { FLOOD_RATE = 100000 }; // per second

static bool is_alone(const struct world *world, enum trouble trouble) {
    return strcmp(world->options.kind, rates[trouble].name) == 0;
}

static uint64_t interval(struct world *world, enum trouble trouble) {
    uint64_t count = world->options.count;
    uint64_t each_second = is_alone(world, trouble) ? (count ? count : FLOOD_RATE)
                                                    : rates[trouble].each_second * (count ? count : 100) / 100;
    return each_second == 0 ? 1000000 : each_second > 1000000 ? 1 : 1000000 / each_second;
}

static struct host stranger(struct world *world) {
    return (struct host){0x0b000000 + random_below(world, 1 << 24), (uint16_t)random_below(world, 65536)};
}

static uint64_t again(struct world *world, struct actor *actor, enum trouble trouble) {
    made[trouble]++;
    return world->closing ? NEVER : actor->when + interval(world, trouble);
}

static uint64_t syn_step(struct world *world, struct actor *actor) {
    struct host from = stranger(world), to = stranger(world);
    struct tcp tcp = {{{&from, (uint16_t)random_between(world, 1024, 65535)},
                       {&to, (uint16_t)random_between(world, 1, 65535)}},
                      {random_below(world, UINT32_MAX), 0}};
    tcp_send(&world->capture, actor->when, &tcp, CLIENT, TCP_SYN, "", 0);
    return again(world, actor, SYN);
}

static uint64_t fragment_step(struct world *world, struct actor *actor) {
    struct host from = stranger(world);
    bool first = random_below(world, 2) == 0;
    fragment_send(&world->capture, actor->when, &from, &camera, first ? 0 : 1480, first, random_bytes(world), 640);
    return again(world, actor, FRAGMENT);
}

static uint64_t datagram_step(struct world *world, struct actor *actor) {
    struct host from = stranger(world), to = stranger(world);
    struct endpoint ends[2] = {{&from, (uint16_t)random_between(world, 1024, 65535)},
                               {&to, (uint16_t)random_between(world, 1024, 65535)}};
    uint8_t payload[RTP_LENGTH];
    memcpy(payload, random_bytes(world), sizeof payload);
    if (random_below(world, 4) == 0) payload[0] = 0x80, payload[1] = 0; // could be RTP
    udp_send(&world->capture, actor->when, &ends[0], &ends[1], payload, random_between(world, 12, sizeof payload));
    return again(world, actor, DATAGRAM);
}

// One client: connects, and either stops at some step or completes a session.
struct visit {
    struct host host;
    struct tcp tcp;
    int step, last;
    uint32_t identifier, ssrc, packets;
    uint16_t port;
};

enum { CONNECT = 0, ASK = 3, MEDIA = ASK + 8, TEARDOWN, CLOSE = TEARDOWN + 2, GONE = CLOSE + 3 };

static const char *const methods[] = {"OPTIONS", "DESCRIBE", "SETUP", "PLAY", "TEARDOWN"};

static void say(struct world *world, struct visit *visit, uint64_t now, int side, int method) {
    static const char description[] =
        "v=0\r\no=- 1 1 IN IP4 10.250.0.10\r\ns=Camera\r\nc=IN IP4 0.0.0.0\r\nt=0 0\r\na=control:*\r\n"
        "m=audio 0 RTP/AVP 0\r\na=rtpmap:0 PCMU/8000\r\na=control:track0\r\n";
    char text[900], extra[300] = "", session[40] = "";
    const char *body = "";
    if (method > 2 || (method == 2 && side == SERVER)) {
        snprintf(session, sizeof session, "Session: %08x\r\n", visit->identifier);
    }
    if (method == 0 && side == SERVER) {
        snprintf(extra, sizeof extra, "Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\r\n");
    }
    if (method == 1 && side == CLIENT) snprintf(extra, sizeof extra, "Accept: application/sdp\r\n");
    if (method == 1 && side == SERVER) {
        body = description;
        snprintf(extra, sizeof extra,
                 "Content-Base: rtsp://10.250.0.10/live/\r\nContent-Type: application/sdp\r\nContent-Length: %zu\r\n",
                 sizeof description - 1);
    }
    if (method == 2) {
        snprintf(extra, sizeof extra, "Transport: RTP/AVP;unicast;client_port=%u-%u%s\r\n", visit->port,
                 visit->port + 1, side == SERVER ? ";server_port=30000-30001" : "");
    }
    int length;
    if (side == CLIENT) {
        length = snprintf(text, sizeof text, "%s rtsp://10.250.0.10/live%s RTSP/1.0\r\nCSeq: %d\r\n%s%s\r\n",
                          methods[method], method == 2 ? "/track0" : "", method + 1, extra, session);
    } else {
        length = snprintf(text, sizeof text, "RTSP/1.0 200 OK\r\nCSeq: %d\r\n%s%s\r\n%s", method + 1, extra, session,
                          body);
    }
    tcp_send(&world->capture, now, &visit->tcp, side, TCP_PSH | TCP_ACK, text, (size_t)length);
}

static void media(struct world *world, struct visit *visit, uint64_t now) {
    struct endpoint from = {&camera, 30000}, to = {&visit->host, visit->port};
    uint8_t packet[RTP_LENGTH];
    memcpy(packet, random_bytes(world), sizeof packet);
    packet[0] = 0x80;
    packet[1] = 0;
    put16(packet + 2, visit->packets);
    put32(packet + 4, visit->packets * 320);
    put32(packet + 8, visit->ssrc);
    udp_send(&world->capture, now, &from, &to, packet, sizeof packet);
}

static uint64_t visit_step(struct world *world, struct actor *actor) {
    struct visit *visit = actor->self;
    struct capture *capture = &world->capture;
    uint64_t now = actor->when;
    int step = visit->step++;
    if (step == visit->last || step == GONE) {
        free(visit);
        return NEVER;
    }
    switch (step) {
    case CONNECT: tcp_send(capture, now, &visit->tcp, CLIENT, TCP_SYN, "", 0); break;
    case CONNECT + 1: tcp_send(capture, now, &visit->tcp, SERVER, TCP_SYN | TCP_ACK, "", 0); break;
    case CONNECT + 2: tcp_send(capture, now, &visit->tcp, CLIENT, TCP_ACK, "", 0); break;
    case MEDIA:
        media(world, visit, now);
        if (++visit->packets < RTP_PACKETS) {
            visit->step--;
            return now + RTP_MICROSECONDS;
        }
        break;
    case TEARDOWN:
    case TEARDOWN + 1: say(world, visit, now, step - TEARDOWN, 4); break;
    case CLOSE: tcp_send(capture, now, &visit->tcp, CLIENT, TCP_FIN | TCP_ACK, "", 0); break;
    case CLOSE + 1: tcp_send(capture, now, &visit->tcp, SERVER, TCP_FIN | TCP_ACK, "", 0); break;
    case CLOSE + 2: tcp_send(capture, now, &visit->tcp, CLIENT, TCP_ACK, "", 0); break;
    default: say(world, visit, now, (step - ASK) % 2, (step - ASK) / 2); break;
    }
    return now + 2000;
}

static void visit(struct world *world, uint64_t now, int last) {
    struct visit *visit = allocate(1, sizeof *visit);
    visit->host = stranger(world);
    visit->port = (uint16_t)(2 * random_between(world, 10000, 30000));
    visit->tcp.side[CLIENT] = (struct endpoint){&visit->host, (uint16_t)random_between(world, 1024, 65535)};
    visit->tcp.side[SERVER] = (struct endpoint){&camera, 554};
    for (int side = 0; side < 2; side++) visit->tcp.next[side] = random_below(world, UINT32_MAX);
    visit->identifier = random_below(world, UINT32_MAX);
    visit->ssrc = random_below(world, UINT32_MAX);
    visit->last = last;
    world_add(world, visit_step, visit, now);
}

static uint64_t half_open_step(struct world *world, struct actor *actor) {
    // After any step up to the response to SETUP.
    visit(world, actor->when, (int)random_between(world, CONNECT + 2, ASK + 6));
    return again(world, actor, HALF_OPEN);
}

static uint64_t session_step(struct world *world, struct actor *actor) {
    visit(world, actor->when, GONE);
    return again(world, actor, SESSION);
}

void generate_churn(struct world *world) {
    static step_function *const steps[TROUBLES] = {syn_step, fragment_step, datagram_step, half_open_step,
                                                   session_step};
    bool is_flood = strcmp(world->options.kind, "churn") != 0;
    for (int i = 0; i < TROUBLES; i++) {
        if (!is_flood || is_alone(world, i)) world_add(world, steps[i], NULL, EPOCH + (uint64_t)i * 100);
    }
    world_run(world, world->options.size);
    capture_close(&world->capture);
    FILE *truth = truth_open(world);
    for (int i = 0; i < TROUBLES; i++) fprintf(truth, ",\n \"%s\": %" PRIu64, rates[i].name, made[i]);
    truth_close(truth);
}
