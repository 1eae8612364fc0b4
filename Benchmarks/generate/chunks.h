// RTMP as octets: chunks around messages (RTMP 1.0 section 5.3) and AMF0 values (AMF0 section 2).

#ifndef CHUNKS_H
#define CHUNKS_H

#include "world.h"

// Octets that grow at the end and are taken at the front.
struct octets {
    uint8_t *bytes;
    size_t begin, end, capacity;
};

uint8_t *octets_add(struct octets *octets, size_t count); // room for so many more
void octets_take(struct octets *octets, size_t count);
static inline size_t octets_left(const struct octets *octets) { return octets->end - octets->begin; }

enum message_type {
    SET_CHUNK_SIZE = 1,
    ACKNOWLEDGEMENT = 3,
    WINDOW_SIZE = 5,
    PEER_BANDWIDTH = 6,
    AUDIO_MESSAGE = 8,
    VIDEO_MESSAGE = 9,
    DATA_MESSAGE = 18,
    COMMAND_MESSAGE = 20,
};

enum { CHUNK_STREAMS = 9 };

// One side of a connection: how large its chunks are, and what it sent last on each chunk stream.
struct chunker {
    struct octets out;
    uint32_t chunk_size;
    bool absolute; // every media message begins with a type-0 chunk
    uint64_t messages;
    struct {
        bool begun;
        uint32_t timestamp;
    } streams[CHUNK_STREAMS];
};

// The first message of a chunk stream begins with a type-0 chunk, the others with type 1; a timestamp or difference of
// 0xffffff and more is extended, and repeated in the type-3 chunks of its message.
void chunk_message(struct chunker *chunker, int chunk_stream, enum message_type type, uint32_t stream,
                   uint32_t timestamp, const void *payload, size_t length);
void chunk_control(struct chunker *chunker, enum message_type type, uint32_t value, int limit_type); // -1: has none

// Values, behind each other; each gives where the next one begins.
uint8_t *amf_string(uint8_t *at, const char *text);
uint8_t *amf_number(uint8_t *at, double value);
uint8_t *amf_null(uint8_t *at);
uint8_t *amf_begin(uint8_t *at); // an object
uint8_t *amf_key(uint8_t *at, const char *name);
uint8_t *amf_end(uint8_t *at);

#endif
