"""right_candidate.py REPORT.json SKILL: the hash of a candidate that SKILL made and the judge found right."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    candidates = json.load(file)["candidates"]
right = [c["hash"] for c in candidates if c["skill"] == sys.argv[2] and c["verdict"] == "right"]
if not right:
    sys.exit(f"{sys.argv[2]} made nothing right: {[(c['skill'], c['verdict']) for c in candidates]}")
print(right[0])
