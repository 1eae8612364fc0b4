#include "chunks.h"

#include <stdlib.h>
#include <string.h>

uint8_t *octets_add(struct octets *octets, size_t count) {
    if (octets->end + count > octets->capacity && octets->begin > 0) {
        memmove(octets->bytes, octets->bytes + octets->begin, octets_left(octets));
        octets->end -= octets->begin;
        octets->begin = 0;
    }
    if (octets->end + count > octets->capacity) {
        octets->capacity = 2 * (octets->end + count);
        octets->bytes = realloc(octets->bytes, octets->capacity);
        if (!octets->bytes) {
            perror("realloc");
            exit(2);
        }
    }
    octets->end += count;
    return octets->bytes + octets->end - count;
}

void octets_take(struct octets *octets, size_t count) {
    octets->begin += count;
    if (octets->begin == octets->end) octets->begin = octets->end = 0;
}

static void put24(uint8_t *at, uint32_t value) {
    at[0] = (uint8_t)(value >> 16);
    put16(at + 1, value & 0xffff);
}

void chunk_message(struct chunker *chunker, int chunk_stream, enum message_type type, uint32_t stream,
                   uint32_t timestamp, const void *payload, size_t length) {
    const uint8_t *bytes = payload;
    bool media = type == AUDIO_MESSAGE || type == VIDEO_MESSAGE;
    int form = chunker->streams[chunk_stream].begun && !(media && chunker->absolute) ? 1 : 0;
    uint32_t value = form == 0 ? timestamp : timestamp - chunker->streams[chunk_stream].timestamp;
    bool extended = value >= 0xffffff;
    uint8_t header[16];
    size_t size = form == 0 ? 12 : 8;
    header[0] = (uint8_t)(form << 6 | chunk_stream);
    put24(header + 1, extended ? 0xffffff : value);
    put24(header + 4, (uint32_t)length);
    header[7] = (uint8_t)type;
    if (form == 0) {
        for (int i = 0; i < 4; i++) header[8 + i] = (uint8_t)(stream >> (8 * i)); // the only little-endian field
    }
    if (extended) {
        put32(header + size, value);
        size += 4;
    }
    memcpy(octets_add(&chunker->out, size), header, size);
    for (size_t done = 0; done < length;) {
        if (done > 0) {
            uint8_t *again = octets_add(&chunker->out, extended ? 5 : 1);
            again[0] = (uint8_t)(3 << 6 | chunk_stream);
            if (extended) put32(again + 1, value);
        }
        size_t part = length - done < chunker->chunk_size ? length - done : chunker->chunk_size;
        memcpy(octets_add(&chunker->out, part), bytes + done, part);
        done += part;
    }
    chunker->streams[chunk_stream].begun = true;
    chunker->streams[chunk_stream].timestamp = timestamp;
    chunker->messages++;
}

void chunk_control(struct chunker *chunker, enum message_type type, uint32_t value, int limit_type) {
    uint8_t payload[5];
    put32(payload, value);
    payload[4] = (uint8_t)limit_type;
    chunk_message(chunker, 2, type, 0, 0, payload, limit_type < 0 ? 4 : 5);
    if (type == SET_CHUNK_SIZE) chunker->chunk_size = value;
}

uint8_t *amf_string(uint8_t *at, const char *text) {
    *at = 2;
    return amf_key(at + 1, text);
}

uint8_t *amf_number(uint8_t *at, double value) {
    uint64_t bits;
    memcpy(&bits, &value, 8);
    *at = 0;
    put32(at + 1, (uint32_t)(bits >> 32));
    put32(at + 5, (uint32_t)bits);
    return at + 9;
}

uint8_t *amf_null(uint8_t *at) {
    *at = 5;
    return at + 1;
}

uint8_t *amf_begin(uint8_t *at) {
    *at = 3;
    return at + 1;
}

uint8_t *amf_key(uint8_t *at, const char *name) {
    size_t length = strlen(name);
    put16(at, (uint32_t)length);
    memcpy(at + 2, name, length);
    return at + 2 + length;
}

uint8_t *amf_end(uint8_t *at) {
    put16(at, 0);
    at[2] = 9;
    return at + 3;
}
