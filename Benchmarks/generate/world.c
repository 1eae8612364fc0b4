#include "world.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { POOL = 1 << 16, POOL_SLACK = 2048 };

static uint8_t pool[POOL + POOL_SLACK];
static bool pool_filled;

// SplitMix64: small, and the same on every machine.
static uint64_t random_next(struct world *world) {
    uint64_t z = (world->chance += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint32_t random_below(struct world *world, uint32_t bound) {
    return (uint32_t)((random_next(world) >> 32) * bound >> 32);
}

uint32_t random_between(struct world *world, uint32_t low, uint32_t high) {
    return low + random_below(world, high - low + 1);
}

const uint8_t *random_bytes(struct world *world) {
    if (!pool_filled) {
        for (size_t i = 0; i < sizeof pool; i++) pool[i] = (uint8_t)random_between(world, 1, 255);
        pool_filled = true;
    }
    return pool + random_below(world, POOL);
}

void *allocate(size_t count, size_t size) {
    void *memory = calloc(count, size);
    if (!memory) {
        perror("calloc");
        exit(2);
    }
    return memory;
}

static bool earlier(const struct actor *a, const struct actor *b) {
    return a->when != b->when ? a->when < b->when : a->order < b->order;
}

void world_add(struct world *world, step_function *step, void *self, uint64_t when) {
    if (world->count == world->capacity) {
        world->capacity = world->capacity ? 2 * world->capacity : 1024;
        world->actors = realloc(world->actors, world->capacity * sizeof *world->actors);
        if (!world->actors) {
            perror("realloc");
            exit(2);
        }
    }
    struct actor actor = {step, self, when, world->born++};
    size_t at = world->count++;
    while (at > 0 && earlier(&actor, &world->actors[(at - 1) / 2])) {
        world->actors[at] = world->actors[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    world->actors[at] = actor;
}

static void replace_first(struct world *world, struct actor actor) {
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= world->count) break;
        if (child + 1 < world->count && earlier(&world->actors[child + 1], &world->actors[child])) child++;
        if (!earlier(&world->actors[child], &actor)) break;
        world->actors[at] = world->actors[child];
        at = child;
    }
    world->actors[at] = actor;
}

void world_run(struct world *world, uint64_t limit) {
    while (world->count > 0) {
        // A step may add actors, none of them earlier than now, so the first one stays first.
        struct actor actor = world->actors[0];
        actor.when = actor.step(world, &actor);
        if (actor.when != NEVER) {
            replace_first(world, actor);
        } else if (--world->count > 0) {
            replace_first(world, world->actors[world->count]);
        }
        if (world->capture.bytes >= limit) world->closing = true;
    }
    free(world->actors);
}

FILE *truth_open(const struct world *world) {
    const char *output = world->options.output;
    size_t length = strlen(output);
    if (length > 5 && strcmp(output + length - 5, ".pcap") == 0) length -= 5;
    char *path = allocate(length + 6, 1);
    memcpy(path, output, length);
    strcpy(path + length, ".json");
    FILE *truth = fopen(path, "w");
    if (!truth) {
        perror(path);
        exit(2);
    }
    free(path);
    fprintf(truth, "{\"kind\": \"%s\",\n \"bytes\": %" PRIu64 ",\n \"packets\": %" PRIu64, world->options.kind,
            world->capture.bytes, world->capture.packets);
    return truth;
}

void truth_close(FILE *truth) {
    fprintf(truth, "}\n");
    if (fclose(truth) != 0) {
        perror("truth");
        exit(2);
    }
}

void truth_endpoint(FILE *truth, const char *name, const struct endpoint *endpoint) {
    uint32_t a = endpoint->host->address;
    fprintf(truth, "\"%s\": {\"address\": \"%u.%u.%u.%u\", \"port\": %u}", name, a >> 24, a >> 16 & 255, a >> 8 & 255,
            a & 255, endpoint->port);
}
