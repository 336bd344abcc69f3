"""Modules at the limits: depth and sharing that would take forever if work were repeated, and legal IR of odd types,
offsets, calls and attributes."""

HEAD = """target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""


def kernel(lines, index="%x", tail="", params="ptr %p, i32 %n, i1 %u"):
    """A kernel that reads p[index]; `lines` compute the index from the thread's, %t."""
    return "\n".join([HEAD, f"define ptx_kernel void @k({params}) {{", "entry:",
                      "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()", "  %c = icmp slt i32 %t, %n", *lines,
                      f"  %a = getelementptr float, ptr %p, i32 {index}", "  %v = load float, ptr %a",
                      "  store float %v, ptr %p", "  ret void", "}", tail, ""])


def chain(count, step):
    """x0 = t; x(i+1) = step(xi, i). Ends in %x."""
    lines = ["  %x0 = add i32 %t, 0"]
    lines += ["  " + step.format(o=f"%x{i}", n=f"%x{i + 1}", i=i) for i in range(count)]
    return kernel(lines, f"%x{count}")


def boolean_chain(opcode, count):
    """A condition that is its own operand twice, again and again, on a branch."""
    lines = ["  %b0 = icmp slt i32 %t, 7"]
    lines += [f"  %b{i + 1} = {opcode} i1 %b{i}, %b{i}" for i in range(count)]
    lines += [f"  br i1 %b{count}, label %yes, label %no", "no:", "  ret void", "yes:"]
    return kernel(lines, "%t")


def diamonds(count, uniform):
    """if/else after if/else, each side moving the index."""
    condition = "%u" if uniform else "%c"
    lines, value, block = [], "%t", "entry"
    for i in range(count):
        lines += [f"  br i1 {condition}, label %l{i}, label %r{i}", f"l{i}:", f"  %y{i} = add i32 {value}, {i + 1}",
                  f"  br label %j{i}", f"r{i}:", f"  %z{i} = mul i32 {value}, 3", f"  br label %j{i}", f"j{i}:",
                  f"  %x{i} = phi i32 [ %y{i}, %l{i} ], [ %z{i}, %r{i} ]"]
        value = f"%x{i}"
    return kernel(lines, value)


def nest(depth, phis):
    """Loops within loops; every phi of a loop starts at a phi of the one around it and returns through the next."""
    lines = ["  br label %h0"]
    for d in range(depth):
        before = "entry" if d == 0 else f"h{d - 1}"
        lines.append(f"h{d}:")
        for p in range(phis):
            start = f"{p}" if d == 0 else f"%q{d - 1}.{p}"
            lines.append(f"  %q{d}.{p} = phi i32 [ {start}, %{before} ], [ %s{d}.{p}, %e{d} ]")
        lines.append(f"  br label %{'h' + str(d + 1) if d + 1 < depth else 'e' + str(d)}")
    for d in reversed(range(depth)):
        lines.append(f"e{d}:")
        for p in range(phis):
            inner = f"%q{d}.{(p + 1) % phis}" if d + 1 == depth else f"%s{d + 1}.{(p + 1) % phis}"
            lines.append(f"  %s{d}.{p} = add i32 {inner}, {p}")
        lines += [f"  %d{d} = icmp slt i32 %s{d}.0, %n",
                  f"  br i1 %d{d}, label %h{d}, label %{'e' + str(d - 1) if d else 'out'}"]
    return kernel(lines + ["out:"], f"%s0.{phis - 1}")


def ring(phis, step):
    """One loop whose phis hand their values on in a ring, mixed on the way."""
    lines = ["  br label %h", "h:"]
    lines += [f"  %q{i} = phi i32 [ {i}, %entry ], [ %s{i}, %h ]" for i in range(phis)]
    lines += [f"  %s{i} = " + step.format(a=f"%q{(i + 1) % phis}", b=f"%q{(i * 7 + 3) % phis}") for i in range(phis)]
    lines += ["  %d = icmp slt i32 %q0, %n", "  br i1 %d, label %h, label %out", "out:"]
    return kernel(lines, "%q0")


def calls(depth, width):
    """f0 calls f1 `width` times, which calls f2 `width` times ..."""
    parts = []
    for d in range(depth):
        body = ["  %r0 = add i32 %x, 1"]
        if d + 1 < depth:
            body += [f"  %r{w + 1} = call i32 @f{d + 1}(ptr %p, i32 %r{w})" for w in range(width)]
        last = width if d + 1 < depth else 0
        parts.append("\n".join([f"define internal i32 @f{d}(ptr %p, i32 %x) {{", *body,
                                f"  %a = getelementptr float, ptr %p, i32 %r{last}", "  store float 0.0, ptr %a",
                                f"  ret i32 %r{last}", "}"]))
    return kernel(["  %x = call i32 @f0(ptr %p, i32 %t)"], tail="\n".join(parts))


def guards(count):
    """Tests within tests: each block inherits the conditions of all that enclose it, and reads memory."""
    lines = []
    for i in range(count):
        lines += [f"  %g{i} = icmp slt i32 %t, {100000 - i}", f"  br i1 %g{i}, label %b{i}, label %out", f"b{i}:",
                  f"  %a{i} = getelementptr float, ptr %p, i32 %t", f"  store float 1.0, ptr %a{i}"]
    return kernel(lines + ["  br label %out", "out:"], "%t")


def selects(count):
    """Each choice takes the one before on both sides, under a test of its own."""
    lines, value = [], "%t"
    for i in range(count):
        lines += [f"  %m{i} = add i32 {value}, {i + 1}", f"  %g{i} = icmp slt i32 {value}, {i}",
                  f"  %x{i} = select i1 %g{i}, i32 {value}, i32 %m{i}"]
        value = f"%x{i}"
    return kernel(lines, value)


def accesses(count):
    """Many accesses of one body, at as many places."""
    lines = []
    for i in range(count):
        lines += [f"  %o{i} = mul i32 %t, {i % 97 + 1}", f"  %a{i} = getelementptr i8, ptr %p, i32 %o{i}",
                  f"  store i32 {i}, ptr %a{i}"]
    return kernel(lines, "%t")


def byte_copies(bytes_each):
    """Long copies that no alignment helps, in a loop whose counter is divided, by the largest block."""
    lines = ["  br label %h", "h:", "  %i = phi i32 [ 0, %entry ], [ %j, %h ]", "  %q = udiv i32 %i, 3",
             "  %b = add nuw nsw i32 %q, %t", "  %m = mul nsw i32 %b, 5", "  %o = add nsw i32 %m, %n",
             "  %g = getelementptr i8, ptr %p, i32 %o",
             f"  call void @llvm.memcpy.p0.p0.i64(ptr %g, ptr %g, i64 {bytes_each}, i1 false)",
             "  %j = add nuw nsw i32 %i, 1", "  %d = icmp slt i32 %j, 1000", "  br i1 %d, label %h, label %out", "out:"]
    copy = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"
    return kernel(lines, "%t", copy).replace("i1 %u) {", 'i1 %u) "nvvm.reqntid"="1024" {')


def cases(count):
    """A join of many ways."""
    lines = ["  switch i32 %t, label %join [", *[f"    i32 {i}, label %b{i}" for i in range(count)], "  ]"]
    for i in range(count):
        lines += [f"b{i}:", f"  %w{i} = add i32 %t, {i}", "  br label %join"]
    ways = ", ".join(f"[ %w{i}, %b{i} ]" for i in range(count))
    return kernel(lines + ["join:", f"  %x = phi i32 [ 0, %entry ], {ways}"])


def switches(count):
    """A loop with one switch behind another, each of what the ones before have made and of what is loaded."""
    lines = ["  br label %l", "l:", "  %j = phi i32 [ 0, %entry ], [ %jn, %e ]", "  %x0 = phi i32 [ %t, %entry ], [ %x" + str(count) + ", %e ]",
             "  br label %s0"]
    lines += ["s0:"]
    for i in range(count):
        lines += [f"  %g{i} = getelementptr i32, ptr %p, i32 {i}", f"  %v{i} = load i32, ptr %g{i}", f"  %k{i} = add i32 %v{i}, %x{i}",
                  f"  switch i32 %k{i}, label %s{i + 1} [ i32 0, label %a{i}  i32 1, label %b{i}  i32 2, label %c{i}  i32 3, label %d{i} ]"]
        for name, step in (("a", "add"), ("b", "mul"), ("c", "xor"), ("d", "sub")):
            lines += [f"{name}{i}:", f"  %{name}x{i} = {step} i32 %x{i}, {i + 2}", f"  br label %s{i + 1}"]
        lines += [f"s{i + 1}:", f"  %x{i + 1} = phi i32 [ %x{i}, %s{i} ], " + ", ".join(f"[ %{n}x{i}, %{n}{i} ]" for n in "abcd")]
    lines += ["  br label %e"]
    lines += ["e:", "  %jn = add i32 %j, 1", "  %m = icmp slt i32 %jn, %n", "  br i1 %m, label %l, label %x", "x:"]
    return kernel(lines, f"%x{count}")


def loops_with_ways(count):
    """One loop behind another, each of iterations that go different ways, whose loads had better come first."""
    lines, s, c, before = [], "0.0", "0", "entry"
    for q in range(count):
        lines += [f"  br label %h{q}", f"h{q}:", f"  %j{q} = phi i32 [ 0, %{before} ], [ %jn{q}, %e{q} ]",
                  f"  %s{q} = phi float [ {s}, %{before} ], [ %sn{q}, %e{q} ]", f"  %c{q} = phi i32 [ {c}, %{before} ], [ %cn{q}, %e{q} ]",
                  f"  %r{q} = mul nuw nsw i32 %j{q}, %w", f"  %i{q} = add nuw nsw i32 %r{q}, %t", f"  %k{q} = add nuw nsw i32 %i{q}, {q}",
                  f"  %z{q} = zext i32 %k{q} to i64", f"  %a{q} = getelementptr i32, ptr %p, i64 %z{q}",
                  f"  %v{q} = load i32, ptr %a{q}, !invariant.load !0", f"  %g{q} = icmp sgt i32 %v{q}, {q}",
                  f"  br i1 %g{q}, label %y{q}, label %n{q}"]
        lines += [f"y{q}:", f"  %f{q} = sitofp i32 %v{q} to float", f"  %m{q} = fadd float %s{q}, %f{q}", f"  br label %e{q}"]
        lines += [f"n{q}:", *(f"  %x{q}.{i} = xor i32 {f'%x{q}.{i - 1}' if i else f'%v{q}'}, {3 * i + 5}" if i % 2 == 0 else
                              f"  %x{q}.{i} = mul i32 %x{q}.{i - 1}, %v{q}" for i in range(12)),
                  f"  %b{q} = add i32 %c{q}, %x{q}.11", f"  br label %e{q}"]
        lines += [f"e{q}:", f"  %sn{q} = phi float [ %m{q}, %y{q} ], [ %s{q}, %n{q} ]", f"  %cn{q} = phi i32 [ %c{q}, %y{q} ], [ %b{q}, %n{q} ]",
                  f"  %jn{q} = add nuw nsw i32 %j{q}, 1", f"  %d{q} = icmp slt i32 %jn{q}, %n", f"  br i1 %d{q}, label %h{q}, label %o{q}",
                  f"o{q}:"]
        s, c, before = f"%sn{q}", f"%cn{q}", f"o{q}"
    lines += [f"  %fc = sitofp i32 {c} to float", f"  %sum = fadd float {s}, %fc", "  %oa = getelementptr float, ptr %q, i32 %t",
              "  store float %sum, ptr %oa"]
    return kernel(lines, "%t", "!0 = !{}", "ptr noalias readonly %p, ptr noalias %q, i32 %n, i32 %w").replace(
        "%w) {", '%w) "target-cpu"="sm_90" {').replace("  store float %v, ptr %p\n", "")


def tiles(count):
    """One tile loop behind another, each with an array of its own, and a sum that goes through all of them, and around each."""
    lines, s, before = ["  %any = icmp sgt i32 %n, 0"], "0.0", "entry"
    for q in range(count):
        lines += [f"  br i1 %any, label %h{q}, label %o{q}", f"h{q}:", f"  %k{q} = phi i32 [ 0, %{before} ], [ %kn{q}, %h{q} ]",
                  f"  %s{q} = phi float [ {s}, %{before} ], [ %sn{q}, %h{q} ]", f"  %e{q} = mul nuw nsw i32 %k{q}, 64",
                  f"  %i{q} = add nuw nsw i32 %e{q}, %t", f"  %ga{q} = getelementptr float, ptr %q, i32 %i{q}",
                  f"  %gv{q} = load float, ptr %ga{q}", f"  %sa{q} = getelementptr float, ptr addrspace(3) @s{q}, i32 %t",
                  f"  store float %gv{q}, ptr addrspace(3) %sa{q}", WAIT, f"  %x{q} = xor i32 %t, 1",
                  f"  %ua{q} = getelementptr float, ptr addrspace(3) @s{q}, i32 %x{q}", f"  %uv{q} = load float, ptr addrspace(3) %ua{q}",
                  f"  %sn{q} = fadd float %s{q}, %uv{q}", WAIT, f"  %kn{q} = add nuw nsw i32 %k{q}, 1",
                  f"  %m{q} = icmp slt i32 %kn{q}, %n", f"  br i1 %m{q}, label %h{q}, label %o{q}", f"o{q}:",
                  f"  %so{q} = phi float [ {s}, %{before} ], [ %sn{q}, %h{q} ]"]
        s, before = f"%so{q}", f"o{q}"
    lines += ["  %oa = getelementptr float, ptr %p, i32 %t", f"  store float {s}, ptr %oa"]
    arrays = "\n".join(f"@s{q} = internal addrspace(3) global [64 x float] undef" for q in range(count))
    tail = arrays + "\n" + BARRIER + "\nattributes #1 = { convergent nocallback nounwind }\n" + \
        'attributes #0 = { "target-cpu"="sm_90" "nvvm.reqntid"="64" }'
    return kernel(lines, "%t", tail, "ptr noalias %p, ptr noalias readonly %q, i32 %n, i1 %u").replace("i1 %u) {", "i1 %u) #0 {")


def vector_of_structs():
    """Indices of a GEP may be vectors, those that name a field too."""
    return kernel(["  %s = insertelement <2 x ptr> undef, ptr %p, i32 0",
                   "  %f = getelementptr {i32, [4 x i32]}, <2 x ptr> %s, <2 x i32> zeroinitializer, <2 x i32> <i32 1, i32 1>, <2 x i32> <i32 1, i32 3>",
                   "  %q = extractelement <2 x ptr> %f, i32 1", "  store i32 0, ptr %q"], "%t")


def odd_types():
    """Every size and width an access or an index may have."""
    types = ["i1", "i7", "i33", "i65", "i128", "i256", "half", "bfloat", "fp128", "{}", "[0 x i32]", "[5000 x i8]", "[1000 x i32]",
             "<3 x i7>", "<2 x ptr>", "<64 x i64>", "{ i8, i64, [3 x i16] }", "<{ i8, i64 }>", "ptr addrspace(5)"]
    lines = []
    for i, t in enumerate(types):
        lines += [f"  %a{i} = getelementptr {t}, ptr %p, i32 %t", f"  %l{i} = load {t}, ptr %a{i}, align 1",
                  f"  store {t} %l{i}, ptr %a{i}, align 1"]
    for i, bits in enumerate((1, 3, 31, 33, 63, 65, 128, 300)):
        cast = "trunc" if bits < 32 else "sext"
        lines += [f"  %i{i} = {cast} i32 %t to i{bits}", f"  %s{i} = shl i{bits} %i{i}, {bits - 1}",
                  f"  %d{i} = sdiv i{bits} %s{i}, -1", f"  %j{i} = ashr i{bits} %d{i}, {bits - 1}",
                  f"  %h{i} = lshr i{bits} %i{i}, {bits - 1}", f"  %x{i} = xor i{bits} %j{i}, %h{i}",
                  f"  %r{i} = srem i{bits} %x{i}, -1", f"  %g{i} = getelementptr i32, ptr %p, i{bits} %x{i}",
                  f"  store i32 0, ptr %g{i}", f"  %w{i} = getelementptr i32, ptr %p, i{bits} %r{i}", f"  store i32 0, ptr %w{i}"]
    return kernel(lines, "%t")


def far_offsets():
    """Addresses at both ends of the 64 bits, and strides that wrap around."""
    lines, far = ["  %w = sext i32 %t to i64"], (2**63 - 1, -2**63, 2**62, -1, 2**31, -2**31, 2**63 - 32, 2**61 + 1)
    for i, offset in enumerate(far):
        lines += [f"  %a{i} = getelementptr i8, ptr %p, i64 {offset}", f"  %e{i} = getelementptr i64, ptr %a{i}, i64 %w",
                  f"  store i64 0, ptr %e{i}", f"  %m{i} = mul i64 %w, {offset}", f"  %b{i} = getelementptr i64, ptr %p, i64 %m{i}",
                  f"  store <4 x i64> zeroinitializer, ptr %b{i}", f"  %d{i} = udiv i64 %m{i}, {offset}",
                  f"  %q{i} = sdiv i64 %d{i}, {offset}", f"  %f{i} = getelementptr i64, ptr addrspace(3) @s, i64 %q{i}",
                  f"  store i64 0, ptr addrspace(3) %f{i}", f"  %c{i}.s = icmp slt i64 %m{i}, {offset}",
                  f"  br i1 %c{i}.s, label %y{i}, label %n{i}", f"y{i}:", f"  store i32 0, ptr %b{i}", f"  br label %n{i}", f"n{i}:"]
    return kernel(lines, "%t", tail="@s = internal addrspace(3) global [64 x i64] undef")


def odd_calls():
    """Calls whose arguments and results are not those of the callee, of kernels, of themselves, of pointers."""
    tail = """define internal ptr @two(ptr %a, ptr %b) {
  %v = load ptr, ptr %b
  store i32 0, ptr %v
  store i32 1, ptr %b
  ret ptr %b
}
define internal i32 @again(ptr %a, i32 %x) {
  %y = call i32 @again(ptr %a, i32 %x)
  %z = call i32 @other(ptr %a, i32 %y)
  %g = getelementptr i32, ptr %a, i32 %z
  store i32 %y, ptr %g
  ret i32 %z
}
define internal i32 @other(ptr %a, i32 %x) {
  %y = call i32 @again(ptr %a, i32 %x)
  ret i32 %y
}
define void @inner(ptr %a, ...) {
  store i32 0, ptr %a
  call void @k(ptr %a, i32 1, i1 true)
  ret void
}
@alias = alias ptr (ptr, ptr), ptr @two
define internal void @lost() {
  unreachable
}"""
    return kernel(["  %two = call ptr @two(ptr %p)", "  store i32 0, ptr %two", "  %i = call i32 @two(i32 %n, i32 %n)",
                   "  %w = call i32 @again(ptr %p, i32 %t)", "  %al = call ptr @alias(ptr %p, ptr %p)", "  store i32 0, ptr %al",
                   "  call void (ptr, ...) @inner(ptr %p, i32 3)", "  %in = call i32 %p(i32 %t)", "  call void @lost()"], "%w", tail)


def calls_deep(depth):
    """One call within another, deeper than any stack should follow."""
    lines = [f"define internal void @f{d}(ptr %p) {{\n  store i32 {d}, ptr %p\n"
             + (f"  call void @f{d + 1}(ptr %p)\n" if d + 1 < depth else "") + "  ret void\n}" for d in range(depth)]
    return kernel(["  call void @f0(ptr %p)"], "%t", "\n".join(lines))


def blocks_said(attribute):
    """What a kernel says of its block is text, right or wrong."""
    return kernel(["  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()", "  %x = add i32 %t, %y"]).replace(
        "i1 %u) {", f"i1 %u) {attribute} {{") + "declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()\n"


BARRIER = "declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #1"
WAIT = "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)"
TILE = "@s = internal addrspace(3) global [1024 x float] undef\n" + BARRIER + "\nattributes #1 = { convergent nocallback nounwind }"


def tile(first=(), copied=(), index="%e", used=(), place="%t", next=(), step="%k1", phis=(), outside=()):
    """A tile loop over k, whose parts are lines: before the copy, and in it; of the tile's use; of the next iteration."""
    lines = ["  %o = getelementptr float, ptr %p, i32 %t", *outside, "  br label %h", "h:", "  %k = phi i32 [ 0, %entry ], [ %k1, %end ]",
             "  %sum = phi float [ 0.0, %entry ], [ %sum1, %end ]", *phis, *first, "  %e0 = mul i32 %k, 64",
             "  %e = add i32 %e0, %t", *copied, f"  %ga = getelementptr float, ptr %q, i32 {index}", "  %gv = load float, ptr %ga",
             f"  %sa = getelementptr float, ptr addrspace(3) @s, i32 {place}", "  store float %gv, ptr addrspace(3) %sa", WAIT, *used,
             "  %x = xor i32 %t, 1", "  %ua = getelementptr float, ptr addrspace(3) @s, i32 %x",
             "  %uv = load float, ptr addrspace(3) %ua", "  %sum1 = fadd float %sum, %uv", WAIT, "  br label %end", "end:", *next,
             "  %k1 = add nsw i32 %k, 1", f"  %m = icmp slt i32 {step}, %n", "  br i1 %m, label %h, label %out", "out:",
             "  store float %sum1, ptr %o", "  ret void"]
    text = "\n".join([HEAD, "define ptx_kernel void @k(ptr noalias %p, ptr noalias readonly %q, i32 %n, i1 %u) #0 {", "entry:",
                      "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()", *lines, "}", TILE,
                      'attributes #0 = { "target-cpu"="sm_90" "nvvm.reqntid"="64" }', ""])
    return text


def steps(count, step, value, name="w"):
    """w0 = value; w(i+1) = step(wi), and how the last is called."""
    lines = [f"  %{name}0 = add i32 {value}, 0"]
    return lines + ["  " + step.format(o=f"%{name}{i}", n=f"%{name}{i + 1}", i=i) for i in range(count)], f"%{name}{count}"


def tile_counter(count, step):
    """The tile loop's second counter goes through steps; it says which tile is copied."""
    lines, last = steps(count, step, "%c")
    return tile(phis=["  %c = phi i32 [ %n, %entry ], [ " + last + ", %end ]"], copied=["  %ec = add i32 %e, %c"], index="%ec", next=lines)


def tile_index(count, step):
    lines, last = steps(count, step, "%e")
    return tile(copied=lines, index=last)


def tile_place(count, step):
    lines, last = steps(count, step, "%t")
    return tile(copied=[*lines, "  %pl = and i32 " + last + ", 63"], place="%pl")


def tile_end(count, step):
    lines, last = steps(count, step, "%k1")
    text = tile(step=last)
    return text.replace("  %m = icmp", "\n".join(lines) + "\n  %m = icmp")


def tile_guard(count, step, join="and"):
    """The copy stands under a condition that is made so."""
    lines, last = steps(count, step, "%e")
    chain = ["  %b0 = icmp slt i32 " + last + ", %n"] + [f"  %b{i + 1} = {join} i1 %b{i}, %b{i}" for i in range(count)]
    text = tile(copied=[*lines, *chain, f"  br i1 %b{count}, label %yes, label %no", "yes:"])
    return text.replace(WAIT, "  br label %no\nno:\n" + WAIT, 1)


def tile_blocks(count):
    """As many blocks among the copies."""
    lines = []
    for i in range(count):
        lines += [f"  br i1 %u, label %l{i}, label %j{i}", f"l{i}:", f"  br label %j{i}", f"j{i}:"]
    return tile(first=lines)


def filling_blocks(count):
    """A loop that fills shared memory, and then as many blocks up to the barrier that waits for it."""
    lines = ["  br label %h", "h:", "  %k = phi i32 [ %t, %entry ], [ %k1, %h ]", "  %ga = getelementptr float, ptr %q, i32 %k",
             "  %gv = load float, ptr %ga", "  %sa = getelementptr float, ptr addrspace(3) @s, i32 %k",
             "  store float %gv, ptr addrspace(3) %sa", "  %k1 = add nsw i32 %k, 64", "  %m = icmp slt i32 %k1, 1024",
             "  br i1 %m, label %h, label %j", "j:"]
    for i in range(count // 2):
        lines += [f"  br i1 %u, label %l{i}, label %j{i}", f"l{i}:", f"  br label %j{i}", f"j{i}:"]
    lines += [WAIT, "  %x = xor i32 %t, 1", "  %ua = getelementptr float, ptr addrspace(3) @s, i32 %x",
              "  %uv = load float, ptr addrspace(3) %ua", "  %oa = getelementptr float, ptr %p, i32 %t", "  store float %uv, ptr %oa"]
    text = kernel(lines, "%t", TILE, "ptr noalias %p, ptr noalias readonly %q, i32 %n, i1 %u")
    return text.replace("i1 %u) {", 'i1 %u) #0 {') + 'attributes #0 = { "target-cpu"="sm_90" "nvvm.reqntid"="64" }\n'


def walk_with(count, step):
    """A thread's walk along a row, whose index goes through steps."""
    lines, last = steps(count, step, "%t64")
    body = ["  br label %h", "h:", "  %k = phi i32 [ 0, %entry ], [ %k1, %h ]", "  %sum = phi float [ 0.0, %entry ], [ %sum1, %h ]",
            "  %t64 = mul i32 %t, 64", *lines, "  %i = add i32 " + last + ", %k", "  %ga = getelementptr float, ptr %p, i32 %i",
            "  %gv = load float, ptr %ga", "  %sum1 = fadd float %sum, %gv", "  %k1 = add nsw i32 %k, 1",
            "  %m = icmp slt i32 %k1, 64", "  br i1 %m, label %h, label %out", "out:", "  %oa = getelementptr float, ptr %p, i32 %t",
            "  store float %sum1, ptr %oa"]
    return kernel(body, "%t")


def pointers_deep(count):
    """Addresses in a shared array, each made of the one before, in a tile loop."""
    lines = ["  %d0 = getelementptr float, ptr addrspace(3) @s, i32 %t"]
    lines += [f"  %d{i + 1} = getelementptr i8, ptr addrspace(3) %d{i}, i32 %k" for i in range(count)]
    return tile(used=[*lines, f"  %dv = load float, ptr addrspace(3) %d{count}", "  store float %dv, ptr %o"])


SQUARE = "%v{i} = mul i32 {o}, {o}\n  {n} = add i32 %v{i}, %n"


def annotated():
    """Annotations: of something else, cut short, not text, wrong, and right."""
    texts = ["coalda.off=perhaps", "coalda.", "coalda.shape=1024x1024x64", "coalda.arch=sm_", "other", "coalda.shape"]
    tail = [f'@a{i} = private constant [{len(t) + 1} x i8] c"{t}\\00"' for i, t in enumerate(texts)]
    tail += ["@n = private constant i32 7", "@z = private constant [4 x i8] zeroinitializer", "@u = external constant [4 x i8]"]
    entries = [f"{{ ptr, ptr }} {{ ptr @k, ptr @{name} }}" for name in [*(f"a{i}" for i in range(len(texts))), "n", "z", "u", "k"]]
    entries += ["{ ptr, ptr } zeroinitializer", "{ ptr, ptr } undef"]
    tail.append(f'@llvm.global.annotations = appending global [{len(entries)} x {{ ptr, ptr }}] [{", ".join(entries)}]')
    return kernel([], "%t", "\n".join(tail))


def made_of_itself():
    """A walk, and code beside it that nothing reaches, whose numbers and pointers are made of themselves."""
    return "\n".join([HEAD, "define ptx_kernel void @k(ptr noalias %p, ptr noalias %q, i32 %m, i32 %n) {", "entry:",
                      "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()", "  %row = mul i32 %t, %m", "  br label %loop", "loop:",
                      "  %j = phi i32 [ 0, %entry ], [ %next, %loop ]", "  %s = phi float [ 0.0, %entry ], [ %sum, %loop ]",
                      "  %i = add i32 %row, %j", "  %x = zext i32 %i to i64", "  %a = getelementptr float, ptr %p, i64 %x",
                      "  %v = load float, ptr %a", "  %sum = fadd float %s, %v", "  %next = add nuw nsw i32 %j, 1",
                      "  %more = icmp slt i32 %next, %m", "  br i1 %more, label %loop, label %end", "end:",
                      "  %b = getelementptr float, ptr %q, i32 %t", "  store float %sum, ptr %b", "  ret void", "dead:",
                      "  %d1 = add i32 %d2, %m", "  %d2 = shl i32 %d1, 1", "  %d3 = getelementptr inbounds float, ptr %d4, i32 %d2",
                      "  %d4 = getelementptr inbounds float, ptr %d3, i32 %d1", "  store i32 %d2, ptr %d4", "  br label %dead", "}", ""])


def far_neighbours():
    """A column of a shared array, and words beside it that no array reaches."""
    places = [0, -(1 << 63), -(1 << 63) + (1 << 31), (1 << 63) - 16, 4]
    lines = [HEAD, "@s = internal addrspace(3) global [1056 x float] poison, align 16", "define ptx_kernel void @k(ptr noalias %p, i32 %n) {",
             "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()", "  %x = zext i32 %t to i64", "  %r = mul i64 %x, 128",
             "  %a = getelementptr i8, ptr addrspace(3) @s, i64 %r", "  store float 1.0, ptr addrspace(3) %a",
             "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)"]
    for i, place in enumerate(places):
        lines += [f"  %b{i} = getelementptr i8, ptr addrspace(3) %a, i64 {place}", f"  %v{i} = load float, ptr addrspace(3) %b{i}",
                  f"  %q{i} = getelementptr float, ptr %p, i32 {i}", f"  store float %v{i}, ptr %q{i}"]
    return "\n".join([*lines, "  ret void", "}", "declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)", ""])


MODULES = {
    "made-of-itself": made_of_itself,
    "far-neighbours": far_neighbours,
    "odd-types": odd_types,
    "far-offsets": far_offsets,
    "odd-calls": odd_calls,
    "calls-3000-deep": lambda: calls_deep(3000),
    "annotated": annotated,
    "said-nothing": lambda: blocks_said('"nvvm.reqntid"="" "nvvm.maxntid"="x"'),
    "said-zero": lambda: blocks_said('"nvvm.reqntid"="0" "nvvm.maxntid"="-1"'),
    "said-half": lambda: blocks_said('"nvvm.reqntid"="7,-1" "nvvm.maxntid"="5,"'),
    "said-huge": lambda: blocks_said('"nvvm.reqntid"="1024,1024,1024" "target-cpu"="sm_99999999999"'),
    "add-100000": lambda: chain(100000, "{n} = add i32 {o}, 1"),
    "double-5000": lambda: chain(5000, "{n} = add i32 {o}, {o}"),
    "square-500": lambda: chain(500, "{n} = mul i32 {o}, {o}"),
    "xorshift-2000": lambda: chain(2000, "%k{i} = lshr i32 {o}, 1\n  {n} = xor i32 {o}, %k{i}"),
    "udiv-2000": lambda: chain(2000, "{n} = udiv i32 {o}, 3"),
    "and-self-2000": lambda: chain(2000, "%k{i} = or i32 {o}, 5\n  {n} = and i32 %k{i}, {o}"),
    "zext-trunc-5000": lambda: chain(5000, "%k{i} = zext i32 {o} to i64\n  {n} = trunc i64 %k{i} to i32"),
    "gep-load-2000": lambda: chain(2000, "%k{i} = getelementptr i32, ptr %p, i32 {o}\n  {n} = load i32, ptr %k{i}"),
    "and-condition": lambda: boolean_chain("and", 60),
    "or-condition": lambda: boolean_chain("or", 60),
    "xor-condition": lambda: boolean_chain("xor", 60),
    "diamonds-3000": lambda: diamonds(3000, False),
    "diamonds-uniform-3000": lambda: diamonds(3000, True),
    "selects-2000": lambda: selects(2000),
    "nest-8x8": lambda: nest(8, 8),
    "nest-40x1": lambda: nest(40, 1),
    "nest-30x6": lambda: nest(30, 6),
    "nest-100x2": lambda: nest(100, 2),
    "ring-add-10000": lambda: ring(10000, "add i32 {a}, 1"),
    "ring-mix-40": lambda: ring(40, "add i32 {a}, {b}"),
    "ring-mix-400": lambda: ring(400, "add i32 {a}, {b}"),
    "ring-mix-5000": lambda: ring(5000, "xor i32 {a}, {b}"),
    "calls-2-20": lambda: calls(20, 2),
    "calls-8-8": lambda: calls(8, 8),
    "calls-2000-2": lambda: calls(2, 2000),
    "guards-300": lambda: guards(300),
    "accesses-5000": lambda: accesses(5000),
    "switches-1000": lambda: switches(1000),
    "cases-2000": lambda: cases(2000),
    "loops-with-ways-100": lambda: loops_with_ways(100),
    "tiles-20": lambda: tiles(20),
    "byte-copies-4096": lambda: byte_copies(4096),
    "vector-of-structs": vector_of_structs,
    "tile-counter-square-60": lambda: tile_counter(60, SQUARE),
    "tile-index-square-60": lambda: tile_index(60, SQUARE),
    "tile-place-square-60": lambda: tile_place(60, SQUARE),
    "tile-end-square-60": lambda: tile_end(60, SQUARE),
    "tile-guard-and-60": lambda: tile_guard(60, SQUARE),
    "tile-guard-or-60": lambda: tile_guard(60, "{n} = add i32 {o}, {o}", "or"),
    "tile-counter-100000": lambda: tile_counter(100000, "{n} = xor i32 {o}, %n"),
    "tile-index-100000": lambda: tile_index(100000, "{n} = xor i32 {o}, %t"),
    "tile-place-100000": lambda: tile_place(100000, "{n} = xor i32 {o}, %n"),
    "tile-guard-20000": lambda: tile_guard(20000, "{n} = xor i32 {o}, %n"),
    "tile-blocks-40000": lambda: tile_blocks(20000),
    "tile-pointers-5000": lambda: pointers_deep(5000),
    "filling-blocks-60000": lambda: filling_blocks(60000),
    "walk-square-60": lambda: walk_with(60, SQUARE),
    "walk-100000": lambda: walk_with(100000, "{n} = xor i32 {o}, %n"),
}


def modules(out):
    """Writes them all; the files in order of their names."""
    out.mkdir(parents=True, exist_ok=True)
    for name, make in MODULES.items():
        (out / f"{name}.ll").write_text(make())
    return sorted(out / f"{name}.ll" for name in MODULES)
