#!/usr/bin/env bash
# Installs what is missing, builds, runs every test. The last line says
# "N passed, M failed"; the exit code is non-zero if any failed.
set -euo pipefail
cd "$(dirname "$0")/.."
source tools/setup.sh

cmake --preset default >/dev/null
cmake --build --preset default --target kernelskill kernelskill-opt kernelskill-lsp-server KernelSkillPlugin KernelSkillRuntimeShared KernelSkillUnitTests
report=$(mktemp)
trap 'rm -f "$report"' EXIT
status=0
/usr/lib/llvm-22/bin/lit -v --time-tests --output "$report" build/default/test || status=$?
python3 - "$report" <<'PY'
import collections
import json
import sys

codes = collections.Counter(test["code"] for test in json.load(open(sys.argv[1]))["tests"])
failed = sum(n for code, n in codes.items() if code in ("FAIL", "XPASS", "TIMEOUT", "UNRESOLVED"))
for code, n in sorted(codes.items()):
    print(f"{code}: {n}")
print(f"{codes['PASS'] + codes['XFAIL']} passed, {failed} failed")
PY
exit $status
