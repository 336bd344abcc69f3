"""What became of each mutation so far: a file that a run which was interrupted goes on from.

A result holds as long as what it came from is what it was: the mutation itself, its source, the tests that it names."""
import glob
import hashlib
import json
import os
import re

GUESS = 20   # seconds that a mutation takes, where none has been timed
ROW = re.compile(r"^\| (\d+) \| (\S+) \| (.*?) \| (.*) \|$", re.M)
HEAD = """# Checks taken out, one at a time, and the tests that noticed

Written by `python3 test/mutate/mutate.py --build build --results`; the mutations are in [mutations.py](mutations.py).
{}
| hazard | check | taken out | first test of test/transform that fails |
|---:|---|---|---|
"""


def paths_of(root, test):
    """Files of a test as mutations name it: NAME or FOLDER/NAME, with or without `:kernel`, and perhaps the beginning of several."""
    name = test.partition(":")[0]
    return sorted(glob.glob(os.path.join(root, "test", (name if "/" in name else f"transform/{name}") + "*")))


def digest(root, words, paths):
    """Of texts and of files; a file that is not there differs from an empty one."""
    told = hashlib.sha256(json.dumps(words).encode())
    for path in paths:
        told.update(f"\n{os.path.relpath(path, root)}\n".encode())
        if os.path.isfile(path):
            with open(path, "rb") as f:
                told.update(f.read())
    return told.hexdigest()


def key_of(root, mutation):
    tests = [path for test in mutation.tests for path in paths_of(root, test)]
    return digest(root, [mutation.file, mutation.old, mutation.new, list(mutation.tests)],
                  [os.path.join(root, mutation.file), *tests])


class State:
    def __init__(self, path, root):
        self.path, self.root = path, root
        self.results, self.sound = {}, {}   # by name of a mutation; keys of tests that passed without any
        if os.path.exists(path):
            try:
                with open(path) as f:
                    told = json.load(f)
                self.results, self.sound = told["results"], told["sound"]
            except (ValueError, KeyError):
                print(f"{path} is not what a run leaves, and is written anew")

    def save(self):
        """In one step: a run that is killed meanwhile leaves what was there."""
        with open(self.path + ".new", "w") as f:
            json.dump({"results": self.results, "sound": self.sound}, f, indent=1)
        os.replace(self.path + ".new", self.path)

    def forget(self, mutations):
        """The times stay: they say how long it will take."""
        for mutation in mutations:
            self.results.get(mutation.name, {}).pop("key", None)

    def key(self, mutation):
        return key_of(self.root, mutation)

    def known(self, mutation, key):
        """The verdict, or None where it has to be tried."""
        result = self.results.get(mutation.name, {})
        return result["verdict"] if result.get("key") == key else None

    def add(self, mutation, key, verdict, red, seconds):
        self.results[mutation.name] = {"key": key, "verdict": verdict, "red": red, "seconds": round(seconds, 1)}
        self.save()

    def seconds(self, mutations):
        """How long they will take: each as long as last time, others as long as most."""
        timed = sorted(result["seconds"] for result in self.results.values())
        usual = timed[len(timed) // 2] if timed else GUESS
        return sum(self.results.get(mutation.name, {}).get("seconds", usual) for mutation in mutations)

    def write_results(self, path, mutations):
        """A table. Of mutations that are not known it says what it said."""
        told = {}
        if os.path.exists(path):
            with open(path) as f:
                told = {name: (verdict, red) for _, name, verdict, red in ROW.findall(f.read())}
        for mutation in mutations:
            if self.known(mutation, self.key(mutation)):
                result = self.results[mutation.name]
                told[mutation.name] = result["verdict"], ", ".join(result["red"])
        timed = [self.results[m.name]["seconds"] for m in mutations if m.name in self.results]
        words = f"{len(timed)} of them took {sum(timed) / 60:.0f} minutes.\n" if timed else ""
        with open(path, "w") as f:
            f.write(HEAD.format(words))
            f.writelines(f"| {m.hazard} | {m.name} | {' | '.join(told[m.name])} |\n" for m in mutations if m.name in told)
