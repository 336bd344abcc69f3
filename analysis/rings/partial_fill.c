/* Places that an iteration may leave as they are, because its copy stands under a condition that changes:
 *
 *     s[t] = 0;                          the place is blanked before: where nothing is copied, zeros are
 *     if (k < n) s[t] = g[k];
 *
 *     if (k < n) s[t] = g[k];            it keeps what the last copy brought: nothing writes the source, so that the slot of
 *                                        this iteration has the same when it is copied again from there
 *
 *     for (j = t; j < 256; j += 64)      in a loop of its own, where it came from is not remembered for every place: it keeps
 *         if (k + j < n) s[j] = g[k + j];    what the slot of the iteration before has there, once that has come. No iteration
 *                                        but the last waits for that where the condition compares counters with a bound: so it is
 *                                        kept outside of such loops, too
 *
 * Such a copy is late: made when all ways through the copies, or through an iteration of the loop of its own, have met, of what
 * would stand at its place then. A thread that brings back its own element must not undo what another one did: where places
 * are kept, no two threads share one, which a test on entry finds out (thread_disjoint.c). */
#include "analysis/address/automaton.h"
#include "analysis/rings/search.h"

/* Bytes that the instruction makes zero, a store or a memory set, and where; 0: it is neither. */
static int64_t zeros_in(const Search *search, LLVMValueRef instruction, LLVMValueRef *place)
{
    bool sets = LLVMIsAMemSetInst(instruction), stores = LLVMIsAStoreInst(instruction) && is_plain(instruction);
    LLVMValueRef size = sets ? LLVMIsAConstantInt(LLVMGetOperand(instruction, 2)) : NULL;
    if (stores ? !is_zero(LLVMGetOperand(instruction, 0))
               : !size || !is_zero(LLVMGetOperand(instruction, 1)) || !is_zero(LLVMGetOperand(instruction, 3)))
        return 0;
    *place = LLVMGetOperand(instruction, sets ? 0 : 1);
    return sets ? (int64_t)LLVMConstIntGetZExtValue(size)
                : (int64_t)LLVMStoreSizeOfType(search->kernel->layout, LLVMTypeOf(LLVMGetOperand(instruction, 0)));
}

/* The loop inside of the tile loop that the copy stands in; NULL where there is none. */
static IrLoop *inner_loop_of(const Search *search, const RingCopy *copy)
{
    IrLoop *loop = loop_of_copy(search, copy);
    return loop == search->loop ? NULL : loop;
}

/* Where all ways have met that lead through it, or past it. */
static LLVMBasicBlockRef meeting_of(const Search *search, const RingCopy *copy)
{
    IrLoop *inner = inner_loop_of(search, copy);
    return inner ? ir_loop_latch(inner) : LLVMGetInstructionParent(search->ring->shape.filled);
}

static bool are_in_one_loop(const Search *search, LLVMValueRef a, LLVMValueRef b)
{
    IrModule *ir = search->kernel->ir;
    return ir_loop_of(ir, LLVMGetInstructionParent(a)) == ir_loop_of(ir, LLVMGetInstructionParent(b));
}

static bool is_blank_of(const Search *search, LLVMValueRef zeros, LLVMValueRef place, const RingCopy *copy)
{
    int64_t distance;
    return are_in_one_loop(search, copy->store, zeros) &&
           LLVMGetInstructionParent(zeros) != LLVMGetInstructionParent(copy->store) &&
           ir_distance(search->kernel->ir, search->scope->function, copy->target, place, &distance) && !distance;
}

static bool visit_blank(Search *search, LLVMValueRef instruction)
{
    Ring *ring = search->ring;
    LLVMValueRef place;
    int64_t bytes = zeros_in(search, instruction, &place);
    if (!bytes || !is_among_copies(search, instruction) || copy_by(ring, instruction))
        return true;
    for (size_t i = 0; i < ring->copies.count; i++) {
        RingCopy *copy = ring->copies.item[i];
        if (bytes != copy->bytes || !is_blank_of(search, instruction, place, copy))
            continue;
        RingBlank *blank = ARENA_NEW(ring->arena, RingBlank);
        *blank = (RingBlank){instruction, copy};
        list_add(&ring->blanks, blank);
        copy->kind = COPY_LATE;
        return true;
    }
    return true;
}

void gaps_find(Search *search) { each_instruction(search, visit_blank); }

const RingBlank *blank_by(const Ring *ring, LLVMValueRef store)
{
    for (size_t i = 0; i < ring->blanks.count; i++)
        if (((const RingBlank *)ring->blanks.item[i])->store == store)
            return ring->blanks.item[i];
    return NULL;
}

/* ---- is the place filled in every iteration? ---- */

/* Is it filled in the block, by the copy or with zeros? */
static bool fills(const Search *search, LLVMBasicBlockRef block, const RingCopy *copy)
{
    bool any = LLVMGetInstructionParent(copy->store) == block;
    for (size_t i = 0; i < search->ring->blanks.count; i++) {
        const RingBlank *blank = search->ring->blanks.item[i];
        any |= blank->copy == copy && LLVMGetInstructionParent(blank->store) == block;
    }
    return any;
}

/* From the end of the block to where all ways meet: is there one that fills the place, is there one that does not? */
static void follow(const Search *search, LLVMBasicBlockRef from, const RingCopy *copy, bool *filling, bool *passing)
{
    IrLoop *inner = inner_loop_of(search, copy);
    Map *seen = map_new(search->kernel->arena);
    List pending = list_new(search->kernel->arena);
    list_add(&pending, from);
    while (pending.count) {
        LLVMBasicBlockRef block = pending.item[--pending.count];
        bool meets = block == meeting_of(search, copy);
        LLVMValueRef jump = LLVMGetBasicBlockTerminator(block);
        *passing |= meets;
        for (unsigned s = 0; !meets && s < LLVMGetNumSuccessors(jump); s++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(jump, s);
            if ((inner && !ir_loop_has_block(inner, next)) || map_get(seen, next))
                continue;
            map_put(seen, next, next);
            *filling |= fills(search, next, copy);
            if (!fills(search, next, copy))
                list_add(&pending, next);
        }
    }
}

static bool decides_gap(const Search *search, LLVMBasicBlockRef branch, const RingCopy *copy)
{
    bool filling = false, passing = false;
    follow(search, branch, copy, &filling, &passing);
    return filling && passing;
}

/* Is whether the place is filled up to such conditions? */
static bool is_up_to(Search *search, const RingCopy *copy, bool (*is_such)(Search *search, LLVMValueRef condition))
{
    IrLoop *loop = loop_of_copy(search, copy);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(search->scope->function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        LLVMValueRef condition = ir_loop_has_block(loop, b) ? condition_of(end) : NULL;
        if (condition && is_among_copies(search, end) && !fills(search, b, copy) && decides_gap(search, b, copy) &&
            !is_such(search, condition))
            return false;
    }
    return true;
}

/* Does a way lead past all that fills the place? */
static bool may_lack(const Search *search, const RingCopy *copy)
{
    const Ring *ring = search->ring;
    bool filling = false, passing = false;
    LLVMBasicBlockRef first = copy->begins              ? copy->begins
                              : ring->shape.freed_first ? LLVMGetInstructionParent(ring->shape.freed)
                                                        : ring->header;
    if (!fills(search, first, copy))
        follow(search, first, copy, &filling, &passing);
    return passing;
}

static bool is_fixed(Search *search, LLVMValueRef condition)
{
    return next_tile_is_fixed(search->ring, search->scope, search->loop, condition);
}

/* ---- late copies ---- */

/* Does every iteration of the loop that fills the place come to where its ways meet? It ends there, or before it has begun. */
static bool ends_together(const Search *search, const RingCopy *copy, IrLoop *inner)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(search->scope->function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef jump = LLVMGetBasicBlockTerminator(b);
        bool begins = b == ir_loop_header(inner) && !fills(search, b, copy);
        for (unsigned s = 0; ir_loop_has_block(inner, b) && s < LLVMGetNumSuccessors(jump); s++)
            if (!begins && b != ir_loop_latch(inner) && !ir_loop_has_block(inner, LLVMGetSuccessor(jump, s)))
                return false;
    }
    return true;
}

typedef struct {
    Search *search;
    IrLoop *inner;
    Slice *at_hand; /* what has to be, besides */
    List *counters; /* phis that were met */
} Inside;

static SlicePart ask_at_hand(Slice *slice, const void *context, LLVMValueRef value)
{
    const Inside *inside = context;
    LLVMBasicBlockRef block = LLVMIsAInstruction(value) ? LLVMGetInstructionParent(value) : NULL;
    (void)slice;
    if (!block || !ir_loop_has_block(inside->search->loop, block))
        return SLICE_KNOWN;
    IrLoop *loop = ir_loop_of(inside->search->kernel->ir, block);
    if (LLVMIsAPHINode(value))
        return block == ir_loop_header(loop) && loop != inside->search->loop && ir_loop_inside(inside->inner, loop) ? SLICE_KNOWN
                                                                                                                    : SLICE_FAILS;
    return ir_is_pure(value) ? SLICE_MADE : SLICE_FAILS;
}

/* Can it be computed wherever an iteration of the inner loop is: of the counters of that loop and of those around it? */
static bool is_at_hand(Search *search, IrLoop *inner, LLVMValueRef value)
{
    const Inside inside = {search, inner, NULL, NULL};
    return slice_of(search->kernel->arena, value, ask_at_hand, &inside);
}

static SlicePart ask_at_start(Slice *slice, const void *context, LLVMValueRef value)
{
    const Inside *inside = context;
    Search *search = inside->search;
    LLVMBasicBlockRef block = LLVMIsAInstruction(value) ? LLVMGetInstructionParent(value) : NULL;
    if (!block || !ir_loop_has_block(inside->inner, block))
        return SLICE_KNOWN;
    for (unsigned i = 0; LLVMIsAPHINode(value) && i < LLVMCountIncoming(value); i++) {
        LLVMValueRef from = LLVMGetIncomingValue(value, i);
        bool again = LLVMGetIncomingBlock(value, i) == ir_loop_latch(inside->inner);
        if (!again && !(is_fixed(search, from) && next_tile_is_anywhere(search->kernel->arena, search->loop, from)))
            return SLICE_FAILS;
        if (again)
            slice_add(inside->at_hand, from);
        if (again)
            slice_add(slice, from);
    }
    if (!LLVMIsAPHINode(value))
        return SLICE_MADE;
    list_add(inside->counters, value);
    return SLICE_KNOWN;
}

/* Are the counters that the value is made of known before the loop, and in each of its iterations for the next one? */
static bool is_at_start(Search *search, IrLoop *inner, LLVMValueRef value, List *counters)
{
    Inside inside = {search, inner, NULL, counters};
    inside.at_hand = slice_open(search->kernel->arena, ask_at_hand, &inside);
    return slice_of(search->kernel->arena, value, ask_at_start, &inside) && slice_holds(inside.at_hand);
}

/* A loop that may run less often, or not at all, leaves places at the end of one row of them. */
static bool may_stop(Search *search, RingCopy *copy, IrLoop *inner)
{
    Term term;
    copy->counters = list_new(search->ring->arena);
    const Form *place = automaton_form(search->scope, copy->target);
    FormSpace *forms = search->kernel->forms;
    copy->stops = ir_loop_parent(inner) == search->loop && is_fixed(search, copy->target) && !place->bounded &&
                  term_of_counter(search->scope, place, inner, &term) && term.coefficient > 0 &&
                  form_is_invariant(form_sub(forms, place, form_of_term(forms, &term)), inner) &&
                  is_at_start(search, inner, copy->target, &copy->counters);
    return copy->stops;
}

/* The loop runs alike in every iteration of the tile loop, whatever its copies do; or it stops sooner. */
static bool may_be_late_inside(Search *search, RingCopy *copy, IrLoop *inner)
{
    copy->begins = ir_loop_header(inner);
    copy->meets = ir_loop_latch(inner);
    return copy->meets && ends_together(search, copy, inner) && is_at_hand(search, inner, copy->target) &&
           (place_is_alike_at(search, copy, copy->meets) || may_stop(search, copy, inner));
}

static bool may_be_late(Search *search, RingCopy *copy)
{
    IrLoop *inner = inner_loop_of(search, copy);
    if (inner)
        return may_be_late_inside(search, copy, inner);
    return next_tile_is_anywhere(search->kernel->arena, search->loop, copy->target) &&
           next_tile_is_fixed(search->ring, search->scope, search->loop, copy->target);
}

/* ---- conditions that hold until the last iteration ---- */

static bool is_bounding(LLVMValueRef value)
{
    const char *name = LLVMIsACallInst(value) ? callee_name(value) : "";
    return text_begins(name, "llvm.smin.") || text_begins(name, "llvm.umin.") || text_begins(name, "llvm.smax.") ||
           text_begins(name, "llvm.umax.");
}

static bool steps(const Search *search, LLVMValueRef counter)
{
    LLVMValueRef next = next_tile_value(search->loop, counter);
    return is_op(next, LLVMAdd) && (LLVMGetOperand(next, 0) == counter || LLVMGetOperand(next, 1) == counter);
}

/* Moves on from iteration to iteration, by steps, up to a bound. */
static SlicePart ask_even(Slice *slice, const void *context, LLVMValueRef value)
{
    static const LLVMOpcode even[] = {LLVMAdd, LLVMSub, LLVMMul, LLVMShl, LLVMOr, LLVMSExt, LLVMZExt, LLVMTrunc, LLVMFreeze};
    Search *search = (Search *)context;
    bool is_even = false;
    if (is_fixed(search, value))
        return SLICE_KNOWN;
    if (LLVMIsAPHINode(value) && LLVMGetInstructionParent(value) == search->ring->header)
        return steps(search, value) ? SLICE_KNOWN : SLICE_FAILS;
    for (int i = LLVMGetNumOperands(value) - 1; is_bounding(value) && i-- > 0;)
        slice_add(slice, LLVMGetOperand(value, (unsigned)i)); /* but not what is called */
    for (size_t i = 0; i < sizeof even / sizeof *even; i++)
        is_even |= is_op(value, even[i]);
    return is_bounding(value) ? SLICE_KNOWN : is_even ? SLICE_MADE : SLICE_FAILS;
}

/* Does the condition say how far the iterations have come, if it says anything? */
static SlicePart ask_bound(Slice *slice, const void *context, LLVMValueRef condition)
{
    Search *search = (Search *)context;
    bool joins = is_op(condition, LLVMAnd) || is_op(condition, LLVMOr) || is_op(condition, LLVMSelect) ||
                 is_op(condition, LLVMFreeze);
    (void)slice;
    if (is_fixed(search, condition))
        return SLICE_KNOWN;
    if (!is_op(condition, LLVMICmp))
        return joins ? SLICE_MADE : SLICE_FAILS;
    bool tells = LLVMGetICmpPredicate(condition) != LLVMIntEQ && LLVMGetICmpPredicate(condition) != LLVMIntNE;
    for (unsigned i = 0; tells && i < 2; i++)
        tells = slice_of(search->kernel->arena, LLVMGetOperand(condition, i), ask_even, search);
    return tells ? SLICE_KNOWN : SLICE_FAILS;
}

static bool is_bound(Search *search, LLVMValueRef condition)
{
    return slice_of(search->kernel->arena, condition, ask_bound, search);
}

/* ---- what the place needs to be filled at all ---- */

static bool is_at_meeting(Search *search, const RingCopy *copy, LLVMValueRef value)
{
    IrLoop *inner = inner_loop_of(search, copy);
    return is_fixed(search, value) &&
           (inner ? is_at_hand(search, inner, value) : next_tile_is_anywhere(search->kernel->arena, search->loop, value));
}

typedef struct {
    Search *search;
    RingCopy *copy;
    bool holds;
} Needing;

/* A part that says nothing at the meeting is left out: fewer are asked for. */
static SlicePart ask_needs(Slice *slice, const void *context, LLVMValueRef condition)
{
    const Needing *needing = context;
    bool holds = needing->holds, chooses = is_op(condition, LLVMSelect), joins = is_op(condition, holds ? LLVMAnd : LLVMOr);
    LLVMValueRef other = chooses ? LLVMGetOperand(condition, holds ? 2 : 1) : NULL;
    LLVMValueRef decided = other ? LLVMIsAConstantInt(other) : NULL;
    if (joins || (decided && (LLVMConstIntGetZExtValue(decided) != 0) != holds)) {
        slice_add(slice, LLVMGetOperand(condition, joins || holds ? 1 : 2));
        slice_add(slice, LLVMGetOperand(condition, 0));
    } else if (is_at_meeting(needing->search, needing->copy, condition)) {
        RingNeed *need = ARENA_NEW(needing->search->ring->arena, RingNeed);
        *need = (RingNeed){condition, holds};
        list_add(&needing->copy->needs, need);
    }
    return SLICE_KNOWN;
}

/* The parts of the condition, in the order in which they are asked. */
static void add_needs(Search *search, RingCopy *copy, LLVMValueRef condition, bool holds)
{
    const Needing needing = {search, copy, holds};
    slice_of(search->kernel->arena, condition, ask_needs, &needing);
}

static bool leads_to(const Search *search, LLVMBasicBlockRef block, LLVMBasicBlockRef fill, LLVMBasicBlockRef end)
{
    return block == fill || (block != end && path_leads(search->kernel->arena, block, fill, NULL, end));
}

/* Of all branches that stand above the copy, from the first to the last, which lets it be made one way alone. */
static void find_needs(Search *search, RingCopy *copy)
{
    LLVMBasicBlockRef fill = LLVMGetInstructionParent(copy->store), end = meeting_of(search, copy);
    List branches = list_new(search->kernel->arena);
    copy->needs = list_new(search->ring->arena);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(search->scope->function); b; b = LLVMGetNextBasicBlock(b)) {
        size_t place = branches.count;
        if (!ir_loop_has_block(loop_of_copy(search, copy), b) || b == fill || !ir_dominates(search->kernel->ir, b, fill) ||
            !is_conditional(LLVMGetBasicBlockTerminator(b)) || !is_among_copies(search, LLVMGetBasicBlockTerminator(b)))
            continue;
        list_add(&branches, b);
        for (; place && ir_dominates(search->kernel->ir, b, branches.item[place - 1]); place--)
            branches.item[place] = branches.item[place - 1];
        branches.item[place] = b;
    }
    for (size_t i = 0; i < branches.count; i++) {
        LLVMValueRef jump = LLVMGetBasicBlockTerminator(branches.item[i]);
        bool first = leads_to(search, LLVMGetSuccessor(jump, 0), fill, end);
        if (first != leads_to(search, LLVMGetSuccessor(jump, 1), fill, end))
            add_needs(search, copy, LLVMGetCondition(jump), first);
    }
}

/* Is it by such conditions that the loop runs less often? */
static bool stops_at_end(Search *search, const RingCopy *copy)
{
    LLVMBasicBlockRef filled = LLVMGetInstructionParent(search->ring->shape.filled);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(search->scope->function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        LLVMValueRef condition = ir_loop_has_block(search->loop, b) ? condition_of(end) : NULL;
        if (condition && is_among_copies(search, end) && path_decides(search->kernel, b, copy->meets, filled) &&
            !is_bound(search, condition))
            return false;
    }
    return true;
}

/* Where its array lies in a slot. */
static void find_room(const Search *search, RingCopy *copy)
{
    LLVMValueRef array = shared_array_of(copy->target);
    copy->offset = 0;
    for (size_t i = 0;; i++) {
        LLVMValueRef other = search->ring->tile.arrays.item[i];
        copy->room = (int64_t)LLVMABISizeOfType(search->kernel->layout, LLVMGlobalGetValueType(other));
        if (other == array)
            return;
        copy->offset += ring_part_bytes(search->ring, copy->room);
    }
}

/* Loops that carry much from tile to tile have no room for a branch of every copy: products of 64 x 64 patches came to 1.31 of
 * plain clang, and to 1.49 where it is remembered what was copied; products of 16 x 16, the other way round, to 1.31 and 1.00
 * (H200). */
static bool has_few_sums(const Search *search) { return search->ring->price.sums < search->kernel->options.cost.FEW_SUMS; }

bool gaps_close(Search *search, RingCopy *copy)
{
    if (copy->kind == COPY_ALIKE && place_is_alike(search, copy))
        return true;
    copy->kind = COPY_LATE;
    if (!may_be_late(search, copy))
        return false;
    bool ends = is_up_to(search, copy, is_bound) && (!copy->stops || stops_at_end(search, copy));
    bool keeps = copy->stops || !is_up_to(search, copy, is_fixed);
    bool carries = keeps && (copy->begins || (ends && has_few_sums(search)));
    copy->kind = carries ? COPY_CARRIED : keeps ? COPY_AGAIN : COPY_LATE;
    copy->lacks = may_lack(search, copy);
    search->ring->tile.late |= !copy->begins && !carries;
    search->ring->tile.keeps |= keeps;
    search->ring->tile.waits |= carries && !ends;
    if (carries) {
        find_room(search, copy);
        find_needs(search, copy);
    }
    return !keeps || disjoint_add(search, copy);
}
