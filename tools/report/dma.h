/* Copies from global to shared memory, as text and as JSON. */
#ifndef COALDA_DMA_H
#define COALDA_DMA_H

#include <stdio.h>

#include "pass/report/table.h"

void dma_text(const Table *table, FILE *out);
void dma_json(const Table *table, FILE *out);

#endif
