// RTMP serialization: chunks (RTMP 1.0 section 5.3) and AMF0 values (AMF0 section 2).

#ifndef CHUNKS_H
#define CHUNKS_H

#include "world.h"

// A queue of octets.
struct octets {
    uint8_t *bytes;
    size_t begin, end, capacity;
};

uint8_t *octets_add(struct octets *octets, size_t count); // space for `count` more
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

// One side of a connection: its chunk size, and the last message on each chunk stream.
struct chunker {
    struct octets out;
    uint32_t chunk_size;
    bool absolute; // every media message starts with a type-0 chunk
    uint64_t messages;
    struct {
        bool begun;
        uint32_t timestamp;
    } streams[CHUNK_STREAMS];
};

// The first message of a chunk stream starts with a type-0 chunk, the others with type 1; a timestamp or delta of
// 0xffffff or more is extended, and repeated in the type-3 chunks of its message.
void chunk_message(struct chunker *chunker, int chunk_stream, enum message_type type, uint32_t stream,
                   uint32_t timestamp, const void *payload, size_t length);
void chunk_control(struct chunker *chunker, enum message_type type, uint32_t value, int limit_type); // -1: has none

// Writes a value; each returns the position of the next one.
uint8_t *amf_string(uint8_t *at, const char *text);
uint8_t *amf_number(uint8_t *at, double value);
uint8_t *amf_null(uint8_t *at);
uint8_t *amf_begin(uint8_t *at); // an object
uint8_t *amf_key(uint8_t *at, const char *name);
uint8_t *amf_end(uint8_t *at);

#endif
