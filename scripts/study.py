#!/usr/bin/env python3
"""Runs `ripple study` over the pairs of an example, with a pool made of its tests, and prints the
table of docs/study.md: scripts/study.py RIPPLE avoid 600 > table.md

A test of the pool is one of the example's with one to three of its numbers changed at random: by a
little, to that of another test, or to anything between those of all tests."""

import csv
import io
import json
import random
import re
import subprocess
import sys
import tempfile

ripple, example, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
place = f"examples/{example}"
tests = [json.loads(line) for line in open(f"{place}/tests.jsonl") if line.strip()]
draw = random.Random(1)


def is_number(value):
    return isinstance(value, int) or (isinstance(value, str) and re.fullmatch(r"-?\d+", value))


def column(at):
    known = [test["args"][at] for test in tests if len(test["args"]) > at]
    return [int(value) for value in known if is_number(value)]


def changed(test):
    args = list(test["args"])
    numbers = [at for at, value in enumerate(args) if is_number(value)]
    for at in draw.sample(numbers, min(len(numbers), draw.randint(1, 3))):
        known, way = column(at), draw.randrange(3)
        if way == 0:
            args[at] = int(args[at]) + draw.randint(-3, 3)
        elif way == 1:
            args[at] = draw.choice(known)
        else:
            args[at] = draw.randint(min(known), max(known))
    return {**{key: value for key, value in test.items() if key != "name"}, "args": args}


pool = [{key: value for key, value in test.items() if key != "name"} for test in tests]
while len(pool) < count:
    pool.append(changed(draw.choice(tests)))
file = tempfile.NamedTemporaryFile("w", suffix=".jsonl")
file.write("".join(json.dumps(test) + "\n" for test in pool))
file.flush()

print("| change | detectability | STMT | BR | DU | CHAIN | PROP |\n|---|---|---|---|---|---|---|")
for number in range(2, 40):
    pair = [f"{place}/v1.c", f"{place}/v{number}.c"]
    done = subprocess.run(
        [ripple, "--quiet", "study", *pair, "--tests", file.name, "--format", "csv"],
        capture_output=True,
        text=True,
    )
    if done.returncode not in (0, 3):
        break
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    if not rows:
        continue
    cells = []
    for criterion in ["STMT", "BR", "DU", "CHAIN", "PROP"]:
        own = [row for row in rows if row["criterion"] == criterion]
        last = own[-1] if own else None
        cells.append(
            f"{100 * float(last['detection']):.1f} % / {float(last['ds_ratio']):.2f} ({float(last['size']):.1f})"
            if last
            else "–"
        )
    share = 100 * float(rows[0]["detectability"] or 0)
    print(f"| v{number} | {share:.1f} % | " + " | ".join(cells) + " |", flush=True)
