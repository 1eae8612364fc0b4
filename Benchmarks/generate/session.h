// An RTSP session: OPTIONS, DESCRIBE, SETUP twice, PLAY, media until the capture is full, TEARDOWN. The
// carriage transports its media.

#ifndef SESSION_H
#define SESSION_H

#include "media.h"

enum { VIDEO, AUDIO, TRACKS };
enum { CLIENT, SERVER };

struct session;

struct track {
    struct session *session;
    int index;
    struct media media;
    struct reception reception;
    // Ports or channels of RTP; RTCP uses the next higher ones.
    struct endpoint source, destination;
    uint8_t held[LARGEST_RTP]; // a packet to be sent late
    size_t held_length;
    uint32_t held_sequence, held_timestamp;
};

// The operations of a media transport.
struct carriage {
    void (*transport)(const struct track *track, bool answer, char *text, size_t size);
    void (*rtp)(struct world *world, struct track *track, const uint8_t *packet, size_t length, uint64_t time);
    void (*rtcp)(struct world *world, struct track *track, int from, const uint8_t *packet, size_t length,
                 uint64_t time);
    void (*ended)(struct world *world, struct track *track, uint64_t time); // after the last RTP packet
};

struct session {
    uint32_t number;
    const struct carriage *carriage;
    struct host client;
    struct host *server;
    struct tcp control;
    uint32_t identifier;
    int step, report;
    int tracks_ended;
    struct track track[TRACKS];
    // Interleaved: the server's pending octets, and the number of unacknowledged segments.
    uint8_t waiting[4096];
    size_t waiting_length;
    int unacknowledged;
};

// Creates the sessions, runs the simulation, and returns them for the ground truth.
struct session *sessions_run(struct world *world, const struct carriage *carriage, size_t count);

void sessions_truth(const struct world *world, const struct session *sessions, size_t count, uint64_t directions);

#endif
