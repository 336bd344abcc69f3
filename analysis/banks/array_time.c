/* What the accesses to an array take if its rows are so much longer: passes over the banks and instructions, of the pieces that the
 * backend makes of them (join.c), as often as they are made, in all blocks that the kernel may be launched with.
 *
 *     offset + offset / row * pad        the offset of each lane: the figures of figure.c, as of any other address */
#include "analysis/banks/banks.h"
#include "analysis/records/records.h"

enum { PIECES = 3 };

typedef struct {
    const ArrayUse *use;
    double times;
    int piece; /* bytes that are moved at once */
} Weighed;

/* Accesses in one spot of the array: only a constant tells them apart. */
typedef struct {
    size_t number; /* of the first, among the kernel's accesses */
    List accesses; /* of Weighed */
    double times[PIECES]; /* they are made: by themselves, joined to 8 bytes, and to 16 */
    double divided; /* so many times it is computed which row they are in */
} Spot;

/* ---- what is looked at ---- */

static const ArrayUse *use_by(const Padding *padding, LLVMValueRef instruction)
{
    for (size_t i = 0; i < padding->uses.count; i++)
        if (((const ArrayUse *)padding->uses.item[i])->at == instruction)
            return padding->uses.item[i];
    return NULL;
}

static const Access *access_at(const Kernel *kernel, size_t number) { return kernel->found.accesses.item[number]; }

static Spot *spot_like(const Layouts *layouts, const Access *access)
{
    for (size_t i = 0; i < layouts->spots.count; i++) {
        Spot *spot = layouts->spots.item[i];
        const Access *other = access_at(layouts->kernel, spot->number);
        if (other->bytes == access->bytes && other->depth == access->depth && form_same_place(other->address, access->address))
            return spot;
    }
    return NULL;
}

static void find_spots(Layouts *layouts)
{
    LLVMBasicBlockRef block = NULL;
    double times = 0;
    for (size_t i = 0; i < layouts->kernel->found.accesses.count; i++) {
        const Access *access = access_at(layouts->kernel, i);
        bool is_in_array = shared_array_of(access->pointer) == layouts->padding->array;
        const ArrayUse *use = is_in_array ? use_by(layouts->padding, access->instruction) : NULL;
        if (!use)
            continue;
        Spot *spot = spot_like(layouts, access);
        if (!spot) {
            spot = ARENA_NEW(layouts->kernel->arena, Spot);
            *spot = (Spot){.number = i, .accesses = list_new(layouts->kernel->arena)};
            list_add(&layouts->spots, spot);
        }
        LLVMBasicBlockRef here = LLVMGetInstructionParent(access->instruction);
        times = here == block ? times : weigh_block(access->scope, here);
        block = here;
        Weighed *weighed = ARENA_NEW(layouts->kernel->arena, Weighed);
        *weighed = (Weighed){use, times, use->unit};
        list_add(&spot->accesses, weighed);
    }
}

static const Form *offset_in(Kernel *trial, const Layouts *layouts, const Spot *spot)
{
    const Access *access = access_at(trial, spot->number);
    return form_sub(trial->forms, access->address, automaton_form(trial->scope, layouts->padding->array));
}

/* Would a thread of such a block go behind the array? Then there is no such block. */
static bool is_inside(Kernel *trial, const Layouts *layouts)
{
    for (size_t i = 0; i < layouts->spots.count; i++) {
        const Spot *spot = layouts->spots.item[i];
        const Form *offset = offset_in(trial, layouts, spot);
        int64_t low, high;
        if (offset && form_range(offset, &low, &high) && high + access_at(trial, spot->number)->bytes > layouts->padding->bytes)
            return false;
    }
    return true;
}

static void find_trials(Layouts *layouts)
{
    Kernel *kernel = layouts->kernel;
    Shape shape = form_shape(kernel->forms);
    int extent[3];
    for (int i = 0; !shape.extent[0] && usual_block(kernel, i, extent); i++) {
        Kernel *trial = kernel_in_block(kernel, extent, kernel_is_turned(kernel));
        if (is_inside(trial, layouts))
            list_add(&layouts->trials, trial);
    }
    if (!layouts->trials.count)
        list_add(&layouts->trials, kernel);
}

/* ---- what they would take ---- */

/* Is one of the columns another in each iteration? */
static bool columns_move(const Offset *offset, int64_t row, IrLoop *loop)
{
    for (size_t i = 0; i < offset->terms.count; i++) {
        const OffsetTerm *term = offset->terms.item[i];
        bool is_inside = LLVMIsAInstruction(term->value) && ir_loop_has_block(loop, LLVMGetInstructionParent(term->value));
        if (is_inside && !offset_moves_rows(offset, term, row))
            return true;
    }
    return false;
}

/* How often it is computed by how many rows the columns lead on: in front of the loops in which they stay the same. */
static double times_of_columns(const Kernel *kernel, const ArrayUse *use, int64_t row)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(use->at);
    IrLoop *loop = ir_loop_of(kernel->ir, block);
    for (; loop && !columns_move(&use->offset, row, loop); loop = ir_loop_parent(loop))
        block = ir_idom(kernel->ir, ir_loop_header(loop));
    return weigh_block(kernel->scope, block);
}

/* Where the piece begins in its row. */
static int64_t column_of(const Weighed *weighed, int64_t row)
{
    return floor_mod(floor_div(weighed->use->offset.constant, weighed->piece) * weighed->piece, row);
}

/* Has it been computed for one before, in the same block? */
static bool is_divided(const Spot *spot, size_t number, int64_t row)
{
    const Weighed *weighed = spot->accesses.item[number];
    for (size_t i = 0; i < number; i++) {
        const Weighed *other = spot->accesses.item[i];
        bool is_here = LLVMGetInstructionParent(other->use->at) == LLVMGetInstructionParent(weighed->use->at);
        if (is_here && column_of(other, row) == column_of(weighed, row))
            return true;
    }
    return false;
}

/* How often which pieces are moved, if the rows are so much longer. */
static void count_pieces(const Kernel *kernel, Spot *spot, int64_t row, int64_t pad)
{
    for (int i = 0; i < PIECES; i++)
        spot->times[i] = 0;
    spot->divided = 0;
    for (size_t i = 0; i < spot->accesses.count; i++) {
        Weighed *weighed = spot->accesses.item[i];
        const ArrayUse *use = weighed->use;
        int piece = weighed->piece = joined_bytes(use, row, pad);
        spot->times[piece == use->unit ? 0 : piece < REQUEST_BYTES ? 1 : 2] += weighed->times * use->unit / piece;
        if (pad && !offset_stays(&use->offset, row) && !is_divided(spot, i, row))
            spot->divided += times_of_columns(kernel, use, row);
    }
}

static const Form *padded(Kernel *trial, const Layouts *layouts, const Spot *spot, int64_t row, int64_t pad)
{
    FormSpace *forms = trial->forms;
    const Form *address = access_at(trial, spot->number)->address, *offset = offset_in(trial, layouts, spot);
    const Form *rows = offset && pad ? form_op(forms, OP_SDIV, 64, offset, form_constant(forms, row)) : NULL;
    const Form *moved = rows ? form_scale(forms, rows, pad) : NULL;
    return pad ? moved ? form_add(forms, address, moved) : NULL : address;
}

/* Where no thread of such a block would come there, all are taken to: it is not the block that the kernel was written for. */
static Figure figure_at(const Kernel *trial, const Access *access, const Form *address, int bytes)
{
    Access joined = *access;
    if (bytes)
        joined.bytes = joined.piece = bytes;
    Figure figure = access_figure(trial, &joined, address);
    const Request unguarded = {.address = address, .bytes = joined.bytes, .piece = joined.piece, .is_banked = true};
    return figure.known ? figure : figure_of(trial->forms, &unguarded);
}

/* Adds what the accesses of the spot take. */
static void add_spot(Kernel *trial, const Layouts *layouts, const Spot *spot, const Form *address, ArrayTime *sum)
{
    static const int joined[PIECES] = {0, REQUEST_BYTES / 2, REQUEST_BYTES};
    const Costs *costs = &layouts->kernel->options.cost;
    double slot = costs->SLOT / costs->PASS;
    for (int i = 0; i < PIECES && sum->is_known; i++) {
        if (spot->times[i] == 0)
            continue;
        Figure figure = address ? figure_at(trial, access_at(trial, spot->number), address, joined[i]) : (Figure){0};
        sum->is_known = figure.known && figure.banks_known;
        sum->passes += figure.wavefronts * spot->times[i];
        sum->time += (figure.wavefronts + figure.requests * slot) * spot->times[i];
    }
    sum->time += spot->divided * costs->PAD_INDEX * slot;
}

/* The mean of all blocks. */
ArrayTime array_time(const Layouts *layouts, int64_t row, int64_t pad)
{
    ArrayTime sum = {.is_known = true};
    for (size_t i = 0; i < layouts->spots.count && sum.is_known; i++) {
        Spot *spot = layouts->spots.item[i];
        count_pieces(layouts->kernel, spot, row, pad);
        for (size_t k = 0; k < layouts->trials.count; k++) {
            Kernel *trial = layouts->trials.item[k];
            add_spot(trial, layouts, spot, padded(trial, layouts, spot, row, pad), &sum);
        }
    }
    sum.passes /= (double)layouts->trials.count;
    sum.time /= (double)layouts->trials.count;
    return sum;
}

Layouts layouts_find(Kernel *kernel, const Padding *padding)
{
    Layouts layouts = {kernel, padding, list_new(kernel->arena), list_new(kernel->arena)};
    find_spots(&layouts);
    find_trials(&layouts);
    return layouts;
}
