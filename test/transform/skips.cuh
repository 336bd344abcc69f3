// What the tests of tile loops share of which some iterations do nothing: a tile is filled, used, and stored from what has been summed.
#pragma once
#include "tiles.cuh"
#define FILL(place) s[TX] = g[(BX * k + (place)) * TILE + TX]
#define USE sum = sum * 31 + s[TILE - 1 - TX]
#define BOTH(place) FILL(place); __syncthreads(); USE; __syncthreads()
#define KEEP(place) w[(BX * k + (place)) * TILE + TX] = sum
