"""The process that holds the GPU and torch: compares one program after the other.

Reads one JSON request a line: {module, program, settings, baselines, trials, runs, seconds, flops}; answers each with
one JSON line, a row or {"failure"}. Before the first it says {"ready": facts}. It is a process of its own so that a
fault of a program or a module costs one problem: kernelskill-bench starts another one.
"""

import json
import os
import sys
import traceback
import warnings


def main():
    library, device = sys.argv[1:3]
    # What modules print must not come between the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    warnings.simplefilter("ignore")

    def answer(value):
        answers.write(json.dumps(value) + "\n")
        answers.flush()

    from .comparison import Comparison

    try:
        comparison = Comparison(library, device)
    except Exception as error:
        answer({"failure": _text(error)})
        return 1
    answer({"ready": comparison.facts()})
    for line in sys.stdin:
        try:
            row = comparison.compare(json.loads(line))
        except Exception as error:
            traceback.print_exc()
            row = {"failure": _text(error)}
        answer(row)
    return 0


def _text(error):
    first = (str(error).strip().splitlines() or ["no message"])[0]
    return f"{type(error).__name__}: {first}"[:300]


if __name__ == "__main__":
    sys.exit(main())
