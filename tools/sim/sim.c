/* One run of one module with one seed. */
#include "sim.h"

Sim *sim_new(const Options *options, const Image *image, uint64_t seed, struct Stats *stats)
{
    Arena *arena = arena_new();
    Sim *sim = ARENA_NEW(arena, Sim);
    sim->arena = arena;
    sim->options = options;
    sim->image = image;
    sim->seed = seed;
    sim->random = random_seed(seed, 1);
    sim->adversarial = seed != 0;
    sim->check = options->check;
    sim->stats = stats;
    sim->block_total = options->grid.x * options->grid.y * options->grid.z;
    sim->findings = findings_new(arena, seed);
    if (!memory_setup(sim) || (sim->check && !race_setup(sim))) {
        sim_free(sim);
        return NULL;
    }
    return sim;
}

void sim_free(Sim *sim)
{
    if (sim->check)
        race_free(sim);
    memory_free(sim);
    frames_free(sim);
    arena_free(sim->arena);
}
