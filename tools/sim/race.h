/* For mbarriers and copies: knowledge that passes through a key. */
#ifndef RACE_H
#define RACE_H

#include "sim.h"

void race_arrive(Block *block, uint32_t t, uint64_t key);
void race_wait(Block *block, uint32_t t, uint64_t key);
#endif
