// The simulation behind every kind of capture: random numbers, and actors that run in time order.

#ifndef WORLD_H
#define WORLD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "capture.h"

#define NEVER UINT64_MAX

struct options {
    const char *kind;
    const char *output;
    uint64_t size;
    uint64_t count; // sessions, connections or flows; 0: the kind's default
    uint64_t seed;
    bool flawless; // no packet is lost, late or duplicated
};

struct world;
struct actor;

// Sends at most a few packets at `actor->when` and returns the time of the next step, or NEVER.
typedef uint64_t step_function(struct world *world, struct actor *actor);

struct actor {
    step_function *step;
    void *self;
    uint64_t when;
    uint64_t order; // breaks ties between equal times
};

struct world {
    struct capture capture;
    struct options options;
    uint64_t chance;
    bool closing; // the size is reached, so sessions should end
    struct actor *actors; // a binary heap, earliest first
    size_t count, capacity;
    uint64_t born;
};

// The first packet of every capture: 2024-01-01T00:00:00Z, in microseconds.
#define EPOCH UINT64_C(1704067200000000)

void world_add(struct world *world, step_function *step, void *self, uint64_t when);

// Runs until no actor is left. Sets `closing` as soon as `limit` bytes are written.
void world_run(struct world *world, uint64_t limit);

uint32_t random_below(struct world *world, uint32_t bound);
uint32_t random_between(struct world *world, uint32_t low, uint32_t high);

// Random nonzero bytes, so that no start code can appear in a NAL unit. At most 2048.
const uint8_t *random_bytes(struct world *world);

void *allocate(size_t count, size_t size);

// Opens the ground truth next to the capture (`x.json` for `x.pcap`) and writes the common members. The caller adds
// members, each preceded by a comma, and closes it.
FILE *truth_open(const struct world *world);
void truth_close(FILE *truth);
void truth_endpoint(FILE *truth, const char *name, const struct endpoint *endpoint);

// The kinds of capture.
void generate_rtp(struct world *world);
void generate_interleaved(struct world *world);
void generate_noise(struct world *world);
void generate_rtmp(struct world *world);
void generate_churn(struct world *world);

#endif
