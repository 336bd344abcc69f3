#include "pass/report/transfer_row.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *key, *remark;
} fields[] = {
#define X(key, remark, meaning) {#key, remark},
    TRANSFERS(X)
#undef X
};

Transfer *transfer_new(Arena *arena)
{
    Transfer *transfer = ARENA_NEW(arena, Transfer);
    for (int i = 0; i < TRANSFER_FIELDS; i++)
        transfer->cell[i] = "";
    return transfer;
}

const char *transfer_key(TransferField field) { return fields[field].key; }
const char *transfer_remark_key(TransferField field) { return fields[field].remark; }

TransferField transfer_field_of_remark(const char *key, size_t length)
{
    int field = 0;
    while (field < TRANSFER_FIELDS && (strlen(fields[field].remark) != length || strncmp(fields[field].remark, key, length) != 0))
        field++;
    return (TransferField)field;
}

bool transfer_is_number(TransferField field)
{
    switch (field) {
    case TRANSFER_line:
    case TRANSFER_column:
    case TRANSFER_piece:
    case TRANSFER_bytes:
    case TRANSFER_aligned:
    case TRANSFER_tested:
    case TRANSFER_stages:
    case TRANSFER_batch:
    case TRANSFER_in_flight:
    case TRANSFER_blocks:
    case TRANSFER_in_flight_sm: return true;
    default: return false;
    }
}

long long transfer_number(const Transfer *transfer, TransferField field) { return strtoll(transfer->cell[field], NULL, 10); }

void transfer_put(Transfer *transfer, Arena *arena, TransferField field, long long value)
{
    transfer->cell[field] = value ? arena_text(arena, "%lld", value) : "";
}

/* ---- as one text ---- */

enum { BETWEEN_CELLS = '\t', BETWEEN_ROWS = '\n' };

const char *transfers_pack(Arena *arena, const List *transfers)
{
    Text text = text_new(arena);
    for (size_t i = 0; i < transfers->count; i++)
        for (int field = 0; field < TRANSFER_FIELDS; field++)
            text_add(&text, "%s%c", ((const Transfer *)transfers->item[i])->cell[field],
                     field + 1 < TRANSFER_FIELDS ? BETWEEN_CELLS : BETWEEN_ROWS);
    return text.data;
}

List transfers_unpack(Arena *arena, const char *text)
{
    static const char ends[] = {BETWEEN_CELLS, BETWEEN_ROWS, 0};
    List transfers = list_new(arena);
    while (*text) {
        Transfer *transfer = transfer_new(arena);
        for (int field = 0; field < TRANSFER_FIELDS && *text; field++) {
            size_t length = strcspn(text, ends);
            transfer->cell[field] = arena_copy(arena, text, length);
            text += length + (text[length] != 0);
        }
        list_add(&transfers, transfer);
    }
    return transfers;
}
