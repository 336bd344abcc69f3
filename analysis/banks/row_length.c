/* How long the rows of an array had better be. Every length that an index is multiplied by may be that of a row; each is tried with a few
 * pads, in all blocks that the kernel may be launched with, by what the accesses would take if the array were laid out so. Nothing but
 * speed hangs on the blocks.
 *
 *     offset + offset / row * pad        the offset of each lane: the figures of figure.c, as of any other address */
#include "analysis/banks/banks.h"

enum { PERCENT = 100, MOST_ROWS = 8, PADS = 3 };

/* Accesses in one spot of the array, as often as they are made; they are one where only a constant tells them apart. */
typedef struct {
    size_t number; /* of the first, among the kernel's accesses */
    double times;
    const ArrayUse *use;
} Spot;

typedef struct {
    Kernel *kernel;
    Padding *padding;
    List trials; /* of Kernel, each in a block of another shape */
    List spots; /* of Spot */
} Lengths;

typedef struct {
    double passes, excess; /* over the banks: all, and more than the words need */
    bool is_known;
} Passes;

/* ---- what is looked at ---- */

static const ArrayUse *use_by(const Padding *padding, LLVMValueRef instruction)
{
    for (size_t i = 0; i < padding->uses.count; i++)
        if (((const ArrayUse *)padding->uses.item[i])->at == instruction)
            return padding->uses.item[i];
    return NULL;
}

static double times_of(const Access *access)
{
    const Costs *costs = &access->scope->kernel->options.cost;
    double times = 1;
    for (int depth = 0; depth < access->depth && depth < costs->DEEP; depth++)
        times *= costs->NESTED;
    return times;
}

static const Access *access_at(const Kernel *kernel, size_t number) { return kernel->found.accesses.item[number]; }

static Spot *spot_like(const Lengths *lengths, const Access *access)
{
    for (size_t i = 0; i < lengths->spots.count; i++) {
        Spot *spot = lengths->spots.item[i];
        const Access *other = access_at(lengths->kernel, spot->number);
        if (other->bytes == access->bytes && other->depth == access->depth && form_same_place(other->address, access->address))
            return spot;
    }
    return NULL;
}

static void find_spots(Lengths *lengths)
{
    for (size_t i = 0; i < lengths->kernel->found.accesses.count; i++) {
        const Access *access = access_at(lengths->kernel, i);
        bool is_in_array = shared_array_of(access->pointer) == lengths->padding->array;
        const ArrayUse *use = is_in_array ? use_by(lengths->padding, access->instruction) : NULL;
        if (!use)
            continue;
        Spot *spot = spot_like(lengths, access);
        if (!spot) {
            spot = ARENA_NEW(lengths->kernel->arena, Spot);
            *spot = (Spot){.number = i, .use = use};
            list_add(&lengths->spots, spot);
        }
        spot->times += times_of(access);
    }
}

static const Form *offset_in(Kernel *trial, const Lengths *lengths, const Spot *spot)
{
    const Access *access = access_at(trial, spot->number);
    return form_sub(trial->forms, access->address, automaton_form(trial->scope, lengths->padding->array));
}

/* Would a thread of such a block go behind the array? Then there is no such block. */
static bool is_inside(Kernel *trial, const Lengths *lengths)
{
    for (size_t i = 0; i < lengths->spots.count; i++) {
        const Spot *spot = lengths->spots.item[i];
        const Form *offset = offset_in(trial, lengths, spot);
        int64_t low, high;
        if (offset && form_range(offset, &low, &high) && high + access_at(trial, spot->number)->bytes > lengths->padding->bytes)
            return false;
    }
    return true;
}

static void find_trials(Lengths *lengths)
{
    Kernel *kernel = lengths->kernel;
    Shape shape = form_shape(kernel->forms);
    for (int i = 0; !shape.extent[0] && i < USUAL_BLOCKS; i++) {
        const int *extent = usual_blocks[i];
        if (shape.limit && extent[0] * extent[1] > shape.limit)
            continue;
        Kernel *trial = kernel_in_block(kernel, extent, kernel_is_turned(kernel));
        if (is_inside(trial, lengths))
            list_add(&lengths->trials, trial);
    }
    if (!lengths->trials.count)
        list_add(&lengths->trials, kernel);
}

/* ---- what they would take ---- */

static const Form *padded(Kernel *trial, const Lengths *lengths, const Spot *spot, int64_t row, int64_t pad)
{
    FormSpace *forms = trial->forms;
    const Form *address = access_at(trial, spot->number)->address, *offset = offset_in(trial, lengths, spot);
    const Form *rows = offset && pad ? form_op(forms, OP_SDIV, 64, offset, form_constant(forms, row)) : NULL;
    const Form *moved = rows ? form_scale(forms, rows, pad) : NULL;
    return pad ? moved ? form_add(forms, address, moved) : NULL : address;
}

/* Where no thread of such a block would come there, all are taken to: it is not the block that the kernel was written for. */
static Figure figure_at(const Kernel *trial, const Access *access, const Form *address)
{
    Figure figure = access_figure(trial, access, address);
    const Request unguarded = {.address = address, .bytes = access->bytes, .piece = access->piece, .is_banked = true};
    return figure.known ? figure : figure_of(trial->forms, &unguarded);
}

static Passes passes_in(Kernel *trial, const Lengths *lengths, int64_t row, int64_t pad)
{
    Passes sum = {.is_known = true};
    for (size_t i = 0; i < lengths->spots.count && sum.is_known; i++) {
        const Spot *spot = lengths->spots.item[i];
        const Form *address = padded(trial, lengths, spot, row, pad);
        Figure figure = address ? figure_at(trial, access_at(trial, spot->number), address) : (Figure){0};
        sum.is_known = figure.known && figure.banks_known;
        sum.passes += figure.wavefronts * spot->times;
        sum.excess += (figure.wavefronts - figure.wavefronts_ideal) * spot->times;
    }
    return sum;
}

/* Of all blocks. */
static Passes passes_of(const Lengths *lengths, int64_t row, int64_t pad)
{
    Passes sum = {.is_known = true};
    for (size_t i = 0; i < lengths->trials.count && sum.is_known; i++) {
        Passes one = passes_in(lengths->trials.item[i], lengths, row, pad);
        sum.passes += one.passes / (double)lengths->trials.count;
        sum.excess += one.excess / (double)lengths->trials.count;
        sum.is_known = one.is_known;
    }
    return sum;
}

/* The time of the instructions that tell in which row the accesses are, in passes. */
static double index_time(const Lengths *lengths, int64_t row)
{
    const Costs *costs = &lengths->kernel->options.cost;
    double times = 0;
    for (size_t i = 0; i < lengths->spots.count; i++) {
        const Spot *spot = lengths->spots.item[i];
        int64_t low, high;
        bool stays = offset_column(&spot->use->offset, row, &low, &high) && low >= 0 && high < row;
        times += stays ? 0 : spot->times;
    }
    return times * costs->PAD_INDEX * costs->SLOT / costs->PASS;
}

/* ---- which ---- */

static int threads_of(const Kernel *trial) { return form_shape(trial->forms).limit; }

/* A block has, and an SM for as many as before; of the largest that there may be, where nobody says how large they are. */
static bool has_room(const Lengths *lengths, int64_t more)
{
    int64_t bytes = shared_bytes(lengths->kernel, NULL), most = bytes + more + REQUEST_BYTES;
    const Kernel *largest = lengths->trials.item[0];
    for (size_t i = 1; i < lengths->trials.count; i++)
        if (threads_of(lengths->trials.item[i]) > threads_of(largest))
            largest = lengths->trials.item[i];
    return more <= shared_room(lengths->kernel) && resident_blocks(largest, most) == resident_blocks(largest, bytes);
}

/* A few elements are no row, but what a thread reads at a time, and the backend at once, if it begins where it began. */
static bool is_length(const Lengths *lengths, int64_t length)
{
    const Padding *padding = lengths->padding;
    int64_t least = padding->unit * (int64_t)lengths->kernel->options.cost.PAD_CELLS;
    return length % padding->unit == 0 && length >= least && length < padding->bytes;
}

/* The numbers of bytes that indices are multiplied by, ascending: at most so many. */
static int lengths_of(const Lengths *lengths, int64_t row[MOST_ROWS])
{
    const Padding *padding = lengths->padding;
    int rows = 0;
    for (size_t i = 0; i < padding->uses.count; i++) {
        const Offset *offset = &((const ArrayUse *)padding->uses.item[i])->offset;
        for (size_t k = 0; k < offset->terms.count; k++) {
            int64_t length = (int64_t)magnitude(((const OffsetTerm *)offset->terms.item[k])->factor);
            int at = 0;
            while (at < rows && row[at] < length)
                at++;
            if (!is_length(lengths, length) || (at < rows && row[at] == length) || at == MOST_ROWS)
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
    Passes before, best;
    Why why; /* as long as there is none */
} Choice;

/* Better than what is known so far, and fewer bytes where it is as good. */
static void try_length(const Lengths *lengths, int64_t row, int64_t pad, Choice *choice)
{
    const Costs *costs = &lengths->kernel->options.cost;
    Padding *padding = lengths->padding;
    int64_t more = padded_bytes(padding, row, pad) - padding->bytes;
    if (pad * PERCENT > row * costs->PAD_ROW)
        return;
    Passes after = passes_of(lengths, row, pad);
    after.passes += index_time(lengths, row);
    double most = lengths->kernel->options.always ? PERCENT : costs->PAD_LEFT;
    bool pays = after.is_known && after.passes * PERCENT <= choice->before.passes * most && after.passes < choice->before.passes;
    int64_t so_far = padding->pad ? padded_bytes(padding, padding->row, padding->pad) - padding->bytes : 0;
    bool is_better = !padding->pad || after.passes < choice->best.passes || (after.passes <= choice->best.passes && more < so_far);
    if (!pays || !is_better)
        return;
    if (!has_room(lengths, more)) {
        choice->why = WHY_PAD_ROOM;
        return;
    }
    padding->row = row;
    padding->pad = pad;
    choice->best = after;
}

Why row_length(Kernel *kernel, Padding *padding)
{
    Lengths lengths = {kernel, padding, list_new(kernel->arena), list_new(kernel->arena)};
    int64_t row[MOST_ROWS], least = padding->unit < BANK_BYTES ? BANK_BYTES : padding->unit;
    int rows = lengths_of(&lengths, row);
    find_spots(&lengths);
    find_trials(&lengths);
    Choice choice = {.before = passes_of(&lengths, 0, 0), .why = WHY_PAD_NO_GAIN};
    if (!choice.before.is_known)
        return WHY_PAD_DATA;
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < PADS; k++)
            try_length(&lengths, row[i], least << k, &choice);
    padding->before = choice.before.passes;
    padding->after = choice.best.passes;
    return padding->pad ? WHY_NONE : choice.why;
}
