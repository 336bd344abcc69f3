"""What the header makes of copies, in several ways, beside plain loops: each of the runs in the simulator, all of them in one process."""
import re
import subprocess


def check(sim, stem, runs, ways):
    """Runs are (kernel, block, arguments); of each way every n-th is run, against the module of plain loops. 1 where any is wrong, or none is there."""
    lines = [(f"{stem}.{made}.ll", "--kernel", kernel, "--grid", "1", "--block", block, "--seeds", "2", "--compare", f"{stem}.loops.ll", "--", *args.split())
             for made, every in ways for kernel, block, args in list(runs)[::every]]
    done = subprocess.run([sim, "--each"], input="".join("\t".join(line) + "\n" for line in lines), capture_output=True, text=True, check=False)
    ends = re.findall(r"^coalda-sim: exit (\d+)$", done.stdout + done.stderr, re.M)
    wrong = len(lines) - ends.count("0")
    if wrong:
        print(done.stdout, done.stderr, *(" ".join(line) for line, end in zip(lines, ends) if end != "0"), sep="\n")
    print(f"{len(lines)} runs, {wrong} wrong")
    return 1 if wrong or not lines else 0
