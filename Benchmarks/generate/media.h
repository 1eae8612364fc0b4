// RTP sources (H.264, AAC, PCMU), their reception state, and RTCP.

#ifndef MEDIA_H
#define MEDIA_H

#include "world.h"

enum encoding { H264, AAC, PCMU };

enum { LARGEST_RTP = 12 + 1400, LARGEST_RTCP = 128 };

struct media {
    enum encoding encoding;
    uint32_t ssrc;
    uint32_t clock_rate;
    uint8_t payload_type;
    uint32_t next_sequence; // extended to 32 bits; starts as a random 16-bit number
    uint64_t start; // when the first packet is sent
    uint32_t first_timestamp;
    uint32_t timestamp; // of the frame being sent
    uint64_t frames;    // started so far
    uint32_t packets, octets;
    // Video: the rest of the frame being sent.
    bool in_frame, parameters_sent, slice_begun;
    size_t nal_left;
    uint64_t frame_time;
};

// Reception state of a stream, for the ground truth and the receiver reports.
struct reception {
    bool started;
    uint32_t first, highest; // extended sequence numbers
    uint64_t packets, unique, duplicates, reordered;
    uint32_t transit, jitter16; // RFC 3550 appendix A.8, the jitter scaled by 16
    uint64_t expected_before, received_before;
    uint32_t last_report_middle; // of the NTP time in the last sender report
    uint64_t last_report_time;
};

void media_init(struct world *world, struct media *media, enum encoding encoding, uint32_t number);

// True between frames, where a stream can end.
bool media_at_frame(const struct media *media);

// Builds the next RTP packet; returns its length, and in `delay` the microseconds until the next one.
size_t media_next(struct world *world, struct media *media, uint8_t *packet, uint64_t *delay);

void reception_note(struct reception *reception, const struct media *media, uint32_t sequence, uint32_t timestamp,
                    uint64_t time, bool again);
uint64_t reception_expected(const struct reception *reception);

// Compound packets (RFC 3550 section 6.1). Each returns its length.
size_t rtcp_sender(uint8_t *packet, const struct media *media, struct reception *reception, uint64_t time, bool bye);
size_t rtcp_receiver(uint8_t *packet, const struct media *media, struct reception *reception, uint64_t time);

// Parameter sets of constrained baseline, level 3.1, 1280x720.
extern const uint8_t h264_sps[9];
extern const uint8_t h264_pps[4];
#define H264_SPROP "Z0LAH9oBQBbk,aM44gA=="

#endif
