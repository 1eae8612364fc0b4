// What every kind of capture is made of: chance, and things that act in the order of their times.

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
    uint64_t count; // sessions, connections or flows; 0 asks for the kind's default
    uint64_t seed;
    bool flawless; // no packet is lost, late or there twice
};

struct world;
struct actor;

// Sends at most a few packets at `actor->when` and gives the time of the next step, or NEVER.
typedef uint64_t step_function(struct world *world, struct actor *actor);

struct actor {
    step_function *step;
    void *self;
    uint64_t when;
    uint64_t order; // decides between equal times
};

struct world {
    struct capture capture;
    struct options options;
    uint64_t chance;
    bool closing; // enough has been written, so sessions should end
    struct actor *actors; // a binary heap, the earliest on top
    size_t count, capacity;
    uint64_t born;
};

// The first packet of every capture: 2024-01-01T00:00:00Z, in microseconds.
#define EPOCH UINT64_C(1704067200000000)

void world_add(struct world *world, step_function *step, void *self, uint64_t when);

// Runs until nobody acts any more. Sets `closing` as soon as `limit` bytes are written.
void world_run(struct world *world, uint64_t limit);

uint32_t random_below(struct world *world, uint32_t bound);
uint32_t random_between(struct world *world, uint32_t low, uint32_t high);

// Random bytes without a zero among them, so that no start code can appear within a NAL unit. At most 2048.
const uint8_t *random_bytes(struct world *world);

void *allocate(size_t count, size_t size);

// Opens the truth beside the capture (`x.pcap` has `x.json`) and writes what every kind has in common. The caller adds
// members, each with a comma before it, and closes it.
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
