"""tensorforms.py INTRINSICS.ll PTX.ll: the same products and moves of matrices, as LLVM's intrinsics and as inline PTX.

The kernel `forms(in, out)` of either takes 16 words of each lane, does everything there is with them and stores what comes of it.
"""
import sys

# shape, type of a, of b, of d and c; registers of a, b, d and c
FORMS = [("m16n8k8", "f16", "f16", sums, 2, 1, n) for sums, n in (("f32", 4), ("f16", 2))]
FORMS += [("m16n8k16", "f16", "f16", sums, 4, 2, n) for sums, n in (("f32", 4), ("f16", 2))]
FORMS += [("m16n8k8", "bf16", "bf16", "f32", 2, 1, 4), ("m16n8k16", "bf16", "bf16", "f32", 4, 2, 4)]
FORMS += [("m16n8k4", "tf32", "tf32", "f32", 2, 1, 4), ("m16n8k8", "tf32", "tf32", "f32", 4, 2, 4)]
for a in ("s8", "u8"):
    for b in ("s8", "u8"):
        FORMS += [("m8n8k16", a, b, "s32", 1, 1, 2), ("m16n8k16", a, b, "s32", 2, 1, 4), ("m16n8k32", a, b, "s32", 4, 2, 4)]
TYPES = {"f16": "<2 x half>", "f32": "float"}


class Module:
    def __init__(self):
        self.body, self.declared, self.names, self.results = [], set(), 0, []

    def new(self, text):
        self.names += 1
        self.body.append(f"  %v{self.names} = {text}")
        return f"%v{self.names}"

    def words(self, first, count, kind):
        """Words of the lane as registers of that type."""
        wanted = TYPES.get(kind, "i32")
        return [f"{wanted} " + (f"%w{first + i}" if wanted == "i32" else self.new(f"bitcast i32 %w{first + i} to {wanted}"))
                for i in range(count)]

    def keep(self, value, kind, count):
        """The registers of a struct, or of one."""
        wanted = TYPES.get(kind, "i32")
        for i in range(count):
            one = value if count == 1 else self.new(f"extractvalue {{{', '.join([wanted] * count)}}} {value}, {i}")
            self.results.append(one if wanted == "i32" else self.new(f"bitcast {wanted} {one} to i32"))

    def text(self):
        lines = ['target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"', 'target triple = "nvptx64-nvidia-cuda"',
                 "@s = internal addrspace(3) global [256 x i32] undef, align 16", *sorted(self.declared),
                 "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()", "declare void @llvm.nvvm.bar.warp.sync(i32)",
                 "define ptx_kernel void @forms(ptr addrspace(1) %in, ptr addrspace(1) %out) {",
                 "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()", "  %row = mul i32 %t, 4",
                 "  %at = getelementptr i32, ptr addrspace(3) @s, i32 %row", "  %first = mul i32 %t, 16"]
        for i in range(16):
            lines += [f"  %i{i} = add i32 %first, {i}", f"  %p{i} = getelementptr i32, ptr addrspace(1) %in, i32 %i{i}",
                      f"  %w{i} = load i32, ptr addrspace(1) %p{i}"]
        lines += self.body + [f"  %to = mul i32 %t, {len(self.results)}"]
        for i, result in enumerate(self.results):
            lines += [f"  %o{i} = add i32 %to, {i}", f"  %q{i} = getelementptr i32, ptr addrspace(1) %out, i32 %o{i}",
                      f"  store i32 {result}, ptr addrspace(1) %q{i}"]
        return "\n".join(lines + ["  ret void", "}", ""])


def vector(first, count):
    return "{" + ", ".join(f"${first + i}" for i in range(count)) + "}"


def product(module, form, as_ptx, saturates):
    shape, a, b, sums, na, nb, nd = form
    args = module.words(0, na, a) + module.words(4, nb, b) + module.words(8, nd, sums)
    result = "{" + ", ".join([TYPES.get(sums, "i32")] * nd) + "}"
    stop = ".satfinite" if saturates else ""
    if as_ptx:
        args = module.words(0, na, "b32") + module.words(4, nb, "b32") + module.words(8, nd, "f32" if sums == "f32" else "b32")
        result = "{" + ", ".join(["float" if sums == "f32" else "i32"] * nd) + "}"
        letter = "f" if sums == "f32" else "r"
        text = (f"mma.sync.aligned.{shape}.row.col{stop}.{sums}.{a}.{b}.{sums} {vector(0, nd)}, {vector(nd, na)}, "
                f"{vector(nd + na, nb)}, {vector(nd + na + nb, nd)};")
        constraints = ",".join([f"={letter}"] * nd + ["r"] * (na + nb) + [letter] * nd)
        value = module.new(f'call {result} asm sideeffect "{text}", "{constraints}"({", ".join(args)})')
        module.keep(value, "f32" if sums == "f32" else "b32", nd)
        return
    said = f"{sums}.{sums}" if a == "f16" else a if a == b else f"{a}.{b}"
    name = f"llvm.nvvm.mma.{shape}.row.col{stop}.{said}"
    module.declared.add(f"declare {result} @{name}({', '.join(arg[:arg.rindex(' ')] for arg in args)})")
    module.keep(module.new(f"call {result} @{name}({', '.join(args)})"), sums, nd)


def move(module, times, trans, as_ptx):
    """stmatrix, and ldmatrix of what lies there then."""
    how = f"sync.aligned.m8n8.x{times}{'.trans' if trans else ''}"
    words = module.words(0, times, "b32")
    result = "i32" if times == 1 else "{" + ", ".join(["i32"] * times) + "}"
    meet = "  call void @llvm.nvvm.bar.warp.sync(i32 -1)"
    if as_ptx:
        store = f'call void asm sideeffect "stmatrix.{how}.shared.b16 [${0}], {vector(1, times)};", "r{",r" * times}"' \
                f"(ptr addrspace(3) %at, {', '.join(words)})"
        load = f'call {result} asm sideeffect "ldmatrix.{how}.shared.b16 {vector(0, times)}, [${times}];", ' \
               f'"{"=r," * times}r"(ptr addrspace(3) %at)'
    else:
        types = ", ".join(["i32"] * times)
        module.declared |= {f"declare void @llvm.nvvm.stmatrix.{how}.b16.p3(ptr addrspace(3), {types})",
                            f"declare {result} @llvm.nvvm.ldmatrix.{how}.b16.p3(ptr addrspace(3))"}
        store = f"call void @llvm.nvvm.stmatrix.{how}.b16.p3(ptr addrspace(3) %at, {', '.join(words)})"
        load = f"call {result} @llvm.nvvm.ldmatrix.{how}.b16.p3(ptr addrspace(3) %at)"
    module.body += [meet, "  " + store, meet]
    module.keep(module.new(load), "b32", times)
    if not trans:               # what was stored comes back
        module.results += [f"%w{i}" for i in range(times)]


for path, as_ptx in zip(sys.argv[1:], (False, True)):
    module = Module()
    for form in FORMS:
        for saturates in (False, True) if form[3] == "s32" else (False,):
            product(module, form, as_ptx, saturates)
    for times in (1, 2, 4):
        for trans in (False, True):
            move(module, times, trans, as_ptx)
    open(path, "w").write(module.text())
