#include "session.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    SERVERS = 8,
    MOST_SESSIONS = 40000,
    SESSION_BEGIN_MICROSECONDS = 1000, // from one session's start to the next
    REPORT_MICROSECONDS = 250000,      // four kinds of report in turn, so each is sent once per second
    REPORT_KINDS = 4,
    BYTES_TO_CLOSE = 900, // average octets sent after the end is requested
};

static struct host servers[SERVERS];

// The steps of the control connection. Requests and responses are between `FIRST_REQUEST` and `CLOSE`.
enum {
    OPEN = 0,
    FIRST_REQUEST = 3,
    PLAY_ANSWER = FIRST_REQUEST + 9,
    ACKNOWLEDGE_PLAY,
    TEARDOWN,
    BYE,
    TEARDOWN_ANSWER,
    CLOSE
};

enum method { OPTIONS, DESCRIBE, SETUP_VIDEO, SETUP_AUDIO, PLAY, TEARDOWN_METHOD };

static const char *const method_names[] = {"OPTIONS", "DESCRIBE", "SETUP", "SETUP", "PLAY", "TEARDOWN"};

static void uri(const struct session *session, char *text, size_t size) {
    uint32_t a = session->server->address;
    snprintf(text, size, "rtsp://%u.%u.%u.%u/camera/%u", a >> 24, a >> 16 & 255, a >> 8 & 255, a & 255,
             session->number);
}

static int describe(const struct session *session, char *text, size_t size) {
    bool aac = session->track[AUDIO].media.encoding == AAC;
    uint32_t a = session->server->address;
    return snprintf(text, size,
                    "v=0\r\no=- %u 1 IN IP4 %u.%u.%u.%u\r\ns=Camera %u\r\nc=IN IP4 0.0.0.0\r\nt=0 0\r\n"
                    "a=control:*\r\nm=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\n"
                    "a=fmtp:96 packetization-mode=1;profile-level-id=42c01f;sprop-parameter-sets=" H264_SPROP "\r\n"
                    "a=framerate:25\r\na=control:track0\r\n%sa=control:track1\r\n",
                    1000 + session->number, a >> 24, a >> 16 & 255, a >> 8 & 255, a & 255, session->number,
                    aac ? "m=audio 0 RTP/AVP 97\r\na=rtpmap:97 MPEG4-GENERIC/48000/2\r\n"
                          "a=fmtp:97 streamtype=5;profile-level-id=15;mode=AAC-hbr;sizelength=13;indexlength=3;"
                          "indexdeltalength=3;config=1190\r\n"
                        : "m=audio 0 RTP/AVP 0\r\na=rtpmap:0 PCMU/8000\r\n");
}

static int request(const struct session *session, enum method method, char *text, size_t size) {
    char target[64], extra[160] = "";
    uri(session, target, sizeof target);
    if (method == DESCRIBE) snprintf(extra, sizeof extra, "Accept: application/sdp\r\n");
    if (method == SETUP_VIDEO || method == SETUP_AUDIO) {
        const struct track *track = &session->track[method - SETUP_VIDEO];
        char transport[100];
        session->carriage->transport(track, false, transport, sizeof transport);
        snprintf(extra, sizeof extra, "Transport: %s\r\n", transport);
        snprintf(target + strlen(target), sizeof target - strlen(target), "/track%d", track->index);
    }
    if (method == PLAY) snprintf(extra, sizeof extra, "Range: npt=0.000-\r\n");
    char identifier[32] = "";
    if (method > SETUP_VIDEO) snprintf(identifier, sizeof identifier, "Session: %08x\r\n", session->identifier);
    return snprintf(text, size, "%s %s RTSP/1.0\r\nCSeq: %d\r\nUser-Agent: benchmark/1\r\n%s%s\r\n",
                    method_names[method], target, method + 1, identifier, extra);
}

static int answer(const struct session *session, enum method method, char *text, size_t size) {
    char target[64], extra[400] = "", body[700] = "";
    uri(session, target, sizeof target);
    if (method == OPTIONS) {
        snprintf(extra, sizeof extra, "Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\r\n");
    }
    if (method == DESCRIBE) {
        int length = describe(session, body, sizeof body);
        snprintf(extra, sizeof extra, "Content-Base: %s/\r\nContent-Type: application/sdp\r\nContent-Length: %d\r\n",
                 target, length);
    }
    if (method == SETUP_VIDEO || method == SETUP_AUDIO) {
        char transport[200];
        session->carriage->transport(&session->track[method - SETUP_VIDEO], true, transport, sizeof transport);
        snprintf(extra, sizeof extra, "Transport: %s\r\n", transport);
    }
    if (method == PLAY) {
        const struct media *video = &session->track[VIDEO].media, *audio = &session->track[AUDIO].media;
        snprintf(extra, sizeof extra,
                 "Range: npt=0.000-\r\nRTP-Info: url=%s/track0;seq=%u;rtptime=%u,url=%s/track1;seq=%u;rtptime=%u\r\n",
                 target, video->next_sequence, video->first_timestamp, target, audio->next_sequence,
                 audio->first_timestamp);
    }
    char identifier[48] = "";
    if (method >= SETUP_VIDEO) {
        snprintf(identifier, sizeof identifier, "Session: %08x%s\r\n", session->identifier,
                 method <= SETUP_AUDIO ? ";timeout=60" : "");
    }
    return snprintf(text, size, "RTSP/1.0 200 OK\r\nCSeq: %d\r\nServer: benchmark/1\r\n%s%s\r\n%s", method + 1,
                    identifier, extra, body);
}

static uint64_t report_step(struct world *world, struct actor *actor) {
    struct session *session = actor->self;
    if (session->tracks_ended == TRACKS) return NEVER;
    struct track *track = &session->track[session->report % REPORT_KINDS / 2];
    int from = session->report++ % 2 == 0 ? SERVER : CLIENT;
    if (track->reception.started) {
        uint8_t packet[LARGEST_RTCP];
        size_t length = from == SERVER
                            ? rtcp_sender(packet, &track->media, &track->reception, actor->when, false)
                            : rtcp_receiver(packet, &track->media, &track->reception, actor->when);
        session->carriage->rtcp(world, track, from, packet, length, actor->when);
    }
    return actor->when + REPORT_MICROSECONDS;
}

static step_function session_step;

static uint64_t track_step(struct world *world, struct actor *actor) {
    struct track *track = actor->self;
    struct session *session = track->session;
    if (world->closing && media_at_frame(&track->media) && track->media.frames > 1) {
        session->carriage->ended(world, track, actor->when);
        if (++session->tracks_ended == TRACKS) world_add(world, session_step, session, actor->when + 2000);
        return NEVER;
    }
    uint8_t packet[LARGEST_RTP];
    uint64_t delay;
    size_t length = media_next(world, &track->media, packet, &delay);
    session->carriage->rtp(world, track, packet, length, actor->when);
    return actor->when + delay;
}

static void begin_media(struct world *world, struct session *session, uint64_t time) {
    for (int i = 0; i < TRACKS; i++) {
        session->track[i].media.start = time + 5000 + 3000 * (uint64_t)i;
        world_add(world, track_step, &session->track[i], session->track[i].media.start);
    }
    world_add(world, report_step, session, time + 60000 + random_below(world, 100000));
}

static uint64_t session_step(struct world *world, struct actor *actor) {
    struct session *session = actor->self;
    struct tcp *tcp = &session->control;
    struct capture *capture = &world->capture;
    uint64_t now = actor->when;
    char text[1400];
    int step = session->step++;
    switch (step) {
    case OPEN: tcp_send(capture, now, tcp, CLIENT, TCP_SYN, "", 0); return now + 400;
    case OPEN + 1: tcp_send(capture, now, tcp, SERVER, TCP_SYN | TCP_ACK, "", 0); return now + 30;
    case OPEN + 2:
    case ACKNOWLEDGE_PLAY:
        tcp_send(capture, now, tcp, CLIENT, TCP_ACK, "", 0);
        return step == ACKNOWLEDGE_PLAY ? NEVER : now + 200;
    case BYE:
        for (int i = 0; i < TRACKS; i++) {
            struct track *track = &session->track[i];
            uint8_t packet[LARGEST_RTCP];
            size_t length = rtcp_sender(packet, &track->media, &track->reception, now, true);
            session->carriage->rtcp(world, track, SERVER, packet, length, now);
        }
        return now + 200;
    case TEARDOWN:
    case TEARDOWN_ANSWER: {
        int length = step == TEARDOWN ? request(session, TEARDOWN_METHOD, text, sizeof text)
                                      : answer(session, TEARDOWN_METHOD, text, sizeof text);
        tcp_send(capture, now, tcp, step == TEARDOWN ? CLIENT : SERVER, TCP_PSH | TCP_ACK, text, (size_t)length);
        return now + random_between(world, 800, 3000);
    }
    case CLOSE: tcp_send(capture, now, tcp, CLIENT, TCP_FIN | TCP_ACK, "", 0); return now + 400;
    case CLOSE + 1: tcp_send(capture, now, tcp, SERVER, TCP_FIN | TCP_ACK, "", 0); return now + 30;
    case CLOSE + 2: tcp_send(capture, now, tcp, CLIENT, TCP_ACK, "", 0); return NEVER;
    default: {
        enum method method = (enum method)((step - FIRST_REQUEST) / 2);
        bool asks = (step - FIRST_REQUEST) % 2 == 0;
        int length = asks ? request(session, method, text, sizeof text) : answer(session, method, text, sizeof text);
        tcp_send(capture, now, tcp, asks ? CLIENT : SERVER, TCP_PSH | TCP_ACK, text, (size_t)length);
        if (step == PLAY_ANSWER) begin_media(world, session, now);
        return now + random_between(world, 500, 3000);
    }
    }
}

struct session *sessions_run(struct world *world, const struct carriage *carriage, size_t count) {
    if (count > MOST_SESSIONS) {
        fprintf(stderr, "at most %d sessions\n", MOST_SESSIONS);
        exit(64);
    }
    for (uint32_t i = 0; i < SERVERS; i++) servers[i].address = 0x0afa000a + i; // from 10.250.0.10
    struct session *sessions = allocate(count, sizeof *sessions);
    for (size_t i = 0; i < count; i++) {
        struct session *session = &sessions[i];
        session->number = (uint32_t)i;
        session->carriage = carriage;
        session->client.address = 0x0a010001 + (uint32_t)i; // from 10.1.0.1
        session->server = &servers[i % SERVERS];
        session->identifier = random_below(world, UINT32_MAX);
        session->control.side[CLIENT] = (struct endpoint){&session->client, (uint16_t)(50000 + i % 10000)};
        session->control.side[SERVER] = (struct endpoint){session->server, 554};
        for (int side = 0; side < 2; side++) session->control.next[side] = random_below(world, UINT32_MAX);
        for (int t = 0; t < TRACKS; t++) {
            struct track *track = &session->track[t];
            track->session = session;
            track->index = t;
            track->source = (struct endpoint){session->server, (uint16_t)(20000 + i / SERVERS * 4 + 2 * (size_t)t)};
            track->destination = (struct endpoint){&session->client, (uint16_t)(40000 + 2 * t)};
            enum encoding audio = i % 2 == 0 ? AAC : PCMU;
            media_init(world, &track->media, t == VIDEO ? H264 : audio, (uint32_t)(i * TRACKS) + (uint32_t)t);
        }
        world_add(world, session_step, session, EPOCH + i * SESSION_BEGIN_MICROSECONDS);
    }
    uint64_t reserve = count * BYTES_TO_CLOSE;
    world_run(world, world->options.size > reserve ? world->options.size - reserve : 0);
    capture_close(&world->capture);
    return sessions;
}

void sessions_truth(const struct world *world, const struct session *sessions, size_t count, uint64_t directions) {
    static const char *const encodings[] = {[H264] = "H264", [AAC] = "MPEG4-GENERIC", [PCMU] = "PCMU"};
    FILE *truth = truth_open(world);
    fprintf(truth, ",\n \"sessions\": %zu,\n \"directions\": %" PRIu64 ",\n \"streams\": [", count, directions);
    for (size_t i = 0; i < count * TRACKS; i++) {
        const struct track *track = &sessions[i / TRACKS].track[i % TRACKS];
        const struct reception *reception = &track->reception;
        uint64_t expected = reception_expected(reception);
        fprintf(truth, "%s\n  {\"ssrc\": \"0x%08x\", ", i > 0 ? "," : "", track->media.ssrc);
        truth_endpoint(truth, "source", &track->source);
        fprintf(truth, ", ");
        truth_endpoint(truth, "destination", &track->destination);
        fprintf(truth,
                ", \"encoding\": \"%s\", \"payloadType\": %u, \"packets\": %" PRIu64 ", \"expected\": %" PRIu64
                ", \"lost\": %" PRIu64 ", \"duplicates\": %" PRIu64 ", \"reordered\": %" PRIu64
                ", \"firstSequence\": %u, \"lastSequence\": %u}",
                encodings[track->media.encoding], track->media.payload_type, reception->packets, expected,
                expected - reception->unique, reception->duplicates, reception->reordered, reception->first & 0xffff,
                reception->highest & 0xffff);
    }
    fprintf(truth, "]");
    truth_close(truth);
}
