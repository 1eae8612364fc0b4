// RTMP publishers: handshake, commands, H.264 and AAC in FLV tags, deleteStream. Half of the connections have chunks of
// 128 octets, the others of 4096; every 16th has extended timestamps in all media messages. Of 1,000 media segments, one
// is reordered and one duplicated.

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "chunks.h"
#include "media.h"

enum {
    DEFAULT_CONNECTIONS = 200,
    MOST_CONNECTIONS = 40000,
    SERVERS = 8,
    CONNECTION_BEGIN_MICROSECONDS = 1500, // from one connection's start to the next
    BYTES_TO_CLOSE = 700,                 // average octets sent after the end is requested
    HANDSHAKE_PART = 1536,
    WINDOW = 500000,
    SEGMENTS_AN_ACKNOWLEDGEMENT = 2,
    SEGMENTS_A_STEP = 4,
    STEP_MICROSECONDS = 60, // between those
    FRAME_MICROSECONDS = 40000,
    FRAMES_BETWEEN_KEYFRAMES = 50,
    LARGEST_FRAME = 90000,
    FATES = 1000,
};

enum { CLIENT, SERVER };
enum { VIDEO, AUDIO, TRACKS };
static const int chunk_streams[TRACKS] = {6, 4};
static const enum message_type message_types[TRACKS] = {VIDEO_MESSAGE, AUDIO_MESSAGE};

struct track {
    uint64_t messages, octets, keyframes, frames;
    uint32_t first, last; // timestamps
};

struct connection {
    uint32_t number;
    struct host client;
    struct host *server;
    struct tcp tcp;
    struct chunker side[2];
    struct track track[TRACKS];
    uint32_t base; // timestamp of the first frame
    int step;
    uint64_t start; // of the media
    uint8_t c1[HANDSHAKE_PART], s1[HANDSHAKE_PART];
    uint64_t received, acknowledged; // octets at the server
    int unacknowledged;              // segments
    uint8_t held[TCP_MSS];           // a segment to be sent late
    size_t held_length;
    uint32_t held_sequence;
    uint64_t late, again, again_octets;
};

static struct host servers[SERVERS];

// From FIRST_COMMAND on, client and server alternate.
enum {
    SYN,
    SYN_ACK,
    ESTABLISHED,
    C0_C1,
    S0_S1_S2,
    C2,
    FIRST_COMMAND,
    MEDIA = FIRST_COMMAND + 7,
    DRAIN,
    CLOSE,
    CLOSED = CLOSE + 4
};

static void send_at(struct world *world, struct connection *connection, uint32_t sequence, const uint8_t *bytes,
                    size_t length, uint64_t time) {
    uint32_t next = connection->tcp.next[CLIENT];
    connection->tcp.next[CLIENT] = sequence;
    tcp_send(&world->capture, time, &connection->tcp, CLIENT, TCP_ACK, bytes, length);
    connection->tcp.next[CLIENT] = next;
}

static void acknowledge(struct world *world, struct connection *connection, uint64_t time) {
    if (connection->held_length > 0) return; // octets are missing at the server
    struct chunker *server = &connection->side[SERVER];
    if (connection->received - connection->acknowledged >= WINDOW) {
        connection->acknowledged = connection->received;
        chunk_control(server, ACKNOWLEDGEMENT, (uint32_t)connection->received, -1);
        tcp_send(&world->capture, time, &connection->tcp, SERVER, TCP_PSH | TCP_ACK,
                 server->out.bytes + server->out.begin, octets_left(&server->out));
        octets_take(&server->out, octets_left(&server->out));
    } else if (connection->unacknowledged < SEGMENTS_AN_ACKNOWLEDGEMENT) {
        return;
    } else {
        tcp_send(&world->capture, time, &connection->tcp, SERVER, TCP_ACK, "", 0);
    }
    connection->unacknowledged = 0;
}

// Sends a segment of one side's pending octets.
static void send_segment(struct world *world, struct connection *connection, int side, uint64_t time) {
    struct octets *out = &connection->side[side].out;
    size_t length = octets_left(out) < TCP_MSS ? octets_left(out) : TCP_MSS;
    const uint8_t *bytes = out->bytes + out->begin;
    uint32_t sequence = connection->tcp.next[side];
    bool fragile = side == CLIENT && connection->step == MEDIA && connection->held_length == 0;
    uint32_t fate = fragile && !world->options.flawless ? random_below(world, FATES) : FATES;
    if (fate == 0) {
        memcpy(connection->held, bytes, length);
        connection->held_length = length;
        connection->held_sequence = sequence;
        connection->tcp.next[CLIENT] += (uint32_t)length;
        connection->late++;
    } else {
        bool last = length == octets_left(out);
        tcp_send(&world->capture, time, &connection->tcp, side, TCP_ACK | (last ? TCP_PSH : 0), bytes, length);
        if (fate == 1) {
            send_at(world, connection, sequence, bytes, length, time + 20);
            connection->again++;
            connection->again_octets += length;
        }
        if (side == CLIENT && connection->held_length > 0) {
            send_at(world, connection, connection->held_sequence, connection->held, connection->held_length, time + 20);
            connection->held_length = 0;
        }
    }
    octets_take(out, length);
    if (side == CLIENT) {
        connection->received += length;
        connection->unacknowledged++;
        if (connection->step >= MEDIA) acknowledge(world, connection, time + 30);
    }
}

static void send_all(struct world *world, struct connection *connection, int side, uint64_t time) {
    while (octets_left(&connection->side[side].out) > 0) send_segment(world, connection, side, time);
}

static void handshake(struct world *world, struct connection *connection, int step, uint64_t time) {
    struct octets *out = &connection->side[step == S0_S1_S2 ? SERVER : CLIENT].out;
    if (step == C2) {
        memcpy(octets_add(out, HANDSHAKE_PART), connection->s1, HANDSHAKE_PART);
        return;
    }
    uint8_t *part = step == C0_C1 ? connection->c1 : connection->s1;
    put32(part, (uint32_t)(time / 1000));
    put32(part + 4, 0);
    memcpy(part + 8, random_bytes(world), HANDSHAKE_PART - 8);
    *octets_add(out, 1) = 3;
    memcpy(octets_add(out, HANDSHAKE_PART), part, HANDSHAKE_PART);
    if (step == S0_S1_S2) memcpy(octets_add(out, HANDSHAKE_PART), connection->c1, HANDSHAKE_PART);
}

static void command(struct chunker *chunker, int chunk_stream, uint32_t stream, const uint8_t *begin,
                    const uint8_t *end) {
    chunk_message(chunker, chunk_stream, COMMAND_MESSAGE, stream, 0, begin, (size_t)(end - begin));
}

static uint8_t *pair(uint8_t *at, const char *name, const char *value) {
    return amf_string(amf_key(at, name), value);
}

static void named(struct chunker *chunker, const char *name, double transaction, const char *stream_name) {
    uint8_t payload[128];
    uint8_t *at = amf_null(amf_number(amf_string(payload, name), transaction));
    command(chunker, 3, 0, payload, stream_name ? amf_string(at, stream_name) : at);
}

static void status(struct chunker *chunker, const char *name, double transaction, int chunk_stream, uint32_t stream,
                   const char *code, const char *description) {
    uint8_t payload[256];
    uint8_t *at = amf_null(amf_number(amf_string(payload, name), transaction));
    at = pair(pair(pair(amf_begin(at), "level", "status"), "code", code), "description", description);
    command(chunker, chunk_stream, stream, payload, amf_end(at));
}

// Sizes and rates, as in the sequence headers.
static void configure(struct connection *connection) {
    struct chunker *client = &connection->side[CLIENT];
    uint8_t payload[256];
    uint8_t *at = amf_begin(amf_string(amf_string(payload, "@setDataFrame"), "onMetaData"));
    at = amf_number(amf_key(at, "width"), 1280);
    at = amf_number(amf_key(at, "height"), 720);
    at = amf_number(amf_key(at, "framerate"), 25);
    at = amf_number(amf_key(at, "videocodecid"), 7);
    at = amf_number(amf_key(at, "audiosamplerate"), 48000);
    at = amf_number(amf_key(at, "audiocodecid"), 10);
    at = amf_end(pair(at, "encoder", "benchmark"));
    chunk_message(client, 5, DATA_MESSAGE, 1, connection->base, payload, (size_t)(at - payload));
    // AVCDecoderConfigurationRecord (ISO/IEC 14496-15 section 5.3.3.1) in an AVC sequence header (FLV 10.1 E.4.3).
    uint8_t avc[] = {0x17, 0, 0, 0, 0, 1, h264_sps[1], h264_sps[2], h264_sps[3], 0xff, 0xe1, 0, sizeof h264_sps};
    memcpy(payload, avc, sizeof avc);
    memcpy(payload + sizeof avc, h264_sps, sizeof h264_sps);
    at = payload + sizeof avc + sizeof h264_sps;
    *at++ = 1;
    put16(at, sizeof h264_pps);
    memcpy(at + 2, h264_pps, sizeof h264_pps);
    size_t length = (size_t)(at + 2 + sizeof h264_pps - payload);
    chunk_message(client, chunk_streams[VIDEO], VIDEO_MESSAGE, 1, connection->base, payload, length);
    // AudioSpecificConfig (ISO/IEC 14496-3 section 1.6.2.1): AAC LC, 48 kHz, stereo.
    static const uint8_t aac[] = {0xaf, 0, 0x11, 0x90};
    chunk_message(client, chunk_streams[AUDIO], AUDIO_MESSAGE, 1, connection->base, aac, sizeof aac);
    connection->track[VIDEO] = (struct track){.messages = 1, .octets = length};
    connection->track[AUDIO] = (struct track){.messages = 1, .octets = sizeof aac};
}

// The next message in turn.
static void commands(struct connection *connection, int turn) {
    struct chunker *client = &connection->side[CLIENT], *server = &connection->side[SERVER];
    uint8_t payload[512];
    char name[32], url[64];
    uint32_t a = connection->server->address;
    snprintf(name, sizeof name, "camera-%u", connection->number);
    snprintf(url, sizeof url, "rtmp://%u.%u.%u.%u/live", a >> 24, a >> 16 & 255, a >> 8 & 255, a & 255);
    switch (turn) {
    case 0: {
        uint8_t *at = amf_begin(amf_number(amf_string(payload, "connect"), 1));
        at = pair(pair(at, "app", "live"), "type", "nonprivate");
        at = pair(pair(at, "flashVer", "FMLE/3.0 (compatible; benchmark)"), "tcUrl", url);
        command(client, 3, 0, payload, amf_end(at));
        break;
    }
    case 1:
        chunk_control(server, WINDOW_SIZE, WINDOW, -1);
        chunk_control(server, PEER_BANDWIDTH, WINDOW, 2);
        chunk_control(server, SET_CHUNK_SIZE, 4096, -1);
        status(server, "_result", 1, 3, 0, "NetConnection.Connect.Success", "Connection succeeded.");
        break;
    case 2:
        if (connection->number % 2 != 0) chunk_control(client, SET_CHUNK_SIZE, 4096, -1);
        named(client, "releaseStream", 2, name);
        named(client, "FCPublish", 3, name);
        named(client, "createStream", 4, NULL);
        break;
    case 3: {
        uint8_t *at = amf_null(amf_number(amf_string(payload, "_result"), 4));
        command(server, 3, 0, payload, amf_number(at, 1));
        break;
    }
    case 4: {
        uint8_t *at = amf_null(amf_number(amf_string(payload, "publish"), 5));
        command(client, 8, 1, payload, amf_string(amf_string(at, name), "live"));
        break;
    }
    case 5: status(server, "onStatus", 0, 5, 1, "NetStream.Publish.Start", "Start publishing"); break;
    default: configure(connection);
    }
}

static void finish(struct connection *connection) {
    char name[32];
    snprintf(name, sizeof name, "camera-%u", connection->number);
    named(&connection->side[CLIENT], "FCUnpublish", 6, name);
    uint8_t payload[64];
    uint8_t *at = amf_null(amf_number(amf_string(payload, "deleteStream"), 7));
    command(&connection->side[CLIENT], 3, 0, payload, amf_number(at, 1));
}

// The time of a track's next message, in microseconds since the start of the media.
static uint64_t due(const struct connection *connection, int track) {
    uint64_t frames = connection->track[track].frames;
    return track == VIDEO ? frames * FRAME_MICROSECONDS : frames * 1024 * 1000 / 48;
}

static void next_message(struct world *world, struct connection *connection, int number) {
    static uint8_t payload[9 + LARGEST_FRAME];
    struct track *track = &connection->track[number];
    bool keyframe = number == VIDEO && track->frames % FRAMES_BETWEEN_KEYFRAMES == 0;
    size_t size = number == AUDIO ? random_between(world, 180, 420)
                  : keyframe      ? random_between(world, 40000, LARGEST_FRAME)
                                  : random_between(world, 4000, 16000);
    // AUDIODATA, or VIDEODATA with one NAL unit after its length (FLV 10.1 E.4.2, E.4.3).
    size_t header = number == AUDIO ? 2 : 9;
    payload[0] = number == AUDIO ? 0xaf : keyframe ? 0x17 : 0x27;
    payload[1] = 1;
    if (number == VIDEO) {
        memset(payload + 2, 0, 3);
        put32(payload + 5, (uint32_t)size);
    }
    for (size_t done = 0; done < size; done += 2048) {
        memcpy(payload + header + done, random_bytes(world), size - done < 2048 ? size - done : 2048);
    }
    if (number == VIDEO) {
        payload[9] = keyframe ? 0x65 : 0x41;
        payload[10] = keyframe ? 0x88 : 0x9a;
    }
    uint32_t timestamp = connection->base + (uint32_t)(due(connection, number) / 1000);
    if (track->frames++ == 0) track->first = timestamp;
    track->last = timestamp;
    track->messages++;
    track->octets += header + size;
    track->keyframes += keyframe;
    chunk_message(&connection->side[CLIENT], chunk_streams[number], message_types[number], 1, timestamp, payload,
                  header + size);
}

// Sends pending octets, some segments at a time, so that connections interleave.
static uint64_t media_step(struct world *world, struct connection *connection, uint64_t now) {
    struct octets *out = &connection->side[CLIENT].out;
    if (octets_left(out) == 0) {
        if (world->closing && connection->track[VIDEO].frames > 1 && connection->track[AUDIO].frames > 1) {
            connection->step = DRAIN;
            return now + 1000;
        }
        next_message(world, connection, due(connection, VIDEO) <= due(connection, AUDIO) ? VIDEO : AUDIO);
    }
    for (int i = 0; i < SEGMENTS_A_STEP && octets_left(out) > 0; i++) {
        send_segment(world, connection, CLIENT, now + 12 * (uint64_t)i);
    }
    if (octets_left(out) > 0) return now + STEP_MICROSECONDS;
    uint64_t video = due(connection, VIDEO), audio = due(connection, AUDIO);
    uint64_t next = connection->start + (video < audio ? video : audio);
    return next > now + STEP_MICROSECONDS ? next : now + STEP_MICROSECONDS;
}

static uint64_t connection_step(struct world *world, struct actor *actor) {
    struct connection *connection = actor->self;
    struct capture *capture = &world->capture;
    struct tcp *tcp = &connection->tcp;
    uint64_t now = actor->when;
    int step = connection->step;
    if (step == MEDIA) return media_step(world, connection, now);
    if (step != CLOSED) connection->step++;
    switch (step) {
    case SYN: tcp_send(capture, now, tcp, CLIENT, TCP_SYN, "", 0); return now + 400;
    case SYN_ACK: tcp_send(capture, now, tcp, SERVER, TCP_SYN | TCP_ACK, "", 0); return now + 30;
    case ESTABLISHED: tcp_send(capture, now, tcp, CLIENT, TCP_ACK, "", 0); return now + 100;
    case C0_C1:
    case S0_S1_S2:
    case C2:
        handshake(world, connection, step, now);
        send_all(world, connection, step == S0_S1_S2 ? SERVER : CLIENT, now);
        return now + random_between(world, 500, 3000);
    case DRAIN:
        finish(connection);
        send_all(world, connection, CLIENT, now);
        return now + 500;
    case CLOSE: tcp_send(capture, now, tcp, CLIENT, TCP_FIN | TCP_ACK, "", 0); return now + 400;
    case CLOSE + 1: tcp_send(capture, now, tcp, SERVER, TCP_FIN | TCP_ACK, "", 0); return now + 30;
    case CLOSE + 2: tcp_send(capture, now, tcp, CLIENT, TCP_ACK, "", 0); return NEVER;
    default: {
        int turn = step - FIRST_COMMAND;
        commands(connection, turn);
        send_all(world, connection, turn % 2 == 0 ? CLIENT : SERVER, now);
        connection->start = now + 5000;
        return turn == MEDIA - FIRST_COMMAND - 1 ? connection->start : now + random_between(world, 500, 3000);
    }
    }
}

static void truth(const struct world *world, const struct connection *connections, size_t count) {
    uint64_t messages = 0, late = 0, again = 0, again_octets = 0;
    for (size_t i = 0; i < count; i++) {
        messages += connections[i].side[CLIENT].messages + connections[i].side[SERVER].messages;
        late += connections[i].late;
        again += connections[i].again;
        again_octets += connections[i].again_octets;
    }
    FILE *file = truth_open(world);
    fprintf(file, ",\n \"sessions\": %zu,\n \"directions\": %zu,\n \"messages\": %" PRIu64 ",\n \"handshakeParts\": %zu"
                  ",\n \"lateSegments\": %" PRIu64 ",\n \"repeatedSegments\": %" PRIu64
                  ",\n \"repeatedBytes\": %" PRIu64 ",\n \"streams\": [",
            count, 2 * count, messages, 6 * count, late, again, again_octets);
    for (size_t i = 0; i < count * TRACKS; i++) {
        const struct connection *connection = &connections[i / TRACKS];
        const struct track *track = &connection->track[i % TRACKS];
        fprintf(file, "%s\n  {", i > 0 ? "," : "");
        truth_endpoint(file, "source", &connection->tcp.side[CLIENT]);
        fprintf(file, ", ");
        truth_endpoint(file, "destination", &connection->tcp.side[SERVER]);
        fprintf(file,
                ", \"mediaType\": \"%s\", \"messageStreamId\": 1, \"messages\": %" PRIu64 ", \"payloadBytes\": %" PRIu64
                ", \"firstTimestamp\": %u, \"lastTimestamp\": %u",
                i % TRACKS == VIDEO ? "video" : "audio", track->messages, track->octets, track->first, track->last);
        if (i % TRACKS == VIDEO) fprintf(file, ", \"keyframes\": %" PRIu64, track->keyframes);
        fprintf(file, "}");
    }
    fprintf(file, "]");
    truth_close(file);
}

void generate_rtmp(struct world *world) {
    size_t count = world->options.count ? world->options.count : DEFAULT_CONNECTIONS;
    if (count > MOST_CONNECTIONS) {
        fprintf(stderr, "at most %d connections\n", MOST_CONNECTIONS);
        exit(64);
    }
    for (uint32_t i = 0; i < SERVERS; i++) servers[i].address = 0x0afa000a + i; // from 10.250.0.10
    struct connection *connections = allocate(count, sizeof *connections);
    for (size_t i = 0; i < count; i++) {
        struct connection *connection = &connections[i];
        connection->number = (uint32_t)i;
        connection->client.address = 0x0a010001 + (uint32_t)i; // from 10.1.0.1
        connection->server = &servers[i % SERVERS];
        connection->tcp.side[CLIENT] = (struct endpoint){&connection->client, (uint16_t)(50000 + i % 10000)};
        connection->tcp.side[SERVER] = (struct endpoint){connection->server, 1935};
        for (int side = 0; side < 2; side++) {
            connection->tcp.next[side] = random_below(world, UINT32_MAX);
            connection->side[side].chunk_size = 128;
        }
        connection->side[CLIENT].absolute = i % 16 == 15;
        connection->base = i % 16 == 15 ? 0x1000000 + random_below(world, 0x1000000) : 0;
        world_add(world, connection_step, connection, EPOCH + i * CONNECTION_BEGIN_MICROSECONDS);
    }
    uint64_t reserve = count * BYTES_TO_CLOSE;
    world_run(world, world->options.size > reserve ? world->options.size - reserve : 0);
    capture_close(&world->capture);
    truth(world, connections, count);
    for (size_t i = 0; i < count; i++) {
        for (int side = 0; side < 2; side++) free(connections[i].side[side].out.bytes);
    }
    free(connections);
}
