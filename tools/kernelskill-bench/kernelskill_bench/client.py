"""The other end of worker.py: starts it, asks it, ends it when it is late or gone."""

import contextlib
import fcntl
import json
import os
import select
import subprocess
import sys
import tempfile
import time


class NoDevice(Exception):
    """The worker can't start; one line."""


@contextlib.contextmanager
def _turn(device):
    """Keeps other comparisons and searches from the GPU; the lock is that of lib/Driver/DeviceTurn.h."""
    with contextlib.ExitStack() as stack:
        if device.startswith("cuda:"):
            path = os.path.join(tempfile.gettempdir(), f"kernelskill-{device.replace(':', '-')}.lock")
            with contextlib.suppress(OSError):
                made = not os.path.exists(path)
                descriptor = os.open(path, os.O_RDONLY | (os.O_CREAT if made else 0), 0o644)
                stack.callback(os.close, descriptor)
                if made:
                    os.fchmod(descriptor, 0o644)
                fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield


class Client:
    # Loading torch and making a CUDA context, on a cold disk.
    START_SECONDS = 180

    def __init__(self, library, device, log):
        self.command = [sys.executable, "-m", "kernelskill_bench.worker", library, device]
        self.log, self.process, self.restarts, self.facts = log, None, -1, {}

    def start(self):
        if self.process:
            return
        environment = dict(os.environ, PYTHONPATH=os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        environment.setdefault("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True")
        with open(self.log, "a") as log:
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, env=environment)
        self.restarts += 1
        self.buffer = b""
        reply = self._reply(self.START_SECONDS)
        if "ready" not in reply:
            self.stop()
            raise NoDevice(reply["failure"])
        self.facts = reply["ready"]

    def ask(self, request, seconds):
        """The answer, or {"failure"} after a crash or `seconds`."""
        self.start()
        with _turn(self.command[-1]):
            try:
                self.process.stdin.write(json.dumps(request).encode() + b"\n")
                self.process.stdin.flush()
            except BrokenPipeError:
                pass
            reply = self._reply(seconds)
        # After a CUDA error the context is lost.
        if "failure" in reply and ("CUDA" in reply["failure"] or not self.process):
            self.stop()
        return reply

    def _reply(self, seconds):
        deadline = time.monotonic() + seconds
        output = self.process.stdout.fileno()
        while b"\n" not in self.buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([output], [], [], left)[0]:
                self.stop()
                return {"failure": f"the comparison took more than {seconds:g} s"}
            data = os.read(output, 1 << 16)
            if not data:
                status = self.process.wait()
                self.process = None
                how = f"signal {-status}" if status < 0 else f"exit code {status}"
                return {"failure": f"the process of the comparison ended ({how}); {self.log} has its last words"}
            self.buffer += data
        line, _, self.buffer = self.buffer.partition(b"\n")
        return json.loads(line)

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None
