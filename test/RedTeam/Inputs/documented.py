"""Prints the wrong kernels of the self-test that docs/verification.md doesn't
name, then "done". Argument: the source folder."""
import os
import re
import sys

with open(os.path.join(sys.argv[1], "docs", "verification.md"), encoding="utf-8") as file:
    page = file.read()
for name in ("SelfTest", "RedTeam"):
    with open(os.path.join(sys.argv[1], "lib", "Verify", name + ".mlir.in"), encoding="utf-8") as file:
        kernels = re.findall(r"^=== (?:wrong\S*|hostile) \S+ (.*?) \[(.*?)\]", file.read(), re.M)
    for kernel, exploit in kernels:
        if not re.search(rf"^\| {re.escape(exploit)} (?:\||\|.*,) {re.escape(kernel)}[°*]?[ ,]", page, re.M):
            print(f"missing: {kernel}, {exploit}")
print("done")
