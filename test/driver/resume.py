"""resume.py ROOT FOLDER: what test/mutate/mutate.py remembers of a run that was interrupted, in a tree of its own."""
import contextlib
import io
import os
import shutil
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, f"{sys.argv[1]}/test/mutate")
import mutate  # noqa: E402
import state  # noqa: E402
from mutations import Mutation  # noqa: E402

ROOT = sys.argv[2]
STATE = os.path.join(ROOT, "mutations.json")
ALL = [Mutation(i, name, "one.c" if i < 2 else "other.c", f"check{i}", "1", ["first:kernel"] if i % 2 else ["driver/second"])
       for i, name in enumerate(("zero", "one", "two", "three"))]


def write(path, text):
    os.makedirs(os.path.dirname(os.path.join(ROOT, path)), exist_ok=True)
    with open(os.path.join(ROOT, path), "w") as f:
        f.write(text)


def run(mutations, stop_at=None, again=False):
    """Names of those that were tried, and what was said."""
    results, tried, said = state.State(STATE, ROOT), [], io.StringIO()
    if again:
        results.forget(mutations)

    def attempt(mutation):
        tried.append(mutation.name)
        if mutation.name == stop_at:
            raise KeyboardInterrupt
        return ("SURVIVES", []) if mutation.name == "two" else ("killed", ["first.cu: kernel"])

    with contextlib.redirect_stdout(said):
        try:
            verdicts = mutate.try_all(mutations, results, attempt)
            assert verdicts == {m.name: "SURVIVES" if m.name == "two" else "killed" for m in mutations}, verdicts
        except KeyboardInterrupt:
            pass
    return tried, said.getvalue()


def check_resumed():
    assert run(ALL, stop_at="two")[0] == ["zero", "one", "two"]
    tried, said = run(ALL)
    assert tried == ["two", "three"], tried
    assert "2 of 4 are known" in said and "2 to try" in said and "1 of 2" in said and "left" in said, said
    assert run(ALL)[0] == []
    assert run(ALL, again=True)[0] == ["zero", "one", "two", "three"]


def check_changed():
    write("one.c", "changed")
    assert run(ALL)[0] == ["zero", "one"]
    write("test/transform/first.cu", "changed")
    assert run(ALL)[0] == ["one", "three"]
    write("test/driver/second.test", "changed")
    assert run(ALL)[0] == ["zero", "two"]
    write("test/driver/third.test", "of no mutation")
    assert run(ALL)[0] == []
    other = ALL[0]._replace(new="0")
    assert run([other, *ALL[1:]])[0] == ["zero"]
    os.remove(os.path.join(ROOT, "other.c"))
    assert run(ALL)[0] == ["zero", "two", "three"]


def check_while_it_runs():
    """What is edited after it was tried is not what was tried."""
    results = state.State(STATE, ROOT)
    results.forget(ALL)

    def attempt(mutation):
        write("one.c", f"edited while {mutation.name} is tried")
        return "killed", []

    with contextlib.redirect_stdout(io.StringIO()):
        mutate.try_all(ALL[:1], results, attempt)
    assert run(ALL[:1])[0] == ["zero"]


def check_time_left():
    results = state.State(os.path.join(ROOT, "none.json"), ROOT)
    for mutation, seconds in zip(ALL, (10, 20, 90)):
        results.add(mutation, "key", "killed", [], seconds)
    assert results.seconds(ALL) == 10 + 20 + 90 + 20, results.seconds(ALL)
    assert mutate.left(600) == "10 min" and mutate.left(30) == "30 s"


def check_table():
    path = os.path.join(ROOT, "RESULTS.md")
    write("RESULTS.md", "| 0 | zero | killed | what stood there |\n| 1 | one | SURVIVES |  |\n| 9 | gone | killed | x |\n")
    results = state.State(os.path.join(ROOT, "one.json"), ROOT)
    results.add(ALL[1], results.key(ALL[1]), "killed", ["a.cu: k", "b.cu"], 60)
    results.write_results(path, ALL)
    with open(path) as f:
        rows = [line for line in f.read().splitlines() if line.startswith("| ") and "hazard" not in line]
    assert rows == ["| 0 | zero | killed | what stood there |", "| 1 | one | killed | a.cu: k, b.cu |"], rows


def check_broken():
    write("mutations.json", '{"results": {"ze')
    tried, said = run(ALL)
    assert tried == ["zero", "one", "two", "three"] and run(ALL)[0] == [], said


shutil.rmtree(ROOT, ignore_errors=True)
for path in ("one.c", "other.c", "test/transform/first.cu", "test/driver/second.test"):
    write(path, "as it was")
for check in (check_resumed, check_changed, check_while_it_runs, check_time_left, check_table, check_broken):
    check()
