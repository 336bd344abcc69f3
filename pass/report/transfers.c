/* Copies from global to shared memory: by what they are made, how much is under way, and what keeps them from better.
 *
 * What is said of a ring's copies is said before it is made, and its copies carry it; of all others when everything is done. */
#include "analysis/explain/explain.h"
#include "pass/base/marks.h"
#include "pass/report/remark.h"
#include "pass/report/sentence.h"

typedef struct {
    const Kernel *kernel;
    const Access *access; /* that fills shared memory; NULL: assembly does */
    LLVMValueRef copy, load; /* what fills it, and what is loaded there: one and the same of a copy instruction */
    LLVMValueRef array; /* NULL where nobody knows */
    int64_t bytes, piece; /* of a thread: each time, and of one instruction */
    int64_t times; /* an iteration of the tile loop; 0: nobody knows */
    int left; /* groups that the program leaves under way where it waits; of its own copies alone */
} Moved;

/* ---- how much ---- */

/* At most; 0 where nobody knows. */
static int64_t threads_of(const Kernel *kernel)
{
    int limit = form_shape(kernel->forms).limit;
    return limit ? limit : kernel->launched.threads;
}

static int64_t size_of(const Kernel *kernel, LLVMValueRef array)
{
    return array ? (int64_t)LLVMABISizeOfType(kernel->layout, LLVMGlobalGetValueType(array)) : 0;
}

static int64_t smaller_known(int64_t a, int64_t b) { return !a || (b && b < a) ? b : a; }

/* Of one tile: no more than there is room for. */
static int64_t tile_bytes(const Moved *moved, int64_t room)
{
    return smaller_known(moved->times * moved->bytes * threads_of(moved->kernel), room);
}

/* What the copies of a ring to one array share, by their bytes. */
static int64_t room_of(const Moved *moved, const Ring *ring, const RingCopy *copy)
{
    int64_t all = 0;
    for (size_t i = 0; copy->store && i < ring->copies.count; i++) {
        const RingCopy *other = ring->copies.item[i];
        if (other->store && shared_array_of(other->target) == moved->array)
            all += other->bytes;
    }
    return all ? size_of(moved->kernel, moved->array) * copy->bytes / all : 0;
}

static int64_t blocks_of(const Kernel *kernel)
{
    return shared_is_dynamic(kernel) ? 0 : resident_blocks(kernel, shared_bytes(kernel, NULL));
}

static void put_blocks(Transfer *row, Arena *arena, int64_t blocks)
{
    transfer_put(row, arena, TRANSFER_blocks, blocks);
    transfer_put(row, arena, TRANSFER_in_flight_sm, blocks * transfer_number(row, TRANSFER_in_flight));
}

/* ---- what keeps it from better ---- */

static void put_why(Transfer *row, const Moved *moved, Why why, LLVMValueRef obstacle)
{
    const WhyText *text = why_text(why);
    row->cell[TRANSFER_keeps] = why ? text->name : "None";
    if (!why)
        return;
    const char *where = obstacle_text(moved->kernel->scope, obstacle, moved->copy);
    row->cell[TRANSFER_because] = arena_text(moved->kernel->arena, "%s%s%s", text->sentence, *where ? ": " : "", where);
    row->cell[TRANSFER_remedy] = text->remedy;
}

/* Lanes that do not read neighbours share no piece, whatever the test on entry says; WHY_NONE: they do, or nobody knows. */
static Why why_apart(const Access *source)
{
    switch (source ? source->kind : CLASS_UNIT) {
    case CLASS_STRIDED:
    case CLASS_RECORD:
    case CLASS_WALK: return WHY_STRIDED;
    case CLASS_GATHER: return WHY_GATHER;
    default: return WHY_NONE;
    }
}

static Why why_of_ring(const Ring *ring, const RingCopy *copy, Why apart)
{
    if (ring->choice.engine == ENGINE_REGISTERS)
        return !ring->instead ? WHY_NONE : ring->instead->why ? ring->instead->why : WHY_MOVE_HELD;
    if (ring->choice.engine == ENGINE_KNOWN || ring->shape.once)
        return WHY_NONE;
    if (apart && copy->piece < COPY_WIDEST)
        return apart;
    if (!ring->choice.wide && copy->piece < COPY_WIDEST)
        return copy->narrow ? copy->narrow : WHY_MOVE_NARROW;
    return ring->choice.crowded ? WHY_MOVE_ROOM : WHY_NONE;
}

/* ---- rows ---- */

static Transfer *row_begin(const Moved *moved, const char *engine)
{
    Arena *arena = moved->kernel->arena;
    Transfer *row = transfer_new(arena);
    const Scope *scope = moved->access ? moved->access->scope : moved->kernel->scope;
    Location location = location_of(scope, moved->load);
    row->cell[TRANSFER_kernel] = moved->kernel->name;
    row->cell[TRANSFER_file] = location.line ? location.file : "";
    row->cell[TRANSFER_directory] = location.line ? location.directory : "";
    transfer_put(row, arena, TRANSFER_line, location.line);
    transfer_put(row, arena, TRANSFER_column, location.column);
    row->cell[TRANSFER_array] = moved->array ? array_name(arena, moved->array) : "";
    row->cell[TRANSFER_engine] = engine;
    transfer_put(row, arena, TRANSFER_piece, moved->piece);
    transfer_put(row, arena, TRANSFER_bytes, moved->bytes * (moved->times ? moved->times : 1));
    return row;
}

/* The load of what is copied, among the accesses; NULL where assembly copies. */
static const Access *source_of(const Moved *moved)
{
    for (size_t i = 0; i < moved->kernel->found.accesses.count; i++) {
        const Access *access = moved->kernel->found.accesses.item[i];
        if (access->instruction == moved->load && access->op == OP_LOAD)
            return access;
    }
    return NULL;
}

static void put_source(Transfer *row, const Moved *moved)
{
    const Access *source = source_of(moved);
    row->cell[TRANSFER_class] = source ? class_text(source->kind) : "";
    transfer_put(row, moved->kernel->arena, TRANSFER_aligned, source ? source->alignment : 0);
}

static bool is_tested(const Ring *ring, const RingCopy *copy)
{
    for (size_t i = 0; i < ring->entry.aligned.count; i++)
        if (ring->entry.aligned.item[i] == copy)
            return true;
    return false;
}

static const char *engine_of(const Ring *ring)
{
    return ring->choice.engine == ENGINE_REGISTERS                   ? "registers"
           : ring->choice.engine == ENGINE_KNOWN || ring->shape.once ? "once"
                                                                     : "cp.async";
}

static Transfer *row_of_ring(Moved *moved, const Ring *ring, const RingCopy *copy)
{
    Arena *arena = moved->kernel->arena;
    bool is_async = ring->choice.engine == ENGINE_ASYNC && !ring->shape.once;
    bool runs_ahead = is_async || ring->choice.engine == ENGINE_REGISTERS;
    Why apart = why_apart(source_of(moved));
    bool is_shared = ring->choice.wide && !apart;
    moved->piece = is_shared ? COPY_WIDEST : copy->piece;
    Transfer *row = row_begin(moved, engine_of(ring));
    put_source(row, moved);
    if (is_async && (is_shared || is_tested(ring, copy)))
        transfer_put(row, arena, TRANSFER_tested, moved->piece);
    int64_t tiles = runs_ahead ? (int64_t)(ring->choice.stages - 1) * ring->choice.batch : 0;
    transfer_put(row, arena, TRANSFER_stages, runs_ahead ? ring->choice.stages : 0);
    transfer_put(row, arena, TRANSFER_batch, runs_ahead ? ring->choice.batch : 0);
    transfer_put(row, arena, TRANSFER_in_flight, tiles * tile_bytes(moved, room_of(moved, ring, copy)));
    put_why(row, moved, why_of_ring(ring, copy, apart), ring->instead ? ring->instead->obstacle : NULL);
    put_blocks(row, arena, is_async ? ring->choice.resident.after : blocks_of(moved->kernel));
    return row;
}

/* Each thread waits for what it loads before it stores that; in a loop of its own, for each element. */
static Transfer *row_as_written(Moved *moved, Why why, LLVMValueRef obstacle)
{
    Arena *arena = moved->kernel->arena;
    Transfer *row = row_begin(moved, "loads and stores");
    put_source(row, moved);
    int64_t at_once = moved->access->loop == (moved->access->tile ? moved->access->tile->loop : NULL) ? moved->bytes : moved->piece;
    transfer_put(row, arena, TRANSFER_in_flight,
                 smaller_known(at_once * threads_of(moved->kernel), size_of(moved->kernel, moved->array)));
    put_why(row, moved, why, obstacle);
    return row;
}

/* All iterations of its loop are under way at once. */
static Transfer *row_of_fill(Moved *moved)
{
    Transfer *row = row_begin(moved, "cp.async");
    put_source(row, moved);
    transfer_put(row, moved->kernel->arena, TRANSFER_in_flight, size_of(moved->kernel, moved->array));
    put_why(row, moved, moved->piece < COPY_WIDEST ? WHY_MOVE_NARROW : WHY_NONE, NULL);
    return row;
}

/* Groups that the program leaves under way where it waits, one more than which are before; -1: it does not wait. */
static int groups_left(const Kernel *kernel)
{
    int most = -1;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            int left = ir_is_marked(i, GROUP_METADATA) ? -1 : ir_groups_left(i);
            most = left > most ? left : most;
        }
    return most;
}

static Transfer *row_of_own(Moved *moved)
{
    Arena *arena = moved->kernel->arena;
    int left = moved->left;
    Transfer *row = row_begin(moved, "own cp.async");
    put_source(row, moved);
    transfer_put(row, arena, TRANSFER_stages, left + 1);
    transfer_put(row, arena, TRANSFER_in_flight,
                 (left + 1) * tile_bytes(moved, left > 0 ? 0 : size_of(moved->kernel, moved->array)));
    bool waits = left == 0 && ir_loop_of(moved->kernel->ir, LLVMGetInstructionParent(moved->copy));
    put_why(row, moved, waits ? WHY_MOVE_AWAITED : moved->piece < COPY_WIDEST ? WHY_MOVE_NARROW : WHY_NONE, NULL);
    return row;
}

/* ---- all copies of a kernel ---- */

/* Copies that unrolling made of one of the source are one. */
static bool is_one(const Transfer *a, const Transfer *b)
{
    static const TransferField same[] = {TRANSFER_file,  TRANSFER_line,   TRANSFER_column, TRANSFER_array,
                                         TRANSFER_class, TRANSFER_engine, TRANSFER_piece,  TRANSFER_keeps};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (strcmp(a->cell[same[i]], b->cell[same[i]]) != 0)
            return false;
    return *a->cell[TRANSFER_line] != 0;
}

static void row_add(List *rows, const Transfer *row, int64_t room)
{
    static const TransferField sums[] = {TRANSFER_bytes, TRANSFER_in_flight, TRANSFER_in_flight_sm};
    for (size_t i = 0; i < rows->count; i++) {
        Transfer *known = rows->item[i];
        if (!is_one(known, row))
            continue;
        for (size_t s = 0; s < sizeof sums / sizeof *sums; s++)
            transfer_put(known, rows->arena, sums[s], transfer_number(known, sums[s]) + transfer_number(row, sums[s]));
        if (room && transfer_number(known, TRANSFER_in_flight) > room && strcmp(known->cell[TRANSFER_stages], "") == 0)
            transfer_put(known, rows->arena, TRANSFER_in_flight, room);
        return;
    }
    list_add(rows, (void *)row);
}

static int64_t times_of(const Access *access)
{
    int64_t times = 1;
    const Tile *tile = access->tile;
    for (IrLoop *loop = access->loop; tile && loop && loop != tile->loop; loop = ir_loop_parent(loop))
        times *= ir_loop_trips(access->scope->kernel->ir, loop);
    return times;
}

static bool is_async_copy(LLVMValueRef copy)
{
    return LLVMIsACallInst(copy) && text_begins(callee_name(copy), "llvm.nvvm.cp.async.");
}

static bool moved_find(const Kernel *kernel, size_t number, Moved *moved)
{
    const Access *access = kernel->found.accesses.item[number];
    bool changed = false;
    LLVMValueRef load = staged_from(access, number ? kernel->found.accesses.item[number - 1] : NULL, &changed);
    if (!load)
        return false;
    *moved = (Moved){kernel,        access,        access->instruction, load, shared_array_of(access->pointer),
                     access->bytes, access->piece, times_of(access),    0};
    return true;
}

static const RingCopy *copy_of(const Ring *ring, const Moved *moved)
{
    for (size_t i = 0; i < ring->copies.count; i++) {
        const RingCopy *copy = ring->copies.item[i];
        if (copy->store ? copy->store == moved->copy : copy->load == moved->load)
            return copy;
    }
    return NULL;
}

static const Fill *fill_of(const Kernel *kernel, LLVMValueRef at)
{
    for (size_t i = 0; i < kernel->found.fills.count; i++)
        if (((const Fill *)kernel->found.fills.item[i])->at == at)
            return kernel->found.fills.item[i];
    return NULL;
}

static Transfer *row_of(Moved *moved)
{
    const Tile *tile = moved->access->tile;
    const Ring *ring = tile ? tile->ring : NULL;
    const RingCopy *copy = ring && !ring->why ? copy_of(ring, moved) : NULL;
    const Fill *fill = fill_of(moved->kernel, moved->copy);
    if (copy)
        return row_of_ring(moved, ring, copy);
    if (is_async_copy(moved->copy))
        return ir_is_marked(moved->copy, FILL_METADATA) ? row_of_fill(moved) : row_of_own(moved);
    if (fill)
        return row_as_written(moved, fill->why, fill->obstacle);
    if (ring)
        return row_as_written(moved, ring->why, ring->obstacle);
    return row_as_written(moved, moved->access->loop ? WHY_NONE : WHY_MOVE_ALONE, NULL);
}

const char *transfers_told(const Kernel *kernel, const Ring *ring)
{
    List rows = list_new(kernel->arena);
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        Moved moved;
        const Access *access = kernel->found.accesses.item[i];
        bool is_its = access->tile && ir_loop_header(access->tile->loop) == ring->header && moved_find(kernel, i, &moved);
        const RingCopy *copy = is_its ? copy_of(ring, &moved) : NULL;
        if (copy)
            row_add(&rows, row_of_ring(&moved, ring, copy), 0);
    }
    return transfers_pack(kernel->arena, &rows);
}

/* Rings that were made speak for their copies, each of which says the same. */
static void made_add(const Kernel *kernel, List *rows, List *said, const char *told)
{
    for (size_t i = 0; i < said->count; i++)
        if (strcmp(said->item[i], told) == 0)
            return;
    list_add(said, (void *)told);
    List made = transfers_unpack(kernel->arena, told);
    for (size_t i = 0; i < made.count; i++) {
        put_blocks(made.item[i], kernel->arena, blocks_of(kernel));
        list_add(rows, made.item[i]);
    }
}

/* Those that are assembly are no accesses. */
static void assembly_add(const Kernel *kernel, List *rows, int left)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (!ir_begins_copy(i) || is_async_copy(i))
                continue;
            int bytes = ir_copied_bytes(i);
            Moved moved = {kernel, NULL, i, i, array_behind(LLVMGetOperand(i, 0), 0), bytes, bytes, 1, left};
            row_add(rows, row_of_own(&moved), 0);
        }
}

/* ---- copies in bulk: one thread moves a row, a tile, or a box of a tensor map, and an mbarrier is told ---- */

enum {
    BULK_ALIGNED = 16,
    BULK_LEAST = 1024
}; /* the instruction asks for it; rows that are worth it (include/coalda.h, bulk_row_least) */

static int64_t constant_of(LLVMValueRef value) { return value && LLVMIsAConstantInt(value) ? LLVMConstIntGetSExtValue(value) : 0; }

/* Of a tile, as far as a number says so: what its mbarrier is told to expect, as a tile may be several rows. */
static int64_t bulk_tile(const Kernel *kernel, const IrBulk *bulk)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef expected = ir_expected_bytes(i, bulk->barrier);
            if (expected)
                return constant_of(expected);
        }
    return constant_of(bulk->bytes);
}

/* Does the loop read nothing from the copy to that wait? */
static bool waits_at_once(const Kernel *kernel, IrLoop *loop, LLVMValueRef copy, LLVMValueRef wait)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && ir_loop_has_block(loop, b); i = LLVMGetNextInstruction(i))
            if (LLVMIsALoadInst(i) && leads_past(kernel->arena, copy, wait, i))
                return false;
    return true;
}

/* In the loop that begins it, or, where that is a row of several, in one around it. */
static bool bulk_is_awaited(const Kernel *kernel, LLVMValueRef copy)
{
    IrLoop *loop = ir_loop_of(kernel->ir, LLVMGetInstructionParent(copy));
    for (; loop; loop = ir_loop_parent(loop))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel->function); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && ir_loop_has_block(loop, b); i = LLVMGetNextInstruction(i))
                if (ir_asks_phase(i) && waits_at_once(kernel, loop, copy, i))
                    return true;
    return false;
}

/* Arrays have as many buffers as tiles fit in; what else lies in a struct nobody knows here. */
static int64_t bulk_buffers(const Moved *moved, int64_t tile)
{
    bool is_plain = moved->array && LLVMGetTypeKind(LLVMGlobalGetValueType(moved->array)) == LLVMArrayTypeKind;
    int64_t size = is_plain ? size_of(moved->kernel, moved->array) : 0;
    return tile > 0 ? size / tile : 0;
}

static Transfer *row_of_bulk(const Moved *moved, const IrBulk *bulk)
{
    const Kernel *kernel = moved->kernel;
    int64_t tile = bulk_tile(kernel, bulk), buffers = bulk_buffers(moved, tile), size = size_of(kernel, moved->array);
    Transfer *row = row_begin(moved, "own bulk");
    transfer_put(row, kernel->arena, TRANSFER_aligned, BULK_ALIGNED);
    transfer_put(row, kernel->arena, TRANSFER_stages, buffers);
    transfer_put(row, kernel->arena, TRANSFER_in_flight, buffers ? buffers * tile : size);
    Why why = moved->piece && moved->piece < BULK_LEAST              ? WHY_MOVE_SHORT
              : buffers == 1 && bulk_is_awaited(kernel, moved->copy) ? WHY_MOVE_AWAITED
                                                                     : WHY_NONE;
    put_why(row, moved, why, NULL);
    return row;
}

static void bulk_add(const Kernel *kernel, List *rows)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            const IrBulk bulk = ir_bulk_copy(i);
            if (!bulk.to)
                continue;
            int64_t bytes = constant_of(bulk.bytes);
            Moved moved = {kernel, NULL, i, i, array_behind(bulk.to, 0), bytes, bytes, 1, 0};
            row_add(rows, row_of_bulk(&moved, &bulk), size_of(kernel, moved.array));
        }
}

List transfers_of(const Kernel *kernel)
{
    Arena *arena = kernel->arena;
    List rows = list_new(arena), said = list_new(arena);
    int left = groups_left(kernel);
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        Moved moved;
        if (!moved_find(kernel, i, &moved))
            continue;
        moved.left = left;
        const RingMade *made = ring_of_copy(arena, moved.copy);
        if (made)
            made_add(kernel, &rows, &said, made->copies);
        else
            row_add(&rows, row_of(&moved), size_of(kernel, moved.array));
    }
    assembly_add(kernel, &rows, left);
    bulk_add(kernel, &rows);
    for (size_t i = 0; i < rows.count; i++)
        if (!*((const Transfer *)rows.item[i])->cell[TRANSFER_blocks])
            put_blocks(rows.item[i], arena, blocks_of(kernel));
    return rows;
}

/* ---- remarks ---- */

static const char *transfer_sentence(Arena *arena, const Transfer *row)
{
    Sentence sentence = sentence_new(arena);
    const char *because = row->cell[TRANSFER_because], *remedy = row->cell[TRANSFER_remedy];
    say(&sentence, SAY_NEEDED,
        arena_text(arena, "copy to shared memory: %s, pieces of %s bytes", row->cell[TRANSFER_engine], row->cell[TRANSFER_piece]));
    if (*because)
        say(&sentence, SAY_NEEDED, arena_text(arena, "; %s", because));
    if (*remedy)
        say(&sentence, SAY_REMEDY, arena_text(arena, "; %s", remedy));
    return sentence_text(&sentence);
}

void remark_transfers(const Kernel *kernel)
{
    const List rows = transfers_of(kernel);
    LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel->function));
    for (size_t i = 0; i < rows.count; i++) {
        const Transfer *row = rows.item[i];
        IrRemarkPart parts[TRANSFER_FIELDS];
        size_t count = 0;
        for (int field = 0; field < TRANSFER_FIELDS; field++)
            if (*row->cell[field])
                parts[count++] = (IrRemarkPart){transfer_remark_key((TransferField)field), row->cell[field]};
        ir_remark_filed(REMARK_ANALYSIS, at, NULL, "Transfer", transfer_sentence(kernel->arena, row), parts, count);
    }
}
