// RTSP sessions with RTP and RTCP over UDP, through a network that loses, duplicates and delays packets.

#include <stdlib.h>
#include <string.h>

#include "session.h"

enum {
    DEFAULT_SESSIONS = 500,
    DIRECTIONS_A_SESSION = 2 + TRACKS * 3, // TCP; for each track RTP, and RTCP in both directions
    UNHARMED = 3,                          // packets at the start of a stream, so that RTP-Info stays correct
};

static void transport(const struct track *track, bool answer, char *text, size_t size) {
    int length = snprintf(text, size, "RTP/AVP;unicast;client_port=%u-%u", track->destination.port,
                          track->destination.port + 1);
    if (answer) {
        snprintf(text + length, size - (size_t)length, ";server_port=%u-%u;ssrc=%08X", track->source.port,
                 track->source.port + 1, track->media.ssrc);
    }
}

static void send_rtp(struct world *world, struct track *track, const uint8_t *packet, size_t length, uint64_t time,
                     uint32_t sequence, uint32_t timestamp, bool again) {
    udp_send(&world->capture, time, &track->source, &track->destination, packet, length);
    reception_note(&track->reception, &track->media, sequence, timestamp, time, again);
}

static void send_held(struct world *world, struct track *track, uint64_t time) {
    if (track->held_length == 0) return;
    send_rtp(world, track, track->held, track->held_length, time, track->held_sequence, track->held_timestamp, false);
    track->held_length = 0;
}

// Of 200 packets one is lost, one duplicated (with a new IPv4 identification: by the network, not by the capture), and
// one reordered.
static void rtp(struct world *world, struct track *track, const uint8_t *packet, size_t length, uint64_t time) {
    uint32_t sequence = track->media.next_sequence - 1;
    uint32_t timestamp = track->media.timestamp;
    uint32_t fate = world->options.flawless || track->media.packets <= UNHARMED ? UINT32_MAX : random_below(world, 200);
    if (fate == 0) return;
    if (fate == 1 && track->held_length == 0) {
        memcpy(track->held, packet, length);
        track->held_length = length;
        track->held_sequence = sequence;
        track->held_timestamp = timestamp;
        return;
    }
    send_rtp(world, track, packet, length, time, sequence, timestamp, false);
    if (fate == 2) send_rtp(world, track, packet, length, time + 3, sequence, timestamp, true);
    send_held(world, track, time + 5);
}

static void rtcp(struct world *world, struct track *track, int from, const uint8_t *packet, size_t length,
                 uint64_t time) {
    struct endpoint source = track->source, destination = track->destination;
    source.port++;
    destination.port++;
    udp_send(&world->capture, time, from == SERVER ? &source : &destination, from == SERVER ? &destination : &source,
             packet, length);
}

void generate_rtp(struct world *world) {
    static const struct carriage carriage = {transport, rtp, rtcp, send_held};
    size_t count = world->options.count ? world->options.count : DEFAULT_SESSIONS;
    struct session *sessions = sessions_run(world, &carriage, count);
    sessions_truth(world, sessions, count, count * DIRECTIONS_A_SESSION);
    free(sessions);
}
