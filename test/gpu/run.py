#!/usr/bin/env python3
"""run.py FOLDER: launches every case of a folder that build.sh made on the GPU of this machine, and compares every byte.

Needs the CUDA driver and Python alone (no toolkit, no compiler). A guard of 256 bytes on both sides of each buffer
shows stray writes. Before each launch all shared memory is overwritten, or a kernel that reads too early might find there what
it left the last time. Prints one line a difference, then a table. Exit 1 if anything differs.

run.py --self-test FOLDER: can the comparison fail? One case runs twice, the second time against bytes of which one bit is
flipped: the first must agree and the second must not. Exit 1 otherwise.
"""
import collections
import ctypes
import json
import os
import struct
import sys

GUARD = 256
STALE_WORDS, STALE_BLOCKS = 50000, 1024     # nearly all of a multiprocessor's shared memory: one block each at a time
cuda = ctypes.CDLL("libcuda.so.1")


class Broken(Exception):
    pass


def call(name, *args):
    code = getattr(cuda, name)(*args)
    if code:
        text = ctypes.c_char_p()
        cuda.cuGetErrorString(code, ctypes.byref(text))
        raise Broken(f"{name}: {text.value.decode() if text.value else code}")


def u64(x):
    return ctypes.c_uint64(x)


def wanted(folder, arg, flip):
    want = bytearray(open(os.path.join(folder, arg["want"]), "rb").read())
    if flip:
        want[len(want) // 2] ^= 1
    return bytes(want)


def shared_fill(stale, value):
    values = [ctypes.c_uint32(value & 0xFFFFFFFF), ctypes.c_uint32(STALE_WORDS)]
    pointers = (ctypes.c_void_p * 2)(*[ctypes.addressof(v) for v in values])
    call("cuLaunchKernel", stale, STALE_BLOCKS, 1, 1, 1024, 1, 1, 4 * STALE_WORDS, None, pointers, None)


def launch(folder, case, function, arena, stale, flipped=None):
    """Runs one case. Gives a list of differences. flipped: number of the argument whose expected bytes get a wrong bit."""
    at, spans, values = 0, {}, []
    image = bytearray()
    for i, arg in enumerate(case["args"]):
        if isinstance(arg, dict):
            size = arg["bytes"]
            data = open(os.path.join(folder, arg["in"]), "rb").read() if "in" in arg else b"\xcd" * size
            start = len(image) + GUARD
            image += b"\xa5" * GUARD + data + b"\xa5" * GUARD
            image += b"\xa5" * (-len(image) % 256)
            spans[i] = (start, size)
    call("cuMemcpyHtoD_v2", u64(arena), bytes(image), ctypes.c_size_t(len(image)))
    for i, arg in enumerate(case["args"]):
        if isinstance(arg, dict):
            values.append(u64(arena + spans[i][0]))
        else:
            kind, _, text = arg.partition(":")
            if kind == "ref":
                to, off = text.split("+")
                values.append(u64(arena + spans[int(to)][0] + int(off)))
            elif kind == "null":
                values.append(u64(0))
            elif kind == "i32":
                values.append(ctypes.c_uint32(int(text) & 0xFFFFFFFF))
            elif kind == "i64":
                values.append(u64(int(text) & (1 << 64) - 1))
            elif kind == "f32":
                values.append(ctypes.c_float(float(text)))
            else:
                values.append(ctypes.c_double(float(text)))
    pointers = (ctypes.c_void_p * max(1, len(values)))(*[ctypes.addressof(v) for v in values])
    shared_fill(stale, 0xDEAD0000 + len(image))
    call("cuLaunchKernel", function, *case["grid"], *case["block"], case["shared"], None, pointers, None)
    call("cuCtxSynchronize")
    back = ctypes.create_string_buffer(len(image))
    call("cuMemcpyDtoH_v2", back, u64(arena), ctypes.c_size_t(len(image)))
    wrong, last = [], 0
    for i, (start, size) in spans.items():
        want = wanted(folder, case["args"][i], i == flipped)
        got = back.raw[start:start + size]
        if got != want:
            j = next(j for j in range(size) if got[j] != want[j])
            count = sum(x != y for x, y in zip(got, want))
            wrong.append(f"buffer {i} +{j}: GPU {got[j]:02x}, machine {want[j]:02x}, {count} of {size} bytes differ")
        if back.raw[last:start].strip(b"\xa5"):
            wrong.append(f"stray write before buffer {i}")
        last = start + size
    if back.raw[last:].strip(b"\xa5"):
        wrong.append("stray write after the last buffer")
    return wrong


def gpu_open():
    """The name of GPU 0 and the address of the memory that every case uses."""
    device, context, arena, name = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_uint64(), ctypes.create_string_buffer(99)
    call("cuInit", 0)
    call("cuDeviceGet", ctypes.byref(device), 0)
    call("cuDeviceGetName", name, 99, device)
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
    call("cuCtxSetCurrent", context)
    # Recursive kernels: the stack that a thread has by default, 1 KiB, is too short at -O0, and nothing says so.
    call("cuCtxSetLimit", ctypes.c_int(0), ctypes.c_size_t(16384))
    call("cuMemAlloc_v2", ctypes.byref(arena), ctypes.c_size_t(64 << 20))
    return name.value.decode(), arena.value


def module_open(folder, cubin):
    module = ctypes.c_void_p()
    call("cuModuleLoadData", ctypes.byref(module), open(os.path.join(folder, cubin), "rb").read())
    return module


def function_of(module, case):
    function = ctypes.c_void_p()
    call("cuModuleGetFunction", ctypes.byref(function), module, case["kernel"].encode())
    return function


def stale_open(folder):
    stale = function_of(module_open(folder, "stale.cubin"), {"kernel": "stale"})
    call("cuFuncSetAttribute", stale, ctypes.c_int(8), ctypes.c_int(4 * STALE_WORDS))   # most dynamic shared memory
    return stale


def self_test(folder, cases):
    _, arena = gpu_open()
    case = cases[0]
    last = max(i for i, arg in enumerate(case["args"]) if isinstance(arg, dict))
    function = function_of(module_open(folder, case["cubin"]), case)
    right, wrong = (launch(folder, case, function, arena, stale_open(folder), flipped) for flipped in (None, last))
    seen = not right and len(wrong) == 1 and wrong[0].startswith(f"buffer {last} ") and ", 1 of " in wrong[0]
    print(f"{case['kernel']} as expected: {right or 'no difference'}; one bit flipped: {wrong or 'no difference'}")
    print("self-test passed" if seen else "self-test FAILED")
    return 0 if seen else 1


def compare(folder, cases):
    name, arena = gpu_open()
    stale = stale_open(folder)
    tally, bytes_compared = collections.Counter(), 0
    by_cubin = collections.defaultdict(list)
    for case in cases:
        by_cubin[case["cubin"]].append(case)
    for cubin, group in sorted(by_cubin.items()):
        module = module_open(folder, cubin)
        for case in group:
            try:
                wrong = launch(folder, case, function_of(module, case), arena, stale)
            except Broken as e:           # the context is lost: no further case can run
                print(f"{case['kernel']} {case['level']}: {e}")
                return 1
            for w in wrong:
                print(f"{case['kernel']} {case['level']}: {w}")
            tally[case["level"], "same" if not wrong else "different"] += 1
            bytes_compared += sum(a["bytes"] for a in case["args"] if isinstance(a, dict))
        call("cuModuleUnload", module)
    print(f"\n{name}")
    for (level, verdict), n in sorted(tally.items()):
        print(f"  -{level}  {verdict:10} {n:6} kernels")
    print(f"  {bytes_compared} bytes compared")
    return 1 if any(v == "different" for _, v in tally) or not cases else 0


def main():
    testing = sys.argv[1:2] == ["--self-test"]
    if len(sys.argv) != 2 + testing:
        sys.exit(__doc__)
    folder = sys.argv[-1]
    cases = json.load(open(os.path.join(folder, "cases.json")))
    return (self_test if testing else compare)(folder, cases)


if __name__ == "__main__":
    sys.exit(main())
