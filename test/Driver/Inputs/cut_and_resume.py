"""Cuts the journal of a finished run where a kill could have: after a round's
plan, amid its candidates, and between its last candidate and its round record.
A run that goes on from there must end with the same rounds, each with the skill
that it was planned with, and with the same recipe."""
import json
import os
import shutil
import subprocess
import sys

payload, work, count = sys.argv[1], sys.argv[2], sys.argv[3]


def optimize(folder):
    subprocess.run(["kernelskill", "optimize", payload, "--device", "cpu", "--rounds", count, "--budget", "600", "-o",
                    folder], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def read(folder):
    with open(os.path.join(folder, "journal.jsonl")) as file:
        return [json.loads(line) for line in file]


def rounds(records):
    keys = ("round", "skill", "fingerprint", "chosen", "base", "best", "moved", "expected", "happened", "expectations")
    return [{key: record[key] for key in keys} for record in records if record["record"] == "round"]


whole, cut = os.path.join(work, "whole"), os.path.join(work, "cut")
shutil.rmtree(work, ignore_errors=True)
optimize(whole)
records = read(whole)
kinds = [record["record"] for record in records]
assert len(rounds(records)) >= 2, "the payload must have rounds to cut"
last = [i for i, kind in enumerate(kinds) if kind == "round"][-1]
plan = [i for i, kind in enumerate(kinds) if kind == "plan" and i < last][-1]
for name, at in (("after the plan", plan + 1), ("amid the candidates", (plan + 1 + last) // 2),
                 ("before the round's record", last), ("after the round's record", last + 1)):
    shutil.rmtree(cut, ignore_errors=True)
    shutil.copytree(whole, cut)
    with open(os.path.join(whole, "journal.jsonl")) as file:
        lines = file.readlines()[:at]
    with open(os.path.join(cut, "journal.jsonl"), "w") as file:
        file.writelines(lines)
    optimize(cut)
    after = read(cut)
    hashes = [record["hash"] for record in after if record["record"] == "candidate"]
    assert len(hashes) == len(set(hashes)), name
    assert rounds(after) == rounds(records), (name, rounds(after), rounds(records))
    for file in ("recipe.mlir", "kernel.ptx"):
        with open(os.path.join(whole, file), "rb") as a, open(os.path.join(cut, file), "rb") as b:
            assert a.read() == b.read(), (name, file)
print("the same rounds wherever it was cut")
