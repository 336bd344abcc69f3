/* How many iterations of a walk move together: so many that a thread's piece of its row is worth exchanging.
 *
 *     for (j = 0; j < m; j++) s += A[t*m + j]      step 4     32 iterations: 128 bytes of every row, a record
 *
 * The loop's body is made that many times as long before records are looked for, the order of its operations unchanged;
 * fewer iterations than that, and what remains, run in the original loop. A loop that leaves in the middle of an iteration, as one
 * that the compiler has unrolled may, is made longer as far as its iterations are whole. One that may end early stays as it is: its
 * pieces would read what it would not. Where iterations take different ways, those loads make a record that all of them make. */
#include "analysis/ahead/lookahead.h"
#include "analysis/plan/plan.h"
#include "analysis/reductions/reductions.h"
#include "analysis/walks/jam.h"
#include "analysis/walks/walks.h"

typedef struct {
    IrLoop *loop;
    int length;           /* instructions */
    int64_t step, narrow; /* the longest and the shortest of its walks */
    const Access *first;
    bool single;  /* all its walks are of one row */
    bool only;    /* no other loop of the kernel walks, but for what one leaves over that has been unrolled */
    List early;   /* of numbers among its loads: those that come first, where iterations take different ways */
    List loads;   /* of LLVMValueRef: its walks, but for stores */
    List rows;    /* of Access: one load, and one store, of each place that is walked */
    Block *block; /* NULL where its loop stays as it is */
} Candidate;

static bool is_wasteful_walk(const Access *access)
{
    double waste = access->scope->kernel->options.cost.WASTE;
    bool in_memory = access->space == SPACE_GLOBAL || access->space == SPACE_GENERIC;
    return in_memory && access->kind == CLASS_WALK && access->op != OP_ATOMIC &&
           (!access->figure.known || access->figure.sectors >= waste * access->figure.ideal) && form_restless(access->address);
}

/* May any load of a row that it walks pass the instruction? */
static bool lets_pass(const Candidate *candidate, LLVMValueRef i)
{
    for (size_t k = 0; k < candidate->rows.count; k++) {
        const Access *row = candidate->rows.item[k];
        if (row->op == OP_LOAD && order_lets_pass(row->scope, i, row->instruction))
            return true;
    }
    return false;
}

/* Is there anything in the loop that no row that it walks passes, be it asked on entry where silent atomics add, or not? */
static bool has_order(const Candidate *candidate, bool asks)
{
    IrLoop *loop = candidate->loop;
    for (size_t n = 0; n < ir_loop_size(loop); n++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(ir_loop_block(loop, n)); i; i = LLVMGetNextInstruction(i))
            if (!is_unordered(i) && !LLVMIsAMemCpyInst(i) && !lets_pass(candidate, i) && !(asks && order_is_silent(i)))
                return true;
    return false;
}

static int instructions_of(IrLoop *loop)
{
    int instructions = 0;
    for (size_t n = 0; n < ir_loop_size(loop); n++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(ir_loop_block(loop, n)); i; i = LLVMGetNextInstruction(i))
            instructions++;
    return instructions;
}

/* Does the loop add to words that lie side by side, which reductions make at once where rows do not come between them? Sums of columns of 64 to 300 floats came to
 * 2.2 to 3.7 of plain clang with their rows moved, and come to 3.4 to 4.7 (H200). What a row stores does come between them. */
static bool adds_beside(const Candidate *candidate)
{
    Kernel *kernel = candidate->first->scope->kernel;
    for (size_t i = 0; i < candidate->rows.count; i++)
        if (((const Access *)candidate->rows.item[i])->op == OP_STORE)
            return false;
    if (!kernel->found.added)
        additions_find(kernel);
    for (size_t i = 0; i < kernel->found.stretches.count; i++) {
        const AddedStretch *stretch = kernel->found.stretches.item[i];
        if (ir_loop_has_block(candidate->loop, LLVMGetInstructionParent(stretch->first)))
            return true;
    }
    return false;
}

static bool is_ordered(const Candidate *candidate)
{
    if (!has_order(candidate, false))
        return false;
    return has_order(candidate, true) || adds_beside(candidate) ||
           !entry_tests_find(candidate->first->scope, candidate->loop, &candidate->loads);
}

/* What of the loop itself keeps it from being made longer. */
static Why loop_obstacle(const Kernel *kernel, const Candidate *candidate)
{
    IrLoop *loop = candidate->loop;
    if (!ir_loop_is_innermost(loop))
        return WHY_WALK_OUTER;
    if (!ir_loop_is_countable(kernel->ir, loop) && !ir_loop_leaves_inside(kernel->ir, loop))
        return WHY_WALK_ENDS;
    if (product_crosses(kernel->ir, loop) || product_returns(kernel->ir, loop))
        return WHY_WALK_FUSED;
    return is_ordered(candidate) ? WHY_WALK_ORDER : WHY_NONE;
}

static Candidate *candidate_of(List *candidates, const Access *access)
{
    for (size_t i = 0; i < candidates->count; i++) {
        Candidate *candidate = candidates->item[i];
        if (candidate->loop == access->loop)
            return candidate;
    }
    Candidate *candidate = ARENA_NEW(access->scope->kernel->arena, Candidate);
    *candidate = (Candidate){.loop = access->loop,
                             .narrow = INT64_MAX,
                             .first = access,
                             .single = true,
                             .only = true,
                             .early = list_new(access->scope->kernel->arena),
                             .loads = list_new(access->scope->kernel->arena),
                             .rows = list_new(access->scope->kernel->arena)};
    list_add(candidates, candidate);
    return candidate;
}

/* Nothing that the loop touches is narrower than a word. */
static bool is_of_words(const Kernel *kernel, const Candidate *candidate)
{
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        const Access *access = kernel->found.accesses.item[i];
        if (access->loop == candidate->loop && access->bytes < WORD_BYTES)
            return false;
    }
    return true;
}

/* Would the narrowest of several walks move in pieces that do not pay, where the widest moves `bytes`? */
static bool is_too_short(const Kernel *kernel, const Candidate *candidate, int bytes)
{
    return candidate->narrow * bytes < (int64_t)magnitude(candidate->step) * (int64_t)kernel->options.cost.WALKED;
}

/* Is what remains of a loop that moves so many bytes of its longest row at once a loop, for whoever leaves that one? Of two iterations one
 * remains, which is made a loop where all lanes go on together. */
static bool rest_may_be_loop(const Kernel *kernel, const Candidate *candidate, int bytes)
{
    int64_t two = 2 * (int64_t)magnitude(candidate->step);
    return !ir_loop_trips(kernel->ir, candidate->loop) &&
           (bytes > two || (bytes == two && uniform_leave(candidate->first->scope, candidate->loop)));
}

/* May a warp have a shelf for all rows of the loop, and go on in what remains where it finds none? */
static bool may_be_shelved(const Kernel *kernel, const Candidate *candidate, int bytes)
{
    bool shelved = rest_may_be_loop(kernel, candidate, bytes);
    for (size_t i = 0; i < candidate->rows.count; i++)
        shelved = shelved && shelf_awaits(kernel, candidate->rows.item[i], candidate->single);
    return shelved;
}

/* Words of rows that all lanes share, beside those that are walked: the backend makes wide loads of them, for as many iterations as
 * move at once. */
static int words_shared(const Kernel *kernel, const Candidate *candidate, int bytes)
{
    int64_t shared = walks_shared(kernel, candidate->loop);
    return (int)(shared * (bytes < CHUNK_BYTES ? bytes : CHUNK_BYTES) / (int64_t)magnitude(candidate->step)) / WORD_BYTES;
}

/* Of so many bytes of a row, which wait for their conditions where iterations take different ways: narrow elements in a register each. Of words and lines
 * of text by chunks, 64 bytes at a time, ptxas made 95 registers; in the 64 of blocks of any size they came to 0.5 to 0.9 of plain clang, classes of
 * bytes in rows to 0.83 to 3.06, a mean of 1.28, and to 1.01 to 2.2, a mean of 1.43, with the loop as it was (H200). */
static int words_waiting(const Candidate *candidate, const Access *row, int chunk)
{
    bool narrow = candidate->early.count && row->op == OP_LOAD && row->bytes < WORD_BYTES;
    return narrow ? chunk * (WORD_BYTES / row->bytes) : chunk;
}

/* Is it one of vectors of narrow elements, as LLVM makes them? */
static bool is_of_vectors(const Kernel *kernel, const Access *row)
{
    LLVMTypeRef type = LLVMTypeOf(row->instruction);
    return row->op == OP_LOAD && LLVMGetTypeKind(type) == LLVMVectorTypeKind &&
           LLVMStoreSizeOfType(kernel->layout, LLVMGetElementType(type)) < WORD_BYTES;
}

/* Are several rows of shorts or halves walked, or (`vectors`) of such vectors? They are unpacked where they arrive, an element in a register: products of two rows of shorts took 150 to 400 bytes
 * of the stack beside 64 registers, of three 600. Of 33 to 100 shorts they came to 0.33 to 1.02 of plain clang, of 200 to 1.7 to 1.8 (H200): where nobody asks how long they are, vectors stay as
 * they are. */
static bool packs_several(const Kernel *kernel, const Candidate *candidate, bool vectors)
{
    const Access *first = NULL;
    bool several = false;
    for (size_t i = 0; i < kernel->found.accesses.count && !several; i++) {
        const Access *row = kernel->found.accesses.item[i];
        bool walks = row->loop == candidate->loop && row->kind == CLASS_WALK && row->op == OP_LOAD;
        if (!walks || !(is_of_vectors(kernel, row) || (!vectors && row->bytes == WORD_BYTES / 2)))
            continue;
        several = first && !form_same_place(first->address, row->address);
        first = first ? first : row;
    }
    return several;
}

/* Words that are live at once where each row of the loop moves so many bytes: what the rows that are loaded hold, or those that are
 * stored, which take their place, more where elements of eight bytes wait beside what they are multiplied with; and once more what the
 * largest exchange holds, or twice where loads that come first wait for their conditions. The chunks of a row come one after the other.
 * What a warp takes from its shelf is there from one iteration to the next, and takes its room to the word; a warp that finds no shelf
 * goes on in the rest, if that is a loop. Rows that all lanes share take room as well, in a loop around the walk to the word, as what is
 * spilled is moved in each of its iterations, else in part (SHARED); but beside rows that are met again, which are held in its front. */
static int words_at_once(const Kernel *kernel, const Candidate *candidate, int bytes)
{
    enum { PERCENT = 100 };
    int live = registers_live(candidate->first->scope, candidate->first->instruction), words[OP_ATOMIC] = {0}, most = 0, wait = 0;
    int shared = candidate->only && walk_meets_again(candidate->first) ? 0 : words_shared(kernel, candidate, bytes);
    bool shelved = rest_may_be_loop(kernel, candidate, bytes);
    for (size_t i = 0; i < candidate->rows.count; i++) {
        const Access *row = candidate->rows.item[i];
        int64_t own = (int64_t)magnitude(row->step) * bytes / (int64_t)magnitude(candidate->step);
        int chunk = (int)(own < CHUNK_BYTES ? own : CHUNK_BYTES) / WORD_BYTES;
        bool awaits = (shelved || row->bytes > WORD_BYTES) && shelf_awaits(kernel, row, candidate->single);
        words[row->op] += words_waiting(candidate, row, chunk);
        wait += row->bytes > WORD_BYTES && awaits ? chunk / 2 : 0;
        most = chunk > most ? chunk : most;
        shelved &= awaits;
    }
    int held = words[OP_LOAD] > words[OP_STORE] ? words[OP_LOAD] : words[OP_STORE];
    const Costs *costs = &kernel->options.cost;
    bool again = ir_loop_parent(candidate->loop) != NULL;
    if (shelved)
        return (int)(((live + held + (again ? shared : 0)) * costs->ROOM + (again ? 0 : shared) * costs->SHARED) / PERCENT);
    return live + held + (again ? shared : 0) + wait + (most + wait) * (candidate->early.count ? 2 : 1);
}

/* Of the row that was found first, how many an iteration has. */
static int64_t entries_of(const Candidate *candidate)
{
    return (int64_t)magnitude(candidate->first->step) / candidate->first->bytes;
}

/* Does an iteration have so many words of a row that two of them make a piece of a list? The compiler has put several into one, or an entry is as long.
 * Of two words, eight entries are half a piece: forces of listed neighbours, 10112 particles, came to 1.00 of plain clang so, and come to 1.58 (H200). */
static bool is_unrolled(const Kernel *kernel, const Candidate *candidate)
{
    const Costs *costs = &kernel->options.cost;
    int64_t step = (int64_t)magnitude(candidate->step);
    bool fits = 2 * step >= (int64_t)costs->LISTED_LEAST && 2 * step <= (int64_t)costs->LISTED;
    return fits && entries_of(candidate) > 1 && is_of_words(kernel, candidate);
}

/* Does each entry lead to more than a few words? They drive the list out of the cache that hands out short ones: forces of 12 to 24 listed neighbours, places
 * of 16 bytes, came to 1.03 to 1.66 of plain clang (H200). */
static bool leads_to_records(const Kernel *kernel, const Candidate *candidate)
{
    int64_t bytes = 0;
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        const Access *access = kernel->found.accesses.item[i];
        if (access->loop == candidate->loop && access->op == OP_LOAD && access->step != candidate->first->step)
            bytes += access->bytes;
    }
    return bytes > 2 * WORD_BYTES * entries_of(candidate);
}

static bool leads_on(const Candidate *candidate)
{
    bool any = false;
    for (size_t i = 0; !any && i < candidate->rows.count; i++) {
        const Access *row = candidate->rows.item[i];
        any = row->op == OP_LOAD && load_leads_on(row->loop, row->instruction);
    }
    return any;
}

/* Of a list: are its entries words that lead on, in a loop that the compiler leaves to ptxas, as where a pointer moves along it? */
static bool has_entries_of_words(const Kernel *kernel, const Candidate *candidate)
{
    return (int64_t)magnitude(candidate->step) == WORD_BYTES && is_of_words(kernel, candidate) && leads_on(candidate);
}

static int bytes_of_entries(const Kernel *kernel, const Candidate *candidate)
{
    const Costs *costs = &kernel->options.cost;
    return (int)(has_entries_of_words(kernel, candidate) ? costs->LISTED_LEAST : costs->LISTED);
}

/* Of one row of words a thread holds a long piece in its registers as well as a usual one, and few threads have more under way
 * then; several rows, and bytes that are unpacked, leave no room for that. Where bytes go along with words, the bytes' pieces need it
 * all the same. Where a kernel has several such loops, each pays for it in code, and nothing is gained (LONG_PIECE).
 *
 * Lists whose lengths are loaded are short more often than not, and what longer pieces take of registers all threads pay: of those that the
 * compiler has unrolled two iterations are enough. */
static int bytes_wanted(const Kernel *kernel, const Candidate *candidate)
{
    const Costs *costs = &kernel->options.cost;
    int listed = (int)costs->LISTED, usual = (int)costs->PIECE, most = (int)costs->LONG_PIECE;
    int two = 2 * (int)magnitude(candidate->step);
    if (two <= listed && uniform_is_list(candidate->first->scope, candidate->loop))
        return is_unrolled(kernel, candidate) ? two : bytes_of_entries(kernel, candidate);
    bool words = candidate->only && candidate->single && !candidate->early.count && is_of_words(kernel, candidate) &&
                 !shelf_awaits(kernel, candidate->first, true);
    bool longer = is_too_short(kernel, candidate, usual) && !is_too_short(kernel, candidate, most);
    return words || longer ? most : usual;
}

/* Of a row, the most that all launches together have walked; `none` where nobody knows. */
static int64_t bytes_seen(const Kernel *kernel, const Candidate *candidate, int64_t none)
{
    int64_t least, most;
    return launches_count(kernel, candidate->loop, &least, &most) ? most * (int64_t)magnitude(candidate->step) : none;
}

/* As many as registers hold; less than a sector: none. */
static int bytes_of(Kernel *kernel, const Candidate *candidate)
{
    if (kernel->options.block)
        return kernel->options.block;
    int bytes = bytes_wanted(kernel, candidate);
    while (bytes > (int)kernel->options.cost.WALKED && bytes > bytes_seen(kernel, candidate, bytes))
        bytes /= 2; /* no row would fill it */
    while (!kernel->options.always && bytes >= SECTOR_BYTES && !registers_hold(kernel, words_at_once(kernel, candidate, bytes)))
        bytes /= 2;
    return bytes;
}

/* Of a loop that is unrolled already: as few iterations as there are left, whose number is not known, never fill `bytes`. */
static bool is_remainder(const Kernel *kernel, const Candidate *candidate, int bytes)
{
    int64_t most = ir_loop_most_trips(kernel->ir, candidate->loop);
    return most && !ir_loop_trips(kernel->ir, candidate->loop) && most * (int64_t)magnitude(candidate->step) < bytes;
}

/* What a loop that the user has unrolled leaves over, which never fills the shortest piece that pays. */
static bool is_rest_by_hand(const Kernel *kernel, const Candidate *candidate)
{
    int64_t most = ir_loop_trips(kernel->ir, candidate->loop) ? 0 : ir_loop_leftover(kernel->ir, candidate->loop);
    return most && most * (int64_t)magnitude(candidate->step) < (int64_t)kernel->options.cost.WALKED;
}

/* Of a loop that has been unrolled, by the compiler or by hand, or made of vectors, what it leaves over. */
static bool is_leftover(const Kernel *kernel, const Candidate *candidate)
{
    return is_remainder(kernel, candidate, SECTOR_BYTES) || is_rest_by_hand(kernel, candidate) ||
           loop_is_vector_rest(kernel, candidate->loop);
}

/* Is it a word of the row that `first` is of, and wanted for its own sake, or less, which gains nothing where it leads on either: sums of packets by a table
 * of 256 words, 40 to 200 bytes one after the other, came to 0.95 of plain clang, 64 registers instead of 24 (H200). */
static bool is_of_list(const Access *first, const Access *access)
{
    return access->op == OP_LOAD && access->bytes <= WORD_BYTES && access->step == first->step &&
           form_same_place(access->address, first->address) &&
           (access->bytes < WORD_BYTES || !load_leads_on(access->loop, access->instruction));
}

/* Does the loop walk nothing but one row of words, or of narrower elements? A warp finds the lines of short lists in the cache, as they lie
 * one behind the other, and gains little by long ones (LISTS_ALONE). */
static bool is_list_alone(const Kernel *kernel, const Access *first)
{
    int64_t step = (int64_t)magnitude(first->step), bytes = 0;
    if (step > (int64_t)kernel->options.cost.LISTS_ALONE)
        return false;
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        const Access *access = kernel->found.accesses.item[i];
        bool walks = access->loop == first->loop && access->kind == CLASS_WALK;
        if (walks && !is_of_list(first, access))
            return false;
        bytes += walks ? access->bytes : 0;
    }
    return bytes >= step;
}

/* A list whose place and length are loaded, and which is short or seldom walked by all lanes more often than not: what is asked of it, and the
 * registers that longer pieces take, cost more there than long ones gain. Row pointers made of a million sorted indices, one list in five
 * with an entry, came to 0.51 of plain clang, indices made of row pointers to 0.99 to 1.17; a matching of a million nodes, half of which look
 * for their neighbours, to 0.72 to 0.92, of 100000 to 1.05 to 1.18 (H100). */
static bool is_short_list(const Kernel *kernel, const Access *first)
{
    int64_t least, most;
    bool may_be = !kernel->options.always && kernel->options.block <= 0 && !first->stride;
    if (!may_be || launches_count(kernel, first->loop, &least, &most) || !uniform_is_list(first->scope, first->loop))
        return false;
    return uniform_list_is_chosen(first->scope, first->loop) || uniform_is_stored(first->scope, first->loop) ||
           is_list_alone(kernel, first);
}

/* Is what stands between the two places the same for all lanes and in all iterations, and known at run time alone? */
static bool is_shifted(const Kernel *kernel, const Access *from, const Access *to)
{
    const Form *between = form_sub(kernel->forms, to->address, from->address);
    bool shifted = between && between->count > 0 && !form_varies(between) && !form_unknown_in(between);
    for (int i = 0; shifted && i < between->count; i++)
        for (int j = 0; shifted && j < between->term[i].degree; j++)
            shifted = between->term[i].symbol[j]->kind != SYM_BASE && between->term[i].symbol[j]->kind != SYM_LOOP;
    return shifted;
}

/* Does the loop move a row along, into itself? Queues move by what came in, which is less than a piece: then no piece may be loaded as a whole. */
static bool is_shift(const Kernel *kernel, const Access *first)
{
    List stores = list_new(kernel->arena);
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        const Access *access = kernel->found.accesses.item[i];
        if (access->loop == first->loop && access->kind == CLASS_WALK && access->op == OP_STORE)
            list_add(&stores, (void *)access);
    }
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        const Access *access = kernel->found.accesses.item[i];
        bool loads = access->loop == first->loop && access->kind == CLASS_WALK && access->op == OP_LOAD;
        for (size_t j = 0; loads && j < stores.count; j++)
            if (is_shifted(kernel, access, stores.item[j]))
                return true;
    }
    return false;
}

/* So many steps that a block of `bytes` holds them: a power of two, by which what remains is cut off without a division. Elements
 * of 12 bytes move 8 at a time, 96 bytes: whole sectors all the same. A block is moved in chunks, of which the last must pay as
 * well: rows of 20-byte elements in 160 bytes at once took 0.9 to 1.1 times what 80 took (measured on an H200). */
static int64_t steps_in(const Kernel *kernel, int bytes, int64_t step)
{
    int64_t steps = 1;
    while (2 * steps * step <= bytes)
        steps *= 2;
    int64_t last = steps * step % CHUNK_BYTES;
    return steps * step > CHUNK_BYTES && last && last < (int64_t)kernel->options.cost.WALKED ? steps / 2 : steps;
}

/* Is it one list, of words? */
static bool is_lone_list(const Candidate *candidate)
{
    const Access *first = candidate->first;
    return candidate->single && first->op == OP_LOAD && first->bytes == WORD_BYTES &&
           uniform_is_list(first->scope, candidate->loop);
}

/* Lists so many bytes apart are no longer than that. */
static bool is_list_in_short_rows(const Kernel *kernel, const Candidate *candidate)
{
    const Costs *costs = &kernel->options.cost;
    int64_t apart, least, most, gaining = (int64_t)(costs->LISTED_PIECES * costs->LISTED);
    const Form *stride = candidate->first->stride;
    return !kernel->options.always && stride && form_is_constant(stride, &apart) && magnitude(apart) < (uint64_t)gaining &&
           is_lone_list(candidate) && !leads_to_records(kernel, candidate) &&
           !launches_count(kernel, candidate->loop, &least, &most);
}

/* Is it so of any of its rows? */
static bool is_come_to_by_one(const Candidate *candidate)
{
    bool any = false;
    for (size_t i = 0; !any && i < candidate->rows.count; i++)
        any = uniform_one_by_one(candidate->rows.item[i]);
    return any;
}

/* Finds the iterations that make a block of `bytes`, or why the loop is better left as it is. */
static Why find_factor(const Kernel *kernel, Candidate *candidate, int bytes, int *factor)
{
    int64_t step = (int64_t)magnitude(candidate->step), trips = ir_loop_trips(kernel->ir, candidate->loop);
    int64_t steps = steps_in(kernel, bytes, step), most = ir_loop_most_trips(kernel->ir, candidate->loop);
    if (bytes > 0 && bytes < SECTOR_BYTES)
        return WHY_REGISTERS;
    if (steps < 2)
        return bytes < 0 ? WHY_WALK_UNWANTED : WHY_WALK_FAR;
    if (is_leftover(kernel, candidate))
        return WHY_WALK_FEW;
    if (!kernel->options.always && bytes_seen(kernel, candidate, INT64_MAX) < (int64_t)kernel->options.cost.WALKED)
        return WHY_SEEN_FEW;
    if (kernel->left)
        return kernel->left;
    candidate->length = instructions_of(candidate->loop);
    Why why = loop_obstacle(kernel, candidate);
    if (why)
        return why;
    if (is_short_list(kernel, candidate->first) || is_list_in_short_rows(kernel, candidate))
        return WHY_WALK_LIST;
    if (!kernel->options.always &&
        (row_is_window(kernel, candidate->first) || loop_is_rounded(candidate->first->scope, candidate->loop)))
        return WHY_WALK_WINDOW;
    if (!kernel->options.always && is_come_to_by_one(candidate))
        return WHY_WALK_CHOSEN;
    if (!kernel->options.always && is_shift(kernel, candidate->first))
        return WHY_WALK_SHIFT;
    if (!kernel->options.always && !kernel->options.spares && packs_several(kernel, candidate, true))
        return WHY_WALK_PACKED;
    if (candidate->early.count) /* loads need a loop to come first in */
        trips = most / 2;
    while (steps > 1 && steps * candidate->length > (int64_t)kernel->options.cost.WALK_CODE)
        steps /= 2;
    if (steps < 2)
        return WHY_WALK_LONG;
    while (steps > 1 && trips && steps > trips)
        steps /= 2;
    while (steps > 1 && most && steps > most) /* no thread ever has as many */
        steps /= 2;
    *factor = (int)steps;
    return steps < 2 || (most && !trips && steps * step < SECTOR_BYTES) ? WHY_WALK_FEW : WHY_NONE;
}

static void factor_add(const Candidate *candidate, Block *block, int64_t bytes)
{
    int64_t step = (int64_t)magnitude(candidate->step), before = block->factor[block->factors - 1];
    if (step < bytes && before * step > bytes && bytes % step == 0)
        block->factor[block->factors++] = (int)(bytes / step);
}

/* Is it a list in a loop that clang leaves to ptxas, which unrolls it in one stretch? */
static bool is_list_in_one_stretch(const Kernel *kernel, const Candidate *candidate)
{
    return !is_unrolled(kernel, candidate) && !ir_loop_is_counted(kernel->ir, candidate->loop) &&
           uniform_is_list(candidate->first->scope, candidate->loop);
}

/* Is what remains of two iterations to be a loop? Whoever finds no shelf leads there, and so do lanes with lists of different lengths. Of those that
 * the compiler has unrolled by eight few have even one such iteration. */
static bool rests_in_loop(const Kernel *kernel, const Candidate *candidate, const Block *block)
{
    enum { UNROLLED_BY = 4 };
    return (block->listed && entries_of(candidate) <= UNROLLED_BY) ||
           may_be_shelved(kernel, candidate, 2 * (int)magnitude(candidate->step));
}

static bool stores_any(const Candidate *candidate)
{
    bool any = false;
    for (size_t i = 0; !any && i < candidate->rows.count; i++)
        any = ((const Access *)candidate->rows.item[i])->op == OP_STORE;
    return any;
}

static int64_t widest_element(const Candidate *candidate)
{
    int64_t bytes = 0;
    for (size_t i = 0; i < candidate->rows.count; i++) {
        const Access *row = candidate->rows.item[i];
        bytes = row->bytes > bytes ? row->bytes : bytes;
    }
    return bytes;
}

static bool has_narrow_rest(const Candidate *candidate) { return stores_any(candidate) && widest_element(candidate) < WORD_BYTES; }

/* What remains of a row, and rows that are shorter than a block, move half a long block at a time, then a sector: with the
 * registers that a block takes fewer threads wait side by side, and each has to have more under way (PIECE).
 *
 * Narrower elements gain nothing from sectors, but where they are stored, from pieces that are few enough elements to move however they lie. Nor does a row that is met again, which the cache keeps while it is so short: the
 * nearest of 8 centres to each of a million points of 12 floats came to 0.84 of plain clang, and comes to 1.00.
 *
 * Where rows differ in length, the shortest pieces that pay come before them: a warp takes the longer ones only where all of its
 * rows have one. Lists of 24 to 47 neighbours took 18.3 us without, 14.6 so, 14.4 in plain clang; a million of them 254, 204
 * and 434.
 *
 * What remains of a list that the compiler has unrolled goes as it is: most lists are no longer than that, of some lanes one iteration and of
 * others two, and in one loop each iteration is made by all that are left.
 *
 * What remains of two iterations, as of a loop that is unrolled by eight, goes as it is, but in a loop: to find no shelf leads there. */
static void add_rest(const Kernel *kernel, const Candidate *candidate, Block *block)
{
    if (block->factor[0] == 2 && !block->tests && !candidate->early.count && rests_in_loop(kernel, candidate, block)) {
        block->factor[block->factors++] = 1;
        return;
    }
    const Costs *costs = &kernel->options.cost;
    if (candidate->early.count || is_list_in_one_stretch(kernel, candidate))
        return;
    if (!is_of_words(kernel, candidate)) {
        if (has_narrow_rest(candidate))
            factor_add(candidate, block, (int64_t)costs->NARROW_REST * widest_element(candidate));
        return;
    }
    bool awaits = candidate->single && candidate->first->bytes > WORD_BYTES && shelf_awaits(kernel, candidate->first, false);
    factor_add(candidate, block, (int64_t)(block->apart || awaits ? costs->WALKED : costs->PIECE));
    if (!block->listed && (!candidate->single || !walk_meets_again(candidate->first)))
        factor_add(candidate, block, SECTOR_BYTES);
}

intptr_t number_in(IrLoop *loop, LLVMValueRef access)
{
    intptr_t number = 0;
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(LLVMGetBasicBlockParent(LLVMGetInstructionParent(access)));
    for (; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && ir_loop_has_block(loop, b); i = LLVMGetNextInstruction(i)) {
            if (i == access)
                return number;
            number += writes_place(access) ? writes_place(i) : LLVMGetInstructionOpcode(i) == LLVMGetInstructionOpcode(access);
        }
    return number;
}

static void step_add(Candidate *candidate, const Access *access)
{
    if (magnitude(access->step) > magnitude(candidate->step))
        candidate->step = access->step;
    if ((int64_t)magnitude(access->step) < candidate->narrow)
        candidate->narrow = (int64_t)magnitude(access->step);
}

static void row_add(Candidate *candidate, const Access *access)
{
    for (size_t i = 0; i < candidate->rows.count; i++) {
        const Access *row = candidate->rows.item[i];
        if (row->op == access->op && form_same_place(row->address, access->address))
            return;
    }
    list_add(&candidate->rows, (void *)access);
}

/* Is an iteration one block, or will it be one once it leaves in the middle no more? */
static bool has_one_way(const Kernel *kernel, IrLoop *loop)
{
    return ir_loop_is_one_block(loop) || (ir_loop_is_one_way(loop) && ir_loop_leaves_inside(kernel->ir, loop));
}

static void candidate_add(List *candidates, const Access *access)
{
    Candidate *candidate = candidate_of(candidates, access);
    step_add(candidate, access);
    row_add(candidate, access);
    candidate->single &= access->op == candidate->first->op && form_same_place(access->address, candidate->first->address);
    if (access->op == OP_LOAD && LLVMIsALoadInst(access->instruction))
        list_add(&candidate->loads, access->instruction);
    if (!has_one_way(access->scope->kernel, access->loop))
        list_add(&candidate->early, (void *)number_in(access->loop, access->instruction));
}

/* Does the loop around the walk have another one? */
static bool is_alone(const List *candidates, const Candidate *candidate, IrLoop *around)
{
    for (size_t i = 0; i < candidates->count; i++) {
        const Candidate *other = candidates->item[i];
        if (other != candidate && other->block && around && ir_loop_inside(other->loop, around))
            return false;
    }
    return true;
}

static void size_add(const Kernel *kernel, const Candidate *candidate, Reuse *reuse, int bytes, int times)
{
    int64_t trips = ir_loop_trips(kernel->ir, candidate->loop);
    int64_t steps = steps_in(kernel, bytes, (int64_t)magnitude(candidate->step));
    bool last = reuse->sizes > 0;
    bool too_long = steps * (times ? times : 1) * candidate->length > (int64_t)kernel->options.cost.WALK_CODE;
    if (steps < 2 || too_long || (trips && (last || steps * times > trips)))
        return;
    INVARIANT(reuse->sizes < REUSE_SIZES);
    reuse->size[reuse->sizes++] = (ReuseSize){{(int)steps, (int)steps / 2}, last ? 1 : 2, times, last};
}

/* Of a row that is met again, registers hold 128, 64 or 32 bytes, as many as it has; of longer rows nothing: with the registers
 * for 256 bytes half as many threads wait side by side, and a million rows of 1 to 7 floats would take 1.2 to 1.4 times as long
 * as in plain clang. Where the length is known, or 256 bytes are asked for, they are held: the nearest of 16 centres to each of a
 * million points of 64 floats took 4394 us in plain clang, 607 with nothing held, 222 so. Of 8 centres to points of 8, 16, 24 and
 * 32 floats: 82, 292, 254 and 1125 us in plain clang, 24, 37, 124 and 63 held (H200). */
static void find_sizes(const Kernel *kernel, const Candidate *candidate, Reuse *reuse)
{
    int usual = (int)kernel->options.cost.PIECE;
    int bytes = kernel->options.block ? kernel->options.block : (int)kernel->options.cost.LONG_PIECE;
    bool holds_most = kernel->options.block || ir_loop_trips(kernel->ir, candidate->loop);
    if (bytes > usual && holds_most)
        size_add(kernel, candidate, reuse, usual, bytes / usual);
    else
        size_add(kernel, candidate, reuse, bytes, holds_most);
    for (bytes = bytes > usual || !reuse->sizes ? usual : bytes / 2; bytes >= SECTOR_BYTES; bytes /= 2)
        size_add(kernel, candidate, reuse, bytes, 1);
}

static void hold_reused(const Kernel *kernel, const List *candidates, Candidate *candidate)
{
    Block *block = candidate->block;
    bool may = candidate->single && !block->apart && is_alone(candidates, candidate, ir_loop_parent(candidate->loop));
    Reuse *reuse = may ? reuse_find(candidate->first->scope, candidate->loop, &candidate->loads) : NULL;
    if (reuse)
        find_sizes(kernel, candidate, reuse);
    block->reuse = reuse && reuse->sizes ? reuse : NULL;
}

static bool has_several(const Kernel *kernel, const List *candidates)
{
    int walks = 0;
    for (size_t i = 0; i < candidates->count && walks < 2; i++)
        walks += !is_leftover(kernel, candidates->item[i]);
    return walks > 1;
}

/* Each factor makes a loop longer, and by less than the one before; the last one may leave what remains as long as it is. */
static bool block_is_longer(const Block *block)
{
    bool holds = block->factors >= 1 && block->factors <= BLOCK_FACTORS;
    for (int i = 0; holds && i < block->factors; i++)
        holds = block->factor[i] >= 1 && (i == 0 || block->factor[i] < block->factor[i - 1]);
    return holds;
}

/* What of the access itself leaves its loop unasked. */
static Why unwanted(const Access *access)
{
    if (!is_wasteful_walk(access))
        return WHY_NO_GAIN;
    if (assembly_is_hinted(access->instruction))
        return WHY_HINTED;
    bool off = ir_is_optnone(access->scope->function) || access_is_without(access, FEATURE_WALKS);
    return off ? WHY_WALK_UNWANTED : WHY_NONE;
}

/* What keeps it from coming first in the longer loop, where iterations take different ways. */
static Why late_because(const Kernel *kernel, const Access *access)
{
    List load = list_new(kernel->arena);
    Why why = has_one_way(kernel, access->loop) ? WHY_NONE : hoist_obstacle(access->scope, access->loop, access->instruction);
    list_add(&load, access->instruction);
    bool may_ask = why == WHY_WALK_WRITTEN || why == WHY_WALK_ORDER;
    return may_ask && entry_tests_find(access->scope, access->loop, &load) ? WHY_NONE : why;
}

/* What has to be asked on entry: that loads which come first are apart from what iterations in between store, or that they may move
 * together. */
static EntryTests *tests_of(const Candidate *candidate, int factor)
{
    Scope *scope = candidate->first->scope;
    int most = CHUNK_BYTES / (int)magnitude(candidate->step), together = factor < most ? factor : most;
    bool wanted = candidate->loads.count &&
                  (candidate->early.count || entry_tests_wanted(scope, candidate->loop, &candidate->loads, together));
    return wanted ? entry_tests_find(scope, candidate->loop, &candidate->loads) : NULL;
}

/* Where nothing is asked of all loads that come first, each of them has to be free to. */
static Why find_longer(Kernel *kernel, Candidate *candidate, int *factor, EntryTests **tests)
{
    Why why = find_factor(kernel, candidate, bytes_of(kernel, candidate), factor);
    *tests = why ? NULL : tests_of(candidate, *factor);
    for (size_t i = 0; candidate->early.count && !why && !*tests && i < candidate->loads.count; i++)
        why = hoist_obstacle(candidate->first->scope, candidate->loop, candidate->loads.item[i]);
    return why;
}

/* Two rows of words, of which half a line each is moved, as a rule: by shuffles, or from shelves, for which registers have no room beside what shuffles hold.
 * So where nobody says how large blocks are, the loop gets a version for those that have shelves, and another one. Two matrices of 8192 x 8192
 * floats times a vector came from 2.1 of plain clang to 4.2 in blocks of 64 threads, from 2.5 to 5.5 in blocks of 128 (H200). */
static int threads_of_shelves(const Kernel *kernel, const Candidate *candidate, int factor, const EntryTests *tests)
{
    bool splits = ir_loop_leaves_inside(kernel->ir, candidate->loop);
    int bytes = factor * (int)magnitude(candidate->step);
    if (form_shape(kernel->forms).limit || kernel->launched.threads || candidate->rows.count != 2 || candidate->early.count ||
        tests || splits || (bytes != LINE_BYTES && bytes != LINE_BYTES / 2) || !rest_may_be_loop(kernel, candidate, bytes))
        return 0;
    for (size_t i = 0; i < candidate->rows.count; i++) {
        const Access *row = candidate->rows.item[i];
        if (row->op != OP_LOAD || row->bytes != candidate->first->bytes || !shelf_suits(kernel, row))
            return 0;
    }
    return (int)kernel->options.cost.SHELVES * WARP_LANES;
}

static bool is_of_loop(const Access *access) { return access->loop && walk_loop(access) == access->loop; }

static bool stores_words(const Kernel *kernel, const Candidate *candidate)
{
    return stores_any(candidate) && is_of_words(kernel, candidate);
}

/* Loops that walk rows like its first one, with its own. */
static int loops_alike(const Kernel *kernel, const List *candidates, const Candidate *candidate)
{
    int loops = 0;
    for (size_t i = 0; i < candidates->count; i++) {
        const Candidate *other = candidates->item[i];
        loops += !is_leftover(kernel, other) && rows_are_alike(other->first, candidate->first);
    }
    return loops;
}

/* How long lists have to be to gain. */
static int64_t piece_of_list(const Kernel *kernel, const Block *block)
{
    return (int64_t)kernel->options.cost.LISTED_PIECES * block->factor[0] * block->step;
}

/* Which rows gain: one row of words, with no other beside it that would drive it out of the cache, waits for longer ones (SHORT_ROW). Rows that are stored gain from one iteration on that
 * has a sector of them, or four words, as the compiler has unrolled the loop: it is moved as it is. Rows of bytes and halves that are stored gain as soon as the loop for what remains has a piece of them:
 * fills, scaled rows and rows that are copied by lists, of 33 and 50 elements, came to 2.5 to 11.8 of plain clang, of 1 to 7 to 0.45 to 1.2; four floats that are scaled to 1.8, of 1 to 3 to 0.57 to 1.0 (H200). Sums stored, fills, and rows scaled, of 8 to 31 words, came to 1.9 to 7.8 of plain clang, of
 * 5 words to 0.99 to 1.2, of 3 to 0.71 to 1.01 (H100). */
static void tell_short(const Kernel *kernel, const List *candidates, const Candidate *candidate)
{
    Block *block = candidate->block;
    int64_t step = (int64_t)magnitude(candidate->step);
    int64_t piece = step *
                    (is_of_words(kernel, candidate) || has_narrow_rest(candidate) ? shortest_piece(block) : block->factor[0]);
    bool alone = candidate->single && candidate->first->op == OP_LOAD && candidate->first->bytes <= WORD_BYTES && !block->reuse;
    int64_t row = alone                                     ? (int64_t)kernel->options.cost.SHORT_ROW
                  : packs_several(kernel, candidate, false) ? (int64_t)kernel->options.cost.SHORT_PACKED
                                                            : 0;
    int64_t least = piece > row ? piece : row;
    bool is_moved = step >= (candidate->first->bytes <= WORD_BYTES ? IR_WIDEST : SECTOR_BYTES) && stores_words(kernel, candidate);
    if (!kernel->options.spares)
        return;
    block->depth = (int)ir_loop_depth(candidate->loop);
    if (block->lone && kernel->options.spares != SPARES_ALL)
        return;
    if (block->lone) {
        block->told = !block->leads && list_pitch_find(kernel, candidate->first, piece_of_list(kernel, block), &block->small);
        block->near = near_list_find(kernel, block, candidate->first, block->leads, &block->few);
        return;
    }
    block->told = (is_moved && short_row_find(kernel, candidate->loop, step, step, &block->small)) ||
                  short_row_find(kernel, candidate->loop, step, least, &block->small);
    block->told = near_windows_find(kernel, candidate->loop, &candidate->rows, block->told, &block->small);
    block->shares = walks_shared(kernel, candidate->loop) > 0;
    block->near = near_rows_find(kernel, candidate->loop, &candidate->rows, loops_alike(kernel, candidates, candidate), block,
                                 &block->few);
    block->told_on_shelf = short_row_find(kernel, candidate->loop, step, (int64_t)kernel->options.cost.SHELF_ROW,
                                          &block->small_on_shelf);
    block->told_on_shelf = near_windows_find(kernel, candidate->loop, &candidate->rows, block->told_on_shelf,
                                             &block->small_on_shelf);
}

/* Is it a list that moves by the shortest pieces that pay? */
static bool is_list_in_short_pieces(const Kernel *kernel, const Candidate *candidate)
{
    return (is_unrolled(kernel, candidate) || has_entries_of_words(kernel, candidate)) &&
           uniform_is_list(candidate->first->scope, candidate->loop);
}

/* Of few threads each waits for a piece, and then for what it leads to, with nobody's work in between: so where two iterations move at once, and where
 * entries lead to records behind a condition, each when the one before it is through: forces of 10 to 40 neighbours within a distance came to 0.89 of plain
 * clang with 6000 threads, and come to 1.0; of sums of words behind one that is no matter (H200). */
static void find_few(const Kernel *kernel, const Candidate *candidate, Block *block)
{
    const Costs *costs = &kernel->options.cost;
    bool waits = block->factor[0] == 2 ||
                 (block->leads && has_entries_of_words(kernel, candidate) && !ir_loop_is_one_block(candidate->loop));
    if (!block->listed || !waits || costs->LISTED_ENTERED <= 1 || kernel->options.always)
        return;
    block->few_pieces = (int)costs->LISTED_ENTERED;
    block->few_threads = (int64_t)(costs->LISTED_FEW * costs->SMS);
}

/* Rows that begin anywhere have a place on the shelf. */
static const RowBegin *begin_of(const Kernel *kernel, const Candidate *candidate, const Block *block)
{
    bool may = ir_loop_is_one_block(candidate->loop) && !block->splits && !block->tests && !block->listed &&
               !block->shelf_threads && is_of_words(kernel, candidate) && !ir_loop_trips(kernel->ir, candidate->loop);
    for (size_t i = 0; may && i < candidate->rows.count; i++)
        may = !shelf_awaits(kernel, candidate->rows.item[i], candidate->single);
    return may ? row_begin_find(kernel, candidate->loop, &candidate->rows, block->factor[0]) : NULL;
}

void block_find(Kernel *kernel)
{
    List candidates = list_new(kernel->arena);
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        const Access *access = kernel->found.accesses.item[i];
        if (is_of_loop(access) && !unwanted(access) && !map_get(kernel->plan->lengthened, ir_loop_header(access->loop)) &&
            !late_because(kernel, access))
            candidate_add(&candidates, access);
    }
    bool several = has_several(kernel, &candidates);
    for (size_t i = 0; i < candidates.count; i++) {
        Candidate *candidate = candidates.item[i];
        int factor;
        EntryTests *tests;
        LLVMBasicBlockRef header = ir_loop_header(candidate->loop);
        candidate->only = !several;
        Why why = find_longer(kernel, candidate, &factor, &tests);
        if (why == WHY_REGISTERS)
            map_put(kernel->plan->crowded, header, header);
        if (why || map_get(kernel->plan->lengthened, header))
            continue;
        map_put(kernel->plan->lengthened, header, header);
        Block *block = ARENA_NEW(kernel->plan->arena, Block);
        *block = (Block){.function = LLVMGetBasicBlockParent(header),
                         .header = header,
                         .factor = {factor},
                         .factors = 1,
                         .step = (int64_t)magnitude(candidate->step),
                         .tests = tests,
                         .shelf_threads = threads_of_shelves(kernel, candidate, factor, tests),
                         .splits = ir_loop_leaves_inside(kernel->ir, candidate->loop),
                         .early = list_new(kernel->plan->arena),
                         .held = list_new(kernel->plan->arena),
                         .apart = !uniform_leave(candidate->first->scope, candidate->loop),
                         .listed = is_list_in_short_pieces(kernel, candidate),
                         .lone = is_lone_list(candidate),
                         .leads = is_lone_list(candidate) && leads_to_records(kernel, candidate)};
        add_rest(kernel, candidate, block);
        find_few(kernel, candidate, block);
        block->begin = begin_of(kernel, candidate, block);
        for (size_t j = 0; j < candidate->early.count; j++)
            list_add(&block->early, candidate->early.item[j]);
        INVARIANT(block_is_longer(block));
        list_add(&kernel->plan->blocks, block);
        candidate->block = block;
    }
    for (size_t i = 0; i < candidates.count; i++)
        if (((const Candidate *)candidates.item[i])->block) {
            hold_reused(kernel, &candidates, candidates.item[i]);
            tell_short(kernel, &candidates, candidates.item[i]);
        }
}

Why block_obstacle(Kernel *kernel, const Access *access)
{
    int factor;
    Why why = unwanted(access);
    if (why)
        return why;
    if (!access->loop)
        return WHY_WALK_CALLER;
    if (!is_of_loop(access) || !ir_loop_is_innermost(access->loop))
        return jam_obstacle(kernel, access);
    List candidates = list_new(kernel->arena);
    Candidate *alone = candidate_of(&candidates, access);
    step_add(alone, access);
    row_add(alone, access);
    if (map_get(kernel->plan->crowded, ir_loop_header(access->loop)))
        return WHY_REGISTERS;
    why = find_factor(kernel, alone, bytes_of(kernel, alone), &factor);
    why = why ? why : late_because(kernel, access);
    const Costs *costs = &kernel->options.cost;
    int64_t least = (int64_t)(is_list_in_short_pieces(kernel, alone) ? costs->LISTED_LEAST : costs->WALKED);
    bool few = !why && (is_remainder(kernel, alone, bytes_of(kernel, alone)) || factor * (int64_t)magnitude(access->step) < least);
    if (few)
        return WHY_WALK_FEW;
    return !why && magnitude(access->step) >= SECTOR_BYTES ? WHY_WALK_FAR : why;
}
