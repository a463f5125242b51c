"""Optimizes each payload twice on the CPU device, the second time on one core
only, and compares all that was decided: recipe, PTX, program byte for byte, and
the journal but for the seconds and paths in it."""
import json
import os
import subprocess
import sys

folder, rounds, payloads = sys.argv[1], sys.argv[2], sys.argv[3:]


def decisions(path):
    records = [json.loads(line) for line in open(path)]
    for record in records:
        for name in ("seconds", "spent_seconds"):
            record.pop(name, None)
    return records


def differs(a, b):
    for name in ("recipe.mlir", "kernel.ptx", "program.ksp"):
        if open(os.path.join(a, name), "rb").read() != open(os.path.join(b, name), "rb").read():
            return name
    first, second = (decisions(os.path.join(run, "journal.jsonl")) for run in (a, b))
    for index, (one, other) in enumerate(zip(first, second)):
        if one != other:
            return f"line {index + 1} of the journal"
    return "the journal's length" if len(first) != len(second) else None


failures = 0
for number, payload in enumerate(payloads):
    runs = [os.path.join(folder, f"{number}-{name}") for name in "ab"]
    for run, cores in zip(runs, (os.sched_getaffinity(0), {min(os.sched_getaffinity(0))})):
        subprocess.run(["kernelskill", "optimize", payload, "--device", "cpu", "--rounds", rounds, "--budget", "600",
                        "--fresh", "-o", run], check=True, stdout=subprocess.DEVNULL,
                       preexec_fn=lambda: os.sched_setaffinity(0, cores))
    journal = decisions(os.path.join(runs[0], "journal.jsonl"))
    candidates = sum(record["record"] == "candidate" for record in journal)
    problem = differs(*runs)
    if problem or candidates < 2:
        failures += 1
        print("FAIL", os.path.basename(payload), problem or "nothing was tried")
    else:
        print(os.path.basename(payload), candidates, "candidates, twice the same")
print(len(payloads), "payloads,", failures, "failures")
