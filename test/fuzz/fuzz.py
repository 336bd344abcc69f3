"""Runs coalda-fuzz over random modules and mutants of real kernels; fails where it does."""
import argparse
import json
import pathlib
import subprocess
import sys

import corpus
import extreme

STRESS = 400
MUTANTS = 600
PROCESSES = 2


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fuzz", required=True, help="coalda-fuzz")
    parser.add_argument("--llvm", required=True, type=pathlib.Path, help="directory of LLVM's tools")
    parser.add_argument("--cuda", default="", help="CUDA toolkit")
    parser.add_argument("--root", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path, help="where the modules are kept")
    parser.add_argument("--mutants", type=int, default=MUTANTS)
    parser.add_argument("--stress", type=int, default=STRESS)
    parser.add_argument("--first", type=int, default=0, help="seed of the first mutant")
    return parser.parse_args()


def run_all(args, flags, files):
    """Spreads the files over the processors. True where all of them went well."""
    jobs = [subprocess.Popen([args.fuzz, *flags, *files[i::PROCESSES]]) for i in range(PROCESSES) if files[i::PROCESSES]]
    return all([job.wait() == 0 for job in jobs])


def documents(text):
    """JSON documents that follow one another."""
    decoder, at = json.JSONDecoder(), 0
    while at < len(text):
        _, at = decoder.raw_decode(text, at)
        yield at
        at += len(text[at:]) - len(text[at:].lstrip())


def json_parses(args, files):
    """Reports on mutants are JSON, whatever the names and numbers in them."""
    done = subprocess.run([args.fuzz, "--json", "--mutants=2", f"--first={args.first}", *files], capture_output=True, text=True)
    if done.returncode:
        print(done.stderr)
    count = sum(1 for _ in documents(done.stdout.strip()))
    print(f"{count} reports read as JSON", flush=True)
    return count > 0 and done.returncode == 0


def main():
    args = arguments()
    stressed = corpus.stress_modules(args.llvm / "llvm-stress", args.out / "stress", args.stress)
    kernels = corpus.kernel_modules(args.llvm / "clang", args.cuda, args.out / "kernels", args.root) if args.cuda else []
    deep = extreme.modules(args.out / "extreme")
    good = run_all(args, [], stressed + deep)
    each = -(-args.mutants // max(len(kernels), 1))
    good &= run_all(args, [f"--mutants={each}", f"--first={args.first}"], kernels or stressed[:50])
    good &= json_parses(args, kernels or stressed[:50])
    sys.exit(not good)


if __name__ == "__main__":
    main()
