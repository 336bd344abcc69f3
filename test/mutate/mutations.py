"""The mutations of mutate.py: each takes one check out of the record rewrite."""
import collections

Mutation = collections.namedtuple("Mutation", "hazard name file old new tests")
GROUP, LAYOUT, PLAN, COST, CROSSING = (f"analysis/{x}.c" for x in ("group", "layout", "plan", "cost", "crossing"))
EXCHANGE, MEMBER, REGION, EMIT, WORDS, NETWORK = (
    f"transform/{x}.c" for x in ("exchange", "member", "region", "emit", "words", "network"))
BRIDGE = "pass/bridge.cpp"

MUTATIONS = [Mutation(hazard, name, file, old, new, tests.split()) for hazard, name, file, old, new, tests in [
    # who is here, and where the records are
    (1, "full-warp", EMIT, "return LLVMBuildICmp(emit->builder, LLVMIntEQ, active, emit_int(emit, ALL_LANES), \"\");",
     "return LLVMBuildICmp(emit->builder, LLVMIntEQ, active, active, \"\");", "hazard01"),
    (1, "full-warp-any", EMIT, "LLVMIntEQ, active, emit_int(emit, ALL_LANES)", "LLVMIntNE, active, emit_int(emit, 0)", "hazard01"),
    (5, "vote-of-tests", EMIT, "return emit_call(emit, \"llvm.nvvm.vote.all.sync\", emit->i1, args, 2);", "(void)args; return condition;",
     "hazard05 hazard09"),
    (5, "consecutive", EXCHANGE, "list_add(tests, is_consecutive(emit, group, address));", "(void)is_consecutive(emit, group, address);", "hazard05"),
    (5, "member-at-offset", REGION, "list_add(tests, is_at_offset(", "(void)(is_at_offset(", "hazard05"),
    (5, "tested-where-unproved", GROUP, "member->tested = !is_at_distance(", "member->tested = false && !is_at_distance(", "hazard05"),
    (9, "alignment", LAYOUT, "        .aligned = known_alignment(group, offset) >= unit,", "        .aligned = true,", "hazard09"),
    (9, "alignment-sure", LAYOUT, "if (cutter->kind == LAYOUT_SURE)\n        return known", "if (cutter->kind == LAYOUT_SURE && offset > 4096)\n        return known", "hazard09"),
    (9, "alignment-of-offset", LAYOUT, "member->access->alignment | (offset - member->offset));", "member->access->alignment);", "hazard09"),
    (9, "isspacep", EMIT, "return emit_call(emit, \"llvm.nvvm.isspacep.global\", emit->i1, &pointer, 1);",
     "(void)pointer; return LLVMConstInt(emit->i1, 1, false);", "hazard09"),
    (9, "space-of-all-callers", GROUP, "    alone.caller = NULL;\n    alone.call = NULL;\n", "", "hazard09"),
    # order
    (4, "overlap", REGION, "return LLVMBuildOr(emit->builder, below, above, \"\");",
     "return LLVMBuildOr(emit->builder, LLVMBuildOr(emit->builder, below, above, \"\"), LLVMConstInt(emit->i1, 1, false), \"\");", "hazard04"),
    (4, "overlap-end", REGION, "LLVMBuildICmp(emit->builder, LLVMIntUGE, start, high, \"\")",
     "LLVMBuildICmp(emit->builder, LLVMIntUGE, start, low, \"\")", "hazard04"),
    (4, "loads-over-stores", GROUP, "if (other->access->op == OP_STORE && !settle(group, access, other))\n                return false;",
     "(void)other;", "hazard04"),
    (4, "stores-over-all", GROUP, "if (member->position < other->position && !settle(group, member->access, other))\n                return false;",
     "(void)member; (void)other;", "hazard04"),
    (4, "overlaps-always", GROUP, "if (is_at_distance(group->scope, member, other->access, &overlap))\n        return false;", "(void)overlap;\n    if (false)\n        return false;", "hazard04"),
    (4, "near-conflicts", GROUP, "if (distance + other->access->bytes > known->high)\n        known->high", "if (false)\n        known->high", "hazard04"),
    (2, "barrier-before-load", EXCHANGE, "    Units units = units_new(emit, layout);\n    if (shares_out(layout))\n        emit_warp_barrier(emit);",
     "    Units units = units_new(emit, layout);", "hazard02"),
    (2, "barrier-after-load", EXCHANGE, "void exchange_loaded(Emit *emit, const Layout *layout)\n{\n    if (shares_out(layout))", "void exchange_loaded(Emit *emit, const Layout *layout)\n{\n    if (!layout)", "hazard02"),
    (2, "barrier-before-store", EXCHANGE, "    const Layout *layout = &group->layout[kind];\n    if (shares_out(layout))\n        emit_warp_barrier(emit);\n    for",
     "    const Layout *layout = &group->layout[kind];\n    for", "hazard02"),
    (2, "barrier-after-store", EXCHANGE, "emit_store(emit, place(emit, &places, k), &units->unit[i][k], part->unit);\n    }\n    if (shares_out(layout))\n        emit_warp_barrier(emit);",
     "emit_store(emit, place(emit, &places, k), &units->unit[i][k], part->unit);\n    }", "hazard02"),
    (3, "convergent-calls", GROUP, "if (LLVMIsACallInst(instruction) && ir_is_convergent(instruction))\n        return false;", "", "hazard03 hazard10"),
    (3, "calls-that-write", GROUP, "        if (!is_harmless(instruction))\n            grouping->open.count = 0;", "", "hazard03"),
    (3, "volatile", GROUP, "&& !LLVMGetVolatile(instruction) &&", "&&", "hazard03"),
    (3, "volatile-copies", GROUP, "return is_constant_bool(LLVMGetOperand(instruction, VOLATILE_OPERAND), false);", "return true;", "hazard03"),
    (3, "ordered", GROUP, "LLVMGetOrdering(instruction) == LLVMAtomicOrderingNotAtomic;", "true;", "hazard03"),
    (3, "atomics", GROUP, "|| access->op == OP_ATOMIC ||", "||", "hazard03"),
    (3, "crossing", GROUP, "if (group->barriers.count && !may_cross(group, access))\n        return false;", "", "hazard03"),
    (3, "unwritten-before", CROSSING, "if (!leaves_alone(scope, load, i, false) &&", "if (false && !leaves_alone(scope, load, i, false) &&", "hazard03"),
    (3, "untouched-after", CROSSING, "if (!leaves_alone(scope, store, i, true) &&", "if (false && !leaves_alone(scope, store, i, true) &&", "hazard03"),
    (3, "own-record", CROSSING, "if (!is_own_record(group) || ", "(void)is_own_record;\n    if (", "hazard03"),
    (3, "barrier-repeats", CROSSING, " || ir_repeats(scope->kernel->ir, first)", "", "hazard03"),
    # which bytes
    (6, "last-wins", WORDS, "for (size_t i = contents->count; i-- > 0;) {", "for (size_t i = 0; i < contents->count; i++) {", "hazard06"),
    (7, "touched-only", LAYOUT, "for (to = from; touched[to]; to++)", "for (to = from; to < bytes; to++)", "hazard06 hazard07"),
    (8, "freeze", WORDS, "LLVMBuildFreeze(emit->builder, content->value, \"\")", "content->value", "poison"),
    (8, "plain-types", GROUP, "return LLVMSizeOfTypeInBits(layout, type) == 8 * LLVMStoreSizeOfType(layout, type);", "return true;", "types"),
    (8, "hoist-purity", PLAN, "if (depth == HOIST_DEPTH || !ir_is_pure(value))", "if (depth == HOIST_DEPTH)", "hazard08"),
    (8, "pure-is-speculatable", BRIDGE, " && isSafeToSpeculativelyExecute(i)", "", "hazard08"),
    (8, "live-out", MEMBER, "        list_add(&split->fast->erased, twin);\n        return;", "        list_add(&split->fast->erased, twin);\n        map_put(split->fast->value, instruction, twin);\n        return;", "hazard08"),
    (8, "copied-value-used", MEMBER, "            if (!stored)\n                return true;", "            (void)stored;", "struct hazard06 hazard08"),
    (10, "optnone", PLAN, " || ir_is_optnone(scope->function)", "", "hazard10"),
    (10, "quiet-between", PLAN, "        if (LLVMIsACallInst(i) && ir_is_convergent(i))\n            return false;\n    return true;", "        ;\n    return true;", "hazard10"),
    (10, "off", "pass/run.c", "    if (kernel->options.off)\n        return;\n", "", "hazard10"),
    # how much
    (11, "chunks", GROUP, "return (access->address->constant - access->record->offset) / CHUNK_BYTES;", "return 0;", "hazard11"),
    (11, "group-bytes", GROUP, " || access->bytes > GROUP_BYTES", "", "hazard11"),
    (11, "group-bytes-layout", LAYOUT, "    if (bytes > GROUP_BYTES)\n        return false;\n", "", "hazard11"),
    (11, "part-size", LAYOUT, "int64_t most = unit > WORD_BYTES ? PART_BYTES / unit : PART_UNITS;", "int64_t most = GROUP_BYTES;", "hazard11"),
    (11, "no-gain", COST, "return group->plain * PERCENT >= group->rewritten * (PERCENT + COST_MARGIN);", "return true;", "hazard06 cost"),
    (11, "scattered-loads", COST, "group->covered < COST_SCATTERED)\n        return false;", "false)\n        return false;", "cost"),
    # what moves where
    (0, "network-order", NETWORK, "unit[by_piece ? piece_first : turn_first]", "unit[by_piece ? turn_first : turn_first]", "sizes"),
    (0, "verify", EMIT, "LLVMBuildCondBr(builder, LLVMGetParam(check, 0), right, wrong);", "LLVMBuildCondBr(builder, LLVMConstInt(emit->i1, 1, false), right, wrong);", "verify"),
]]
