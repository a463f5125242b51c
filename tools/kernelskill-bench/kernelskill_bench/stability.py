"""How stable the choice of a recipe is: the same search several times."""

import json
import os
import shutil
import statistics
from collections import Counter

from .programs import Programs


def run(options):
    """Searches each problem options.stability times; OUT/stability.jsonl and OUT/stability.md. Finished ones are kept."""
    os.makedirs(options.out, exist_ok=True)
    path = os.path.join(options.out, "stability.jsonl")
    rows = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            rows = {row["name"]: row for row in map(json.loads, (line for line in file if line.endswith("\n")))}
    programs = Programs(options)
    for name in options.names:
        if name in rows:
            continue
        runs = []
        for number in range(options.stability):
            folder = os.path.join(options.out, "stability", name, str(number + 1))
            shutil.rmtree(folder, ignore_errors=True)
            runs.append(programs.search_again(name, folder))
        rows[name] = {"name": name, "runs": runs, **summary(runs)}
        with open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps(rows[name]) + "\n")
        print(_line(rows[name]), flush=True)
    with open(os.path.join(options.out, "stability.md"), "w", encoding="utf-8") as file:
        file.write(_table([rows[name] for name in options.names]))
    return 0 if all(rows[name]["failed"] == 0 for name in options.names) else 3


def summary(runs):
    """How many different recipes, how often the commonest, and how far apart their times are."""
    good = [r for r in runs if "failure" not in r]
    hashes = Counter(r["recipe_hash"] for r in good)
    times = [r["best_ms"] for r in good]
    return {"failed": len(runs) - len(good), "recipes": len(hashes), "commonest": max(hashes.values(), default=0),
            "skill_sequences": len({tuple(r["skills"]) for r in good}),
            "ms": statistics.median(times) if times else None,
            "spread": (max(times) - min(times)) / statistics.median(times) if times else None,
            "estimate": any(r["estimate"] for r in good)}


def _line(row):
    text = f"{row['name']}: {row['commonest']} of {len(row['runs'])} searches chose the same recipe, {row['recipes']} different"
    if row["failed"]:
        text += f", {row['failed']} failed ({next(r['failure'] for r in row['runs'] if 'failure' in r)})"
    return text


def _table(rows):
    lines = ["| problem | searches | failed | different recipes | commonest | different sequences of skills | median ms | spread |",
             "|---" * 8 + "|"]
    for row in rows:
        ms = "" if row["ms"] is None else f"{row['ms']:.4f}" + (" (estimate)" if row["estimate"] else "")
        spread = "" if row["spread"] is None else f"{row['spread']:.2%}"
        lines.append(f"| {row['name']} | {len(row['runs'])} | {row['failed']} | {row['recipes']} | {row['commonest']} | "
                     f"{row['skill_sequences']} | {ms} | {spread} |")
    return "\n".join(lines) + "\n"
