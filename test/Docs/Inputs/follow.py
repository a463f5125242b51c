"""Follows a page of the docs word for word: follow.py PAGE.

Blocks are taken in order. A block with `file=NAME` is written to NAME, `sh`
blocks are run with `sh -e`, and each line of a `text` block must occur in the
output of the `sh` block before it. What fails is said with the page's line, and
the exit status is 1.
"""
import os
import re
import subprocess
import sys


def blocks(page):
    """Yields (line number, info string, text) of the fenced blocks."""
    info, start, lines = None, 0, []
    for number, line in enumerate(open(page, encoding="utf-8"), 1):
        if line.startswith("```"):
            if info is None:
                info, start, lines = line[3:].strip(), number, []
            else:
                yield start, info, "".join(lines)
                info = None
        elif info is not None:
            lines.append(line)


def fail(page, line, message):
    sys.exit(f"{page}:{line}: {message}")


def main():
    page, output = sys.argv[1], ""
    for line, info, text in blocks(page):
        name = re.search(r"file=(\S+)", info)
        if name:
            os.makedirs(os.path.dirname(name[1]) or ".", exist_ok=True)
            with open(name[1], "w", encoding="utf-8") as file:
                file.write(text)
        elif info == "sh":
            run = subprocess.run(["sh", "-e", "-c", text], capture_output=True, text=True)
            output = run.stdout + run.stderr
            if run.returncode:
                fail(page, line, f"exit status {run.returncode}\n{output}")
        elif info == "text":
            for expected in text.splitlines():
                if expected not in output:
                    fail(page, line, f"'{expected}' is not in the output:\n{output}")


main()
