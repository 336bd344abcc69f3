/* A copy from global to shared memory as text, without LLVM: what remarks carry and coalda-report --dma prints. */
#ifndef COALDA_TRANSFER_ROW_H
#define COALDA_TRANSFER_ROW_H

#include <stdbool.h>

#include "pass/base/arena.h"

/* One copy as its reader sees it: X(key of JSON, key of remarks, "meaning"). Copies that unrolling made of one of the source are one. */
#define TRANSFERS(X) \
    X(kernel, "Kernel", "linker's name of the kernel") \
    X(file, "File", "source file of the user's own code") \
    X(directory, "Directory", "where the file's name starts from, if it is relative") \
    X(line, "Line", "source line: of the load where that is known, else of the copy") \
    X(column, "Column", "source column") \
    X(array, "Array", "shared array that is filled") \
    X(class, "Class", "how neighbours read global memory: unit, strided, gather ... Empty where assembly copies") \
    X(engine, "Engine", \
      "cp.async; registers, which hold a tile until its turn; loads and stores, as written; once, in front of the loop; own " \
      "cp.async, which the program itself begins; own bulk, one thread's cp.async.bulk for a row or a box") \
    X(piece, "Piece", "bytes that one instruction moves of a thread; where lanes share pieces and a test fails, it is less") \
    X(bytes, "Bytes", "bytes that a thread moves an iteration; in a loop inside, of unknown length, each time") \
    X(aligned, "Aligned", "bytes that the source is known to be a multiple of") \
    X(tested, "AlignedTest", "bytes that it is tested for on entry, or by the lanes that share a piece") \
    X(stages, "Stages", \
      "stages of the ring; of the program's own copies, groups that may be under way; of bulk copies, buffers of the array") \
    X(batch, "Batch", "tiles of a stage") \
    X(in_flight, "InFlight", "bytes of a block that may be under way at once, padding counted; empty where nobody knows") \
    X(blocks, "Blocks", "blocks that an SM holds, as far as shared memory, threads and launch bounds say") \
    X(in_flight_sm, "InFlightSm", "bytes under way of all of them") \
    X(keeps, "Keeps", "name of the verdict that keeps it from better; None: nothing that is known") \
    X(because, "Because", "the same in words, and where") \
    X(remedy, "Remedy", "what the user can do")

typedef enum {
#define X(key, remark, meaning) TRANSFER_##key,
    TRANSFERS(X)
#undef X
        TRANSFER_FIELDS
} TransferField;

/* Cells are empty where there is nothing to say, and never NULL. */
typedef struct {
    const char *cell[TRANSFER_FIELDS];
} Transfer;

Transfer *transfer_new(Arena *arena);
const char *transfer_key(TransferField field);
const char *transfer_remark_key(TransferField field);
/* The field of a remark's argument, or TRANSFER_FIELDS. */
TransferField transfer_field_of_remark(const char *key, size_t length);
bool transfer_is_number(TransferField field);
/* The cell as a number; 0 where it is empty. */
long long transfer_number(const Transfer *transfer, TransferField field);
void transfer_put(Transfer *transfer, Arena *arena, TransferField field, long long value);

/* All rows as one text, and back: of Transfer. */
const char *transfers_pack(Arena *arena, const List *transfers);
List transfers_unpack(Arena *arena, const char *text);

#endif
