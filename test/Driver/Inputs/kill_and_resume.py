"""Kills `optimize` with SIGKILL after each of several rounds, resumes, and
checks that no finished round and no judged candidate came twice, and that the
result is that of a run that nobody killed."""
import json
import os
import shutil
import signal
import subprocess
import sys
import time


def records(path):
    if not os.path.exists(path):
        return []
    with open(path) as file:
        return [json.loads(line) for line in file.read().split("\n")[:-1]]


def rounds(path):
    return [r["round"] for r in records(path) if r["record"] == "round"]


def command(payload, folder, count):
    return ["kernelskill", "optimize", payload, "--device", "cpu", "--rounds", str(count), "--budget", "600", "-o",
            folder]


def kill_after(payload, folder, count, target):
    journal = os.path.join(folder, "journal.jsonl")
    child = subprocess.Popen(command(payload, folder, count), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while child.poll() is None and target not in rounds(journal):
        time.sleep(0.005)
    child.send_signal(signal.SIGKILL)
    child.wait()
    return rounds(journal)


payload, work, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
shutil.rmtree(work, ignore_errors=True)
os.makedirs(work)
whole, killed = os.path.join(work, "whole"), os.path.join(work, "killed")
subprocess.run(command(payload, whole, count), check=True, stdout=subprocess.DEVNULL)
done = rounds(os.path.join(whole, "journal.jsonl"))
assert done, "the payload must have a round to kill after"
before = []
for target in done[:-1] or done:
    after = kill_after(payload, killed, count, target)
    assert after[:len(before)] == before, (before, after)
    before = after
subprocess.run(command(payload, killed, count), check=True, stdout=subprocess.DEVNULL)
journal = records(os.path.join(killed, "journal.jsonl"))
hashes = [r["hash"] for r in journal if r["record"] == "candidate"]
numbers = [r["round"] for r in journal if r["record"] == "round"]
assert len(hashes) == len(set(hashes)), "a candidate was judged twice"
assert numbers == done, (numbers, done)
for name in ("recipe.mlir", "kernel.ptx"):
    with open(os.path.join(whole, name), "rb") as a, open(os.path.join(killed, name), "rb") as b:
        assert a.read() == b.read(), name
print(f"killed after rounds, {len(numbers)} rounds in all, none twice")
