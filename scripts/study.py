#!/usr/bin/env python3
"""Runs `ripple study` over the pairs of an example whose input is arguments, and prints the table of
docs/study.md: scripts/study.py RIPPLE avoid > table.md

The pool of a pair has the tests that `ripple explore` makes of all paths of OLD and of NEW, and those
of the example."""

import csv
import io
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ripple, example = sys.argv[1], sys.argv[2]
place = Path("examples") / example
atoms = tomllib.loads((place / "pairs.toml").read_text())["atoms"]
own = (place / "tests.jsonl").read_text()
CRITERIA = ["STMT", "BR", "DU", "CHAIN", "PROP"]


def explored(version, directory):
    out = Path(directory) / version
    command = [ripple, "--quiet", "explore", place / f"{version}.c", *atoms]
    subprocess.run([*command, "--budget", "20s", "--out", out], stdout=subprocess.DEVNULL)
    return (out / "tests.jsonl").read_text()


def cell(rows, criterion):
    found = [row for row in rows if row["criterion"] == criterion]
    if not found:
        return "–"
    last = found[-1]
    rate, ratio, size = (float(last[name]) for name in ["detection", "ds_ratio", "size"])
    return f"{100 * rate:.1f} % / {ratio:.2f} ({size:.1f})"


with tempfile.TemporaryDirectory() as directory:
    first = explored("v1", directory)
    print("| change | tests | detectability | " + " | ".join(CRITERIA) + " |")
    print("|---|---|---|" + "---|" * len(CRITERIA))
    for number in range(2, 100):
        if not (place / f"v{number}.c").exists():
            break
        pool = Path(directory) / "pool.jsonl"
        pool.write_text(own + first + explored(f"v{number}", directory))
        pair = [place / "v1.c", place / f"v{number}.c"]
        done = subprocess.run(
            [ripple, "--quiet", "study", *pair, "--tests", pool, "--format", "csv", "--distance", "4"],
            capture_output=True,
            text=True,
        )
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        tests = len(pool.read_text().splitlines())
        share = 100 * float(rows[0]["detectability"] or 0) if rows else 0
        cells = " | ".join(cell(rows, criterion) for criterion in CRITERIA)
        print(f"| v{number} | {tests} | {share:.1f} % | {cells} |", flush=True)
