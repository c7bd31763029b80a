#!/usr/bin/env python3
"""Compares the tests there are with those of Tests/Frozen/tests.txt.

    swift test list | scripts/tests.py

Every test of the list must still be there, or Tests/Frozen/renames.txt must say what it is called now: a line each,
"OLD NEW", where both may be a whole test (Target.Suite/function(_:)) or a suite (Target.Suite). Ends with 1 when a test
is missing, or when there are fewer tests than before.
"""
import pathlib
import sys

FROZEN = pathlib.Path(__file__).resolve().parent.parent / "Tests" / "Frozen"


def main():
    now = {line.strip() for line in sys.stdin if "/" in line and "." in line}
    before = (FROZEN / "tests.txt").read_text().split("\n")
    before = [line for line in before if line]
    renames = {}
    for path in sorted(FROZEN.glob("renames.txt")):
        for line in path.read_text().split("\n"):
            words = line.split()
            if len(words) == 2 and not line.startswith("#"):
                renames[words[0]] = words[1]
    missing = []
    for test in before:
        suite, _, function = test.partition("/")
        names = {test, renames.get(test, test)}
        if suite in renames:
            names.add(renames[suite] + "/" + function)
        if not names & now:
            missing.append(test)
    print(f"{len(before)} tests before, {len(now)} now, {len(missing)} missing")
    for test in missing:
        print(f"missing: {test}")
    return 1 if missing or len(now) < len(before) else 0


if __name__ == "__main__":
    sys.exit(main())
