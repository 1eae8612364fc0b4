#include "media.h"

#include <string.h>

const uint8_t h264_sps[9] = {0x67, 0x42, 0xc0, 0x1f, 0xda, 0x01, 0x40, 0x16, 0xe4};
const uint8_t h264_pps[4] = {0x68, 0xce, 0x38, 0x80};

enum {
    HEADER = 12,
    LARGEST_PAYLOAD = LARGEST_RTP - HEADER,
    FRAME_MICROSECONDS = 40000,
    PACKET_MICROSECONDS = 12, // between packets of one frame
    FRAMES_BETWEEN_KEYFRAMES = 50,
};

void media_init(struct world *world, struct media *media, enum encoding encoding, uint32_t number) {
    static const uint32_t clock_rates[] = {[H264] = 90000, [AAC] = 48000, [PCMU] = 8000};
    static const uint8_t payload_types[] = {[H264] = 96, [AAC] = 97, [PCMU] = 0};
    memset(media, 0, sizeof *media);
    media->encoding = encoding;
    media->ssrc = number * 0x9e3779b1u ^ 0x5bd1e995u; // odd factor: distinct numbers give distinct SSRCs
    media->clock_rate = clock_rates[encoding];
    media->payload_type = payload_types[encoding];
    media->next_sequence = random_below(world, 65536);
    media->first_timestamp = random_below(world, UINT32_MAX);
    media->timestamp = media->first_timestamp;
}

bool media_at_frame(const struct media *media) {
    return !media->in_frame;
}

static void rtp_header(struct media *media, uint8_t *packet, bool marker) {
    packet[0] = 0x80;
    packet[1] = (uint8_t)(media->payload_type | (marker ? 0x80 : 0));
    put16(packet + 2, media->next_sequence++);
    put32(packet + 4, media->timestamp);
    put32(packet + 8, media->ssrc);
}

// RFC 6184: the parameter sets in a STAP-A, slices as single NAL units if they fit, otherwise as FU-A.
static size_t video_payload(struct world *world, struct media *media, uint8_t *payload, bool *last) {
    uint64_t since_keyframe = (media->frames - 1) % FRAMES_BETWEEN_KEYFRAMES;
    bool keyframe = since_keyframe == 0;
    if (keyframe && !media->parameters_sent) {
        media->parameters_sent = true;
        uint8_t *at = payload;
        *at++ = 0x78; // NRI 3, type 24
        put16(at, sizeof h264_sps);
        memcpy(at + 2, h264_sps, sizeof h264_sps);
        at += 2 + sizeof h264_sps;
        put16(at, sizeof h264_pps);
        memcpy(at + 2, h264_pps, sizeof h264_pps);
        *last = false;
        return (size_t)(at + 2 + sizeof h264_pps - payload);
    }
    uint8_t nal = keyframe ? 0x65 : 0x41;
    bool first = !media->slice_begun;
    bool whole = first && media->nal_left + 1 <= LARGEST_PAYLOAD;
    size_t header = whole ? 1 : 2;
    size_t count = LARGEST_PAYLOAD - header < media->nal_left ? LARGEST_PAYLOAD - header : media->nal_left;
    media->nal_left -= count;
    media->slice_begun = true;
    *last = media->nal_left == 0;
    if (whole) {
        payload[0] = nal;
    } else {
        payload[0] = (uint8_t)((nal & 0x60) | 28);
        payload[1] = (uint8_t)((nal & 0x1f) | (first ? 0x80 : 0) | (*last ? 0x40 : 0));
    }
    memcpy(payload + header, random_bytes(world), count);
    if (first) {
        // The slice header up to the marking of reference pictures; frame_num has four bits.
        uint32_t number = (uint32_t)(since_keyframe % 16);
        payload[header] = keyframe ? 0x88 : (uint8_t)(0x9a | number >> 3);
        payload[header + 1] = keyframe ? 0x84 : (uint8_t)((number & 7) << 5 | 1);
    }
    return header + count;
}

static size_t video_next(struct world *world, struct media *media, uint8_t *packet, uint64_t *delay) {
    if (!media->in_frame) {
        media->timestamp = media->first_timestamp + (uint32_t)(media->frames * FRAME_MICROSECONDS * 9 / 100);
        bool keyframe = media->frames++ % FRAMES_BETWEEN_KEYFRAMES == 0;
        media->nal_left = keyframe ? random_between(world, 30000, 60000) : random_between(world, 800, 9000);
        media->in_frame = true;
        media->parameters_sent = media->slice_begun = false;
        media->frame_time = 0;
    }
    bool last;
    size_t length = video_payload(world, media, packet + HEADER, &last);
    rtp_header(media, packet, last);
    media->in_frame = !last;
    *delay = last ? FRAME_MICROSECONDS - media->frame_time : PACKET_MICROSECONDS;
    media->frame_time += PACKET_MICROSECONDS;
    return HEADER + length;
}

static size_t audio_next(struct world *world, struct media *media, uint8_t *packet, uint64_t *delay) {
    uint64_t samples = media->encoding == AAC ? 1024 : 160;
    uint64_t rate = media->clock_rate;
    media->timestamp = media->first_timestamp + (uint32_t)(media->frames * samples);
    uint64_t begun = media->frames++ * samples * 1000000 / rate;
    *delay = media->frames * samples * 1000000 / rate - begun;
    if (media->encoding == PCMU) {
        memcpy(packet + HEADER, random_bytes(world), samples);
        rtp_header(media, packet, media->frames == 1); // RFC 3551 section 4.1: the first of a talkspurt
        return HEADER + samples;
    }
    // RFC 3640 section 3.3.6, AAC-hbr: one access unit after a 16-bit AU header.
    size_t size = random_between(world, 180, 420);
    put16(packet + HEADER, 16);
    put16(packet + HEADER + 2, (uint32_t)(size << 3));
    memcpy(packet + HEADER + 4, random_bytes(world), size);
    rtp_header(media, packet, true);
    return HEADER + 4 + size;
}

size_t media_next(struct world *world, struct media *media, uint8_t *packet, uint64_t *delay) {
    size_t length =
        media->encoding == H264 ? video_next(world, media, packet, delay) : audio_next(world, media, packet, delay);
    media->packets++;
    media->octets += (uint32_t)(length - HEADER);
    return length;
}

void reception_note(struct reception *reception, const struct media *media, uint32_t sequence, uint32_t timestamp,
                    uint64_t time, bool again) {
    uint32_t transit = (uint32_t)((time - EPOCH) * media->clock_rate / 1000000) - timestamp;
    if (!reception->started) {
        reception->started = true;
        reception->first = reception->highest = sequence;
    } else {
        int32_t difference = (int32_t)(transit - reception->transit);
        uint32_t distance = (uint32_t)(difference < 0 ? -difference : difference);
        reception->jitter16 += distance - ((reception->jitter16 + 8) >> 4);
    }
    reception->transit = transit;
    reception->packets++;
    if (again) {
        reception->duplicates++;
        return;
    }
    reception->unique++;
    if (sequence < reception->highest) reception->reordered++;
    else reception->highest = sequence;
}

uint64_t reception_expected(const struct reception *reception) {
    return reception->started ? reception->highest - reception->first + 1 : 0;
}

static uint8_t *rtcp_header(uint8_t *at, int count, int type, uint32_t words, uint32_t ssrc) {
    at[0] = (uint8_t)(0x80 | count);
    at[1] = (uint8_t)type;
    put16(at + 2, words);
    put32(at + 4, ssrc);
    return at + 8;
}

static uint8_t *rtcp_name(uint8_t *at, uint32_t ssrc, const char *name) {
    size_t length = strlen(name);
    size_t words = 1 + (2 + length + 1 + 3) / 4; // SSRC; item, text, at least one zero, padding
    uint8_t *item = rtcp_header(at, 1, 202, (uint32_t)words, ssrc);
    memset(item, 0, 4 * words - 4);
    item[0] = 1; // CNAME
    item[1] = (uint8_t)length;
    memcpy(item + 2, name, length);
    return at + 4 + 4 * words;
}

size_t rtcp_sender(uint8_t *packet, const struct media *media, struct reception *reception, uint64_t time, bool bye) {
    uint8_t *at = rtcp_header(packet, 0, 200, 6, media->ssrc);
    uint64_t fraction = ((time % 1000000) << 32) / 1000000;
    uint32_t seconds = (uint32_t)(time / 1000000 + UINT64_C(2208988800));
    put32(at, seconds);
    put32(at + 4, (uint32_t)fraction);
    // The timestamp of the current time (RFC 3550 section 6.4.1), not that of the last frame.
    put32(at + 8, media->first_timestamp + (uint32_t)((time - media->start) * media->clock_rate / 1000000));
    put32(at + 12, media->packets);
    put32(at + 16, media->octets);
    reception->last_report_middle = seconds << 16 | (uint32_t)(fraction >> 16);
    reception->last_report_time = time;
    at = rtcp_name(at + 20, media->ssrc, "sender@benchmark.example");
    if (bye) at = rtcp_header(at, 1, 203, 1, media->ssrc);
    return (size_t)(at - packet);
}

size_t rtcp_receiver(uint8_t *packet, const struct media *media, struct reception *reception, uint64_t time) {
    uint32_t ssrc = media->ssrc ^ 0x80000000u;
    uint8_t *at = rtcp_header(packet, 1, 201, 7, ssrc);
    uint64_t expected = reception_expected(reception);
    uint64_t interval = expected - reception->expected_before;
    uint64_t received = reception->packets - reception->received_before;
    uint32_t fraction = interval > received ? (uint32_t)(((interval - received) << 8) / interval) : 0;
    int64_t lost = (int64_t)expected - (int64_t)reception->packets;
    reception->expected_before = expected;
    reception->received_before = reception->packets;
    uint64_t delay = time - reception->last_report_time;
    put32(at, media->ssrc);
    put32(at + 4, fraction << 24 | ((uint32_t)lost & 0xffffff));
    put32(at + 8, reception->highest);
    put32(at + 12, reception->jitter16 >> 4);
    put32(at + 16, reception->last_report_middle);
    put32(at + 20, reception->last_report_middle ? (uint32_t)(delay * 65536 / 1000000) : 0);
    at = rtcp_name(at + 24, ssrc, "receiver@benchmark.example");
    return (size_t)(at - packet);
}
