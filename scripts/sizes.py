#!/usr/bin/env python3
"""Prints the sizes of the Swift files of Sources, by module.

    scripts/sizes.py           files, lines, median and longest file, share of comment lines
    scripts/sizes.py --small   the files of fewer than 40 lines
"""
import pathlib
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SMALL = 40


def main(arguments):
    files = {path: path.read_text().splitlines() for path in sorted((ROOT / "Sources").rglob("*.swift"))}
    if "--small" in arguments:
        for path, lines in files.items():
            if len(lines) < SMALL:
                print(f"{len(lines):4} {path.relative_to(ROOT)}")
        return
    modules = {}
    for path, lines in files.items():
        parts = path.relative_to(ROOT / "Sources").parts
        name = "/".join(parts[:2]) if parts[0] == "Repos" else parts[0]
        modules.setdefault(name, []).append(lines)
    print(f"{'module':20} {'files':>6} {'lines':>7} {'median':>7} {'longest':>8} {'under 40':>9} {'comments':>9}")
    for name, texts in [*modules.items(), ("all", list(files.values()))]:
        counts = [len(text) for text in texts]
        comments = sum(line.strip().startswith("//") for text in texts for line in text)
        print(
            f"{name:20} {len(counts):6} {sum(counts):7} {statistics.median(counts):7.0f} {max(counts):8} "
            f"{sum(count < SMALL for count in counts):9} {comments / max(1, sum(counts)):9.0%}")


if __name__ == "__main__":
    main(sys.argv[1:])
