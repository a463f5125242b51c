"""Sends SIGINT once the seed is judged: the run must end soon, with exit code 5
and all results written."""
import os
import signal
import subprocess
import sys
import time

payload, folder = sys.argv[1], sys.argv[2]
journal = os.path.join(folder, "journal.jsonl")
child = subprocess.Popen(["kernelskill", "optimize", payload, "--device", "cpu", "--budget", "600", "-o", folder],
                         stdout=subprocess.PIPE, text=True)
while child.poll() is None:
    if os.path.exists(journal) and '"record":"candidate"' in open(journal).read():
        child.send_signal(signal.SIGINT)
        break
    time.sleep(0.005)
out, _ = child.communicate(timeout=60)
print(out)
print("exit code", child.returncode)
