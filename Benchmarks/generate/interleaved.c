// RTSP sessions with interleaved RTP and RTCP (RFC 2326 section 10.12). The server fills whole segments, so most frames
// cross segment boundaries.

#include <stdlib.h>
#include <string.h>

#include "session.h"

enum {
    DEFAULT_SESSIONS = 100,
    FRAME_HEADER = 4, // '$', channel, 16-bit length
    SEGMENTS_AN_ACKNOWLEDGEMENT = 2,
};

static void transport(const struct track *track, bool answer, char *text, size_t size) {
    int length = snprintf(text, size, "RTP/AVP/TCP;unicast;interleaved=%d-%d", 2 * track->index, 2 * track->index + 1);
    if (answer) snprintf(text + length, size - (size_t)length, ";ssrc=%08X", track->media.ssrc);
}

static void frame_header(uint8_t *at, int channel, size_t length) {
    at[0] = '$';
    at[1] = (uint8_t)channel;
    put16(at + 2, (uint32_t)length);
}

static void send_segment(struct world *world, struct session *session, size_t length, uint64_t time, bool push) {
    tcp_send(&world->capture, time, &session->control, SERVER, TCP_ACK | (push ? TCP_PSH : 0), session->waiting, length);
    session->waiting_length -= length;
    memmove(session->waiting, session->waiting + length, session->waiting_length);
    if (++session->unacknowledged == SEGMENTS_AN_ACKNOWLEDGEMENT) {
        tcp_send(&world->capture, time, &session->control, CLIENT, TCP_ACK, "", 0);
        session->unacknowledged = 0;
    }
}

static void send_full_segments(struct world *world, struct session *session, uint64_t time) {
    while (session->waiting_length >= TCP_MSS) send_segment(world, session, TCP_MSS, time, false);
}

static void send_rest(struct world *world, struct session *session, uint64_t time) {
    if (session->waiting_length > 0) send_segment(world, session, session->waiting_length, time, true);
}

static void queue(struct world *world, struct session *session, int channel, const uint8_t *packet, size_t length,
                  uint64_t time) {
    // Less than a segment is pending between two calls, and a frame is shorter than two: the space suffices.
    uint8_t *at = session->waiting + session->waiting_length;
    frame_header(at, channel, length);
    memcpy(at + FRAME_HEADER, packet, length);
    session->waiting_length += FRAME_HEADER + length;
    send_full_segments(world, session, time);
}

static void rtp(struct world *world, struct track *track, const uint8_t *packet, size_t length, uint64_t time) {
    queue(world, track->session, 2 * track->index, packet, length, time);
    const struct media *media = &track->media;
    reception_note(&track->reception, media, media->next_sequence - 1, media->timestamp, time, false);
    // Occasionally a picture is flushed, as by a server with an empty queue.
    if (track->index == VIDEO && media_at_frame(media) && random_below(world, 4) == 0) {
        send_rest(world, track->session, time);
    }
}

static void rtcp(struct world *world, struct track *track, int from, const uint8_t *packet, size_t length,
                 uint64_t time) {
    struct session *session = track->session;
    int channel = 2 * track->index + 1;
    if (from == SERVER) {
        queue(world, session, channel, packet, length, time);
        // The BYE of the last track must be sent before the response to TEARDOWN.
        if (session->tracks_ended == TRACKS) send_rest(world, session, time);
        return;
    }
    uint8_t frame[FRAME_HEADER + LARGEST_RTCP];
    frame_header(frame, channel, length);
    memcpy(frame + FRAME_HEADER, packet, length);
    tcp_send(&world->capture, time, &session->control, CLIENT, TCP_ACK | TCP_PSH, frame, FRAME_HEADER + length);
    session->unacknowledged = 0;
}

static void ended(struct world *world, struct track *track, uint64_t time) {
    send_rest(world, track->session, time);
}

void generate_interleaved(struct world *world) {
    static const struct carriage carriage = {transport, rtp, rtcp, ended};
    size_t count = world->options.count ? world->options.count : DEFAULT_SESSIONS;
    struct session *sessions = sessions_run(world, &carriage, count);
    for (size_t i = 0; i < count * TRACKS; i++) {
        struct track *track = &sessions[i / TRACKS].track[i % TRACKS];
        track->source = sessions[i / TRACKS].control.side[SERVER];
        track->destination = sessions[i / TRACKS].control.side[CLIENT];
    }
    sessions_truth(world, sessions, count, 2 * count);
    free(sessions);
}
