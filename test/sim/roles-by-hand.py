"""Runs the kernels of roles-by-hand.cu, plain and as the plugin has left them, in blocks of several sizes, under several schedules."""
import subprocess
import sys

RUNS = {
    "one_buffer": "frand:6144 zero:4096 i32:6",
    "records": "frand:6144 zero:4096 i32:6",
    "strided": "drand:18432 zero:8192 i64:6 i32:192",
    "named": "rand:6144 perm:48 zero:4096 i32:6",
    "two_buffers": "frand:6144 zero:4096 i32:3",
    "then_together": "frand:6144 zero:4096 i32:6",
}


def main():
    sim, plain, *others = sys.argv[1:]
    bad = 0
    for kernel, arguments in RUNS.items():
        for block in ("96", "128", "256"):
            for other in others:
                command = [sim, plain, "--kernel", kernel, "--grid", "2", "--block", block, "--seeds", "5", "--compare", other, "--", *arguments.split()]
                done = subprocess.run(command, capture_output=True, text=True)
                if done.returncode:
                    bad += 1
                    print(kernel, block, other, done.returncode, (done.stdout + done.stderr)[:600])
    return bad


sys.exit(min(main(), 1))
