/* What a compile of the host finds in the fat binary that it is to put into the program. */
#ifndef COALDA_FAT_BINARY_H
#define COALDA_FAT_BINARY_H

#include "pass/host/spare_name.h"

/* The spares that every code in it has, whichever GPU it is for: a List of const SpareName. Empty where anything of it cannot be read. */
List fat_binary_spares(Arena *arena, const char *image, size_t length);

#endif
