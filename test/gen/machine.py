"""coalda-sim, started once for many runs: its start costs more than most of them, and so does reading a module again."""
import atexit
import re
import subprocess
import threading

END = re.compile(r"coalda-sim: exit (\d+)\n")


class Machines:
    """A process for each thread that asks; they end with this one."""

    def __init__(self, sim):
        self.sim = sim
        self.own = threading.local()
        self.processes = []
        atexit.register(self.close)

    def run(self, words):
        """The exit status of a command line, of which a module is read at its first run alone, and what was said."""
        if not hasattr(self.own, "process"):
            self.own.process = subprocess.Popen([self.sim, "--each"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                                stderr=subprocess.STDOUT, text=True, errors="replace")
            self.processes.append(self.own.process)
        process, said = self.own.process, []
        process.stdin.write("\t".join(words) + "\n")
        process.stdin.flush()
        for line in process.stdout:
            end = END.fullmatch(line)
            if end:
                return int(end[1]), "".join(said)[:-1]   # but the newline before the answer
            said.append(line)
        raise RuntimeError(f"{self.sim} --each ended: {''.join(said)}")

    def close(self):
        """Waits for them, so that their time is counted as this process's."""
        for process in self.processes:
            process.stdin.close()
            process.wait()
