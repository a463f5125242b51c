#!/usr/bin/env bash
# Judges payloads with the default recipe, one line each: name, exit status,
# seconds, verdict. Files come as arguments; further options of
# `kernelskill verify` in VERIFY_FLAGS (default: --device cpu). Fails if one is
# not right.
set -uo pipefail
flags=(${VERIFY_FLAGS:---device cpu})
bad=0
for file in "$@"; do
  start=$(date +%s%N)
  verdict=$(timeout "${LIMIT:-120}" kernelskill verify "$file" "${flags[@]}" 2>&1)
  status=$?
  ((status == 0)) || bad=1
  seconds=$(awk "BEGIN { printf \"%.1f\", ($(date +%s%N) - $start) / 1e9 }")
  printf '%s\t%d\t%s\t%s\n' "$(basename "$file" .mlir)" $status "$seconds" \
    "$(head -n 1 <<<"$verdict" | cut -c1-240)"
done
exit $bad
