/* What is found, tried, planned and refused, as it happens. Nothing is named by a pointer: two compiles say the same. */
#include "pass/report/trace.h"

bool trace_is_on(const Kernel *kernel)
{
    return kernel && kernel->options.trace.is_given && strstr(kernel->name, kernel->options.trace.part);
}

void trace(const Kernel *kernel, const char *format, ...)
{
    if (!trace_is_on(kernel))
        return;
    Text line = text_new(kernel->arena);
    va_list args;
    text_add(&line, "coalda: trace: %s: ", kernel->name);
    va_start(args, format);
    text_add_v(&line, format, args);
    va_end(args);
    text_add(&line, "\n");
    ir_print(line.data);
}

/* ---- where ---- */

/* Of what comes from the kernel's callers nothing is asked: their code may have changed since. */
static const char *line_of(const Kernel *kernel, LLVMValueRef instruction)
{
    const Scope alone = {.kernel = (Kernel *)kernel};
    Location location = location_of(&alone, instruction);
    const char *slash = location.line ? strrchr(location.file, '/') : NULL;
    return location.line ? arena_text(kernel->arena, "%s:%u", slash ? slash + 1 : location.file, location.line) : NULL;
}

static const char *block_name(const Kernel *kernel, LLVMBasicBlockRef block)
{
    const char *name = LLVMGetBasicBlockName(block);
    int number = 0;
    for (LLVMBasicBlockRef b = LLVMGetPreviousBasicBlock(block); b; b = LLVMGetPreviousBasicBlock(b))
        number++;
    return *name ? arena_text(kernel->arena, "%%%s", name) : arena_text(kernel->arena, "block %d", number);
}

/* The line, or else the block and the instruction's number in it. */
static const char *place_of(const Kernel *kernel, LLVMValueRef instruction)
{
    const char *line = line_of(kernel, instruction);
    int number = 0;
    for (LLVMValueRef i = LLVMGetPreviousInstruction(instruction); i; i = LLVMGetPreviousInstruction(i))
        number++;
    return line
               ? line
               : arena_text(kernel->arena, "%s, instruction %d", block_name(kernel, LLVMGetInstructionParent(instruction)), number);
}

const char *trace_loop(const Kernel *kernel, LLVMBasicBlockRef header)
{
    const char *line = NULL;
    for (LLVMValueRef i = LLVMGetFirstInstruction(header); i && !line; i = LLVMGetNextInstruction(i))
        line = line_of(kernel, i);
    return arena_text(kernel->arena, "loop %s %s", line ? "at" : "of", line ? line : block_name(kernel, header));
}

const char *trace_why(const Kernel *kernel, Why why)
{
    return arena_text(kernel->arena, "%s (%s)", why_text(why)->name, why_text(why)->sentence);
}

const char *trace_walk_why(const Kernel *kernel, const Block *block)
{
    Why why = block->why[OP_LOAD] ? block->why[OP_LOAD] : block->why[OP_STORE];
    return why ? trace_why(kernel, why) : "the plan rewrites nothing in it";
}

/* ---- what is found ---- */

static void trace_ring(const Kernel *kernel, const Ring *ring)
{
    const char *how = ring->choice.engine == ENGINE_REGISTERS ? "in registers"
                      : ring->shape.once                      ? "of copies made once"
                                                              : "of asynchronous copies";
    trace(kernel, "found: ring %s, %s, %d stages of %d tile%s: %s", how, trace_loop(kernel, ring->header), ring->choice.stages,
          ring->choice.batch, ring->choice.batch == 1 ? "" : "s", ring->facts);
}

void trace_tiles(const Kernel *kernel)
{
    for (size_t i = 0; trace_is_on(kernel) && i < kernel->found.tiles.count; i++) {
        const Tile *tile = kernel->found.tiles.item[i];
        const char *loop = trace_loop(kernel, ir_loop_header(tile->loop));
        if (!tile->ring)
            trace(kernel, "found: tile, %s: %s", loop, tile_facts(kernel->arena, tile));
        else if (tile->ring->made)
            trace(kernel, "found: tile, %s, which is a ring by now", loop);
        else if (tile->ring->why)
            trace(kernel, "refused: ring, %s: %s", loop, trace_why(kernel, tile->ring->why));
        else
            trace_ring(kernel, tile->ring);
    }
}

void trace_fills(const Kernel *kernel)
{
    for (size_t i = 0; trace_is_on(kernel) && i < kernel->found.fills.count; i++) {
        const Fill *fill = kernel->found.fills.item[i];
        const char *place = place_of(kernel, fill->at);
        if (fill->made)
            trace(kernel, "found: fill at %s, which is asynchronous by now", place);
        else if (fill->why)
            trace(kernel, "refused: fill at %s: %s", place, trace_why(kernel, fill->why));
        else
            trace(kernel, "found: fill at %s, %d bytes a copy", place, fill->copy.bytes);
    }
}

void trace_lookaheads(const Kernel *kernel)
{
    for (size_t i = 0; trace_is_on(kernel) && i < kernel->plan->lookaheads.count; i++) {
        const Lookahead *ahead = kernel->plan->lookaheads.item[i];
        trace(kernel, "found: loads one iteration ahead, %s, %d word%s%s%s", trace_loop(kernel, ahead->header), ahead->words,
              ahead->words == 1 ? "" : "s", ahead->why ? "; refused: " : "", ahead->why ? trace_why(kernel, ahead->why) : "");
    }
}

void trace_batches(const Kernel *kernel)
{
    for (size_t i = 0; trace_is_on(kernel) && i < kernel->plan->batches.count; i++) {
        const Batch *batch = kernel->plan->batches.item[i];
        trace(kernel, "found: loads that come first, %s, %zu of %d word%s, %zu test%s%s%s", trace_loop(kernel, batch->header),
              batch->loads.count, batch->words, batch->words == 1 ? "" : "s", batch->tests.count,
              batch->tests.count == 1 ? "" : "s", batch->why ? "; refused: " : "", batch->why ? trace_why(kernel, batch->why) : "");
    }
}

void trace_additions(const Kernel *kernel)
{
    for (size_t i = 0; trace_is_on(kernel) && i < kernel->found.stretches.count; i++) {
        const AddedStretch *stretch = kernel->found.stretches.item[i];
        trace(kernel, "found: atomic additions to %zu record%s, %zu test%s", stretch->records.count,
              stretch->records.count == 1 ? "" : "s", stretch->tests.count, stretch->tests.count == 1 ? "" : "s");
    }
}

void trace_tallies(const Kernel *kernel, size_t from)
{
    for (size_t i = from; trace_is_on(kernel) && i < kernel->plan->tallies.count; i++) {
        const Tally *tally = kernel->plan->tallies.item[i];
        trace(kernel, "found: tally, %s, of %zu place%s", trace_loop(kernel, tally->header), tally->places.count,
              tally->places.count == 1 ? "" : "s");
    }
}

void trace_walks(const Kernel *kernel, size_t from)
{
    for (size_t i = from; trace_is_on(kernel) && i < kernel->plan->blocks.count; i++) {
        const Block *block = kernel->plan->blocks.item[i];
        trace(kernel, "found: walk, %s, %d iterations at a time%s%s", trace_loop(kernel, block->header), block->factor[0],
              block->apart ? ", rows of lengths of their own" : "", block->reuse ? ", rows that are met again" : "");
    }
}

void trace_trial(const Kernel *kernel, const Block *block, const char *where)
{
    if (trace_is_on(kernel))
        trace(kernel, "tried: walk, %s, made %d times as long%s", trace_loop(kernel, block->header), block->factor[0], where);
}

void trace_rehearsed(const Kernel *kernel, const Block *block)
{
    if (trace_is_on(kernel))
        trace(kernel, "%s",
              block->pays ? arena_text(kernel->arena, "tried: walk, %s, which pays", trace_loop(kernel, block->header))
                          : arena_text(kernel->arena, "refused: walk, %s: %s", trace_loop(kernel, block->header),
                                       trace_walk_why(kernel, block)));
}

void trace_turn(const Kernel *kernel, const Turn *turn)
{
    if (!trace_is_on(kernel))
        return;
    trace(kernel, "found: accesses that want the block's threads numbered along y");
    if (turn->why)
        trace(kernel, "refused: turn: %s", trace_why(kernel, turn->why));
}

/* ---- what is planned ---- */

static void trace_group(const Kernel *kernel, const Group *group)
{
    Text text = text_new(kernel->arena);
    size_t count = group->members.count;
    text_add(&text, "plan: group %d of %zu %s%s at %s, %lld bytes", group->number, count, op_text(group->op), count == 1 ? "" : "s",
             place_of(kernel, member_at(group, 0)->access->instruction), (long long)(group->high - group->low));
    if (group->cost.plain > 0)
        text_add(&text, ", cost %.0f, rewritten %.0f", group->cost.plain, group->cost.rewritten);
    trace(kernel, "%s", text.data);
    if (group->choice.why)
        trace(kernel, "refused: group %d: %s", group->number, trace_why(kernel, group->choice.why));
}

static void trace_region(const Kernel *kernel, const Region *region)
{
    Text text = text_new(kernel->arena);
    for (size_t i = 0; i < region->groups.count; i++)
        text_add(&text, "%s %d", i ? "," : "", ((const Group *)region->groups.item[i])->number);
    trace(kernel, "plan: region of group%s%s, from %s to %s%s%s%s", region->groups.count == 1 ? "" : "s", text.data,
          place_of(kernel, region->first), place_of(kernel, region->last), region->shelf ? ", on a shelf" : "",
          region->leave ? ", with a way out" : "",
          region->edge  ? ", with a version for warps at an edge"
          : region->few ? ", with a version for warps that lack lanes"
                        : "");
}

/* Groups in the order of their numbers: a body that an earlier kernel has planned is told of that one. */
void trace_plan(const Kernel *kernel, int groups, size_t regions)
{
    if (!trace_is_on(kernel))
        return;
    const Plan *plan = kernel->plan;
    const Group **numbered = ARENA_ARRAY(kernel->arena, const Group *, (size_t)plan->groups + 1);
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        const List *of = map_get(plan->grouped, ((const Access *)kernel->found.accesses.item[i])->instruction);
        for (size_t j = 0; of && j < of->count; j++)
            numbered[((const Group *)of->item[j])->number] = of->item[j];
    }
    for (int number = groups + 1; number <= plan->groups; number++)
        if (numbered[number])
            trace_group(kernel, numbered[number]);
    for (size_t i = regions; i < plan->regions.count; i++)
        trace_region(kernel, plan->regions.item[i]);
}

static const char *refusal_text(const Kernel *kernel, const Access *access)
{
    return arena_text(kernel->arena, "refused: %s of %d byte%s at %s: %s", op_text(access->op), access->bytes,
                      access->bytes == 1 ? "" : "s", place_of(kernel, access->instruction), trace_why(kernel, access->refusal));
}

/* What unrolling has made several of says the same several times: one line, and how often. */
void trace_refusals(const Kernel *kernel)
{
    const char *said = NULL;
    int times = 0;
    for (size_t i = 0; trace_is_on(kernel) && i <= kernel->found.accesses.count; i++) {
        const Access *access = i < kernel->found.accesses.count ? kernel->found.accesses.item[i] : NULL;
        if (access && !access->refusal)
            continue;
        const char *text = access ? refusal_text(kernel, access) : NULL;
        if (text && said && strcmp(text, said) == 0) {
            times++;
            continue;
        }
        if (said)
            trace(kernel, "%s%s", said, times > 1 ? arena_text(kernel->arena, ", %d times", times) : "");
        said = text;
        times = 1;
    }
}
