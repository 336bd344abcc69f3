/* How long the rows of an array had better be. Every length that an index is multiplied by may be that of a row; each is tried with a few
 * pads, by what the accesses would take if the array were laid out so (array_time.c). */
#include "analysis/address/warp.h"
#include "analysis/banks/banks.h"

enum { PERCENT = 100, MOST_ROWS = 8, PADS = 3 };

/* Asynchronously: by pieces of COPY_WIDEST bytes, which stay together. */
static bool is_copied(const Padding *padding) { return padding->ring && padding->ring->choice.engine == ENGINE_ASYNC; }

static int threads_of(const Kernel *trial) { return form_shape(trial->forms).limit; }

/* A block has, and an SM for as many as before; of the largest that there may be, where nobody says how large they are. An array that
 * is aligned better may take some bytes more. What a ring takes decides for itself (depth.c). */
static bool has_room(const Layouts *layouts, int64_t more)
{
    int64_t bytes = shared_bytes(layouts->kernel, NULL), most = bytes + more + REQUEST_BYTES;
    const Kernel *largest = layouts->trials.item[0];
    for (size_t i = 1; i < layouts->trials.count; i++)
        if (threads_of(layouts->trials.item[i]) > threads_of(largest))
            largest = layouts->trials.item[i];
    return more + REQUEST_BYTES <= shared_room(layouts->kernel) &&
           (is_copied(layouts->padding) || resident_blocks(largest, most) == resident_blocks(largest, bytes));
}

/* Whatever no unit holds: do its columns say that it ends in the row that it begins in? */
static bool all_lie_in_rows(const Padding *padding, int64_t row)
{
    for (size_t i = 0; i < padding->uses.count; i++) {
        const ArrayUse *use = padding->uses.item[i];
        int64_t low, high;
        bool lies = !use->bytes || (offset_column(&use->offset, row, &low, &high) && low >= 0 && high + use->bytes <= row);
        if (!lies)
            return false;
    }
    return true;
}

static bool any_is_long(const Padding *padding)
{
    for (size_t i = 0; i < padding->uses.count; i++)
        if (((const ArrayUse *)padding->uses.item[i])->bytes)
            return true;
    return false;
}

/* A few elements are no row, but what a thread reads at a time, and the backend at once, if it begins where it began; all banks once are
 * one, whatever lies there. */
static bool is_length(const Layouts *layouts, int64_t length)
{
    const Padding *padding = layouts->padding;
    int64_t cells = padding->unit * (int64_t)layouts->kernel->options.cost.PAD_CELLS;
    int64_t least = cells < BANKS * BANK_BYTES ? cells : BANKS * BANK_BYTES;
    return length % padding->unit == 0 && length >= least && length < padding->bytes && all_lie_in_rows(padding, length);
}

/* The numbers of bytes that indices are multiplied by, ascending: at most so many. */
static int lengths_of(const Layouts *layouts, int64_t row[MOST_ROWS])
{
    const Padding *padding = layouts->padding;
    int rows = 0;
    for (size_t i = 0; i < padding->uses.count; i++) {
        const Offset *offset = &((const ArrayUse *)padding->uses.item[i])->offset;
        for (size_t k = 0; k < offset->terms.count; k++) {
            int64_t length = (int64_t)magnitude(((const OffsetTerm *)offset->terms.item[k])->factor);
            int at = 0;
            while (at < rows && row[at] < length)
                at++;
            if (!is_length(layouts, length) || (at < rows && row[at] == length) || at == MOST_ROWS)
                continue;
            rows += rows < MOST_ROWS;
            for (int j = rows - 1; j > at; j--)
                row[j] = row[j - 1];
            row[at] = length;
        }
    }
    return rows;
}

typedef struct {
    ArrayTime before, best;
    Why why; /* as long as there is none */
} Choice;

/* Better than what is known so far, and fewer bytes where it is as good. */
static void try_length(const Layouts *layouts, Padding *padding, int64_t row, int64_t pad, Choice *choice)
{
    const Costs *costs = &layouts->kernel->options.cost;
    int64_t more = padded_bytes(padding, row, pad) - padding->bytes;
    if (pad * PERCENT > row * costs->PAD_ROW)
        return;
    ArrayTime after = array_time(layouts, row, pad);
    double most = layouts->kernel->options.always ? PERCENT : costs->PAD_LEFT;
    bool pays = after.is_known && after.time * PERCENT <= choice->before.time * most && after.time < choice->before.time;
    int64_t so_far = padding->pad ? padded_bytes(padding, padding->row, padding->pad) - padding->bytes : 0;
    bool is_better = !padding->pad || after.time < choice->best.time || (after.time <= choice->best.time && more < so_far);
    if (!pays || !is_better)
        return;
    if (!has_room(layouts, more)) {
        choice->why = WHY_PAD_ROOM;
        return;
    }
    padding->row = row;
    padding->pad = pad;
    choice->best = after;
}

Why row_length(Kernel *kernel, Padding *padding)
{
    int64_t row[MOST_ROWS], least = is_copied(padding) ? COPY_WIDEST : padding->unit < BANK_BYTES ? BANK_BYTES : padding->unit;
    Layouts layouts = layouts_find(kernel, padding);
    int rows = lengths_of(&layouts, row);
    if (!rows && any_is_long(padding))
        return WHY_PAD_SPLIT;
    Choice choice = {.before = array_time(&layouts, 0, 0), .why = WHY_PAD_NO_GAIN};
    if (!choice.before.is_known)
        return WHY_PAD_DATA;
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < PADS; k++)
            try_length(&layouts, padding, row[i], least << k, &choice);
    for (size_t i = 0; padding->pad && i < padding->uses.count; i++) {
        ArrayUse *use = padding->uses.item[i];
        use->joined = joined_bytes(use, padding->row, padding->pad);
    }
    padding->before = choice.before.passes;
    padding->after = choice.best.passes;
    return padding->pad ? WHY_NONE : choice.why;
}
