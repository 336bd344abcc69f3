"""modes.py ROOT: scripts/test counts what ctest and lit say, and names the tests of a changed file."""
import contextlib
import importlib.machinery
import importlib.util
import io
import sys

loader = importlib.machinery.SourceFileLoader("modes_of_test", f"{sys.argv[1]}/scripts/test")
script = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
sys.dont_write_bytecode = True
loader.exec_module(script)

SAID = """test 3
      Start  3: lit-some
 7: what a unit says
1/4 Test  #7: unit-good ........................   Passed    0.01 sec
3: PASS: coalda :: driver/one.test (1 of 2)
3: FAIL: coalda :: driver/two.test (2 of 2)
3: why it is red
2/4 Test  #3: lit-some .........................***Failed    1.50 sec
8: nothing of lit
3/4 Test  #8: seeds-bad ........................***Failed    2.00 sec
4/4 Test  #9: seeds-slow .......................***Timeout 900.00 sec
"""


def counted(text):
    tally, told = script.Tally(), io.StringIO()
    with contextlib.redirect_stdout(told):
        for line in text.splitlines():
            tally.take(line)
        status = tally.close()
    return told.getvalue(), status


told, status = counted(SAID)
assert told.endswith("\n2 passed, 3 failed\n") and status == 1, told
assert "why it is red" in told and "nothing of lit" in told and "what a unit says" not in told, told
assert "FAILED  seeds-bad, 2 s" in told and "lit-some" not in told, told
told, status = counted("PASS: coalda :: driver/one.test (1 of 1)\n")
assert told.endswith("\n1 passed, 0 failed\n") and status == 0, told
assert counted("")[1] == 1    # nothing ran
told, status = counted("3: PASS: coalda :: a.test (1 of 1)\n1/1 Test #3: lit-a ....***Failed 1.00 sec\n")
assert told.endswith("\n1 passed, 1 failed\n") and status == 1, told    # lit itself went wrong

script.plan([])    # finds the table
from mutations import MUTATIONS  # noqa: E402

named, unknown = script.plan([MUTATIONS[0].file, "test/driver/modes.test", "README.md", "no/such/file.c"])
assert named["driver/house"] is None and named["driver/modes.test"] is None, named
assert any(name.startswith("transform/") for name in named) and unknown == ["no/such/file.c"], (named, unknown)
