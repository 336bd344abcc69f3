// What the tests of tile loops share. Two blocks of 64 threads, and tiles of 64 elements, unless a kernel says otherwise.
#pragma once
#include "records.cuh"
#define TX threadIdx.x
#define BX blockIdx.x
enum { TILE = 64 };
