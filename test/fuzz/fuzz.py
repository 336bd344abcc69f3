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
EACH = 2   # mutants of a kernel at least


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
    """Spreads the files over the processors. (all of them went well, what they printed)"""
    outs = [open(args.out / f"out{i}", "w+") for i in range(PROCESSES)]
    jobs = [subprocess.Popen([args.fuzz, *flags, *files[i::PROCESSES]], stdout=out) for i, out in enumerate(outs) if files[i::PROCESSES]]
    good = all([job.wait() == 0 for job in jobs])
    texts = []
    for out in outs:
        with out:
            out.seek(0)
            texts.append(out.read())
    return good, texts


def documents(text):
    """JSON documents that follow one another."""
    decoder, at = json.JSONDecoder(), 0
    while at < len(text):
        _, at = decoder.raw_decode(text, at)
        yield at
        at += len(text[at:]) - len(text[at:].lstrip())


def json_parses(texts):
    """Reports on mutants are JSON, whatever the names and numbers in them."""
    count = sum(1 for text in texts for _ in documents(text.strip()))
    print(f"{count} reports read as JSON", flush=True)
    return count > 0


def main():
    args = arguments()
    stressed = corpus.stress_modules(args.llvm / "llvm-stress", args.out / "stress", args.stress)
    kernels = corpus.kernel_modules(args.llvm / "clang", args.cuda, args.out / "kernels", args.root,
                                    args.mutants >= MUTANTS) if args.cuda else []
    deep = extreme.modules(args.out / "extreme")
    whole, _ = run_all(args, [], stressed + deep)
    each = max(EACH, -(-args.mutants // max(len(kernels), 1)))
    mutated, reports = run_all(args, ["--json", f"--mutants={each}", f"--first={args.first}"], kernels or stressed[:50])
    sys.exit(not (whole and mutated and json_parses(reports)))


if __name__ == "__main__":
    main()
