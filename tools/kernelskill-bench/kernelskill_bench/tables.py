"""Rows to text: a line as it comes, the tables and means at the end."""

import math
import os
import statistics

from . import suite

FAST = (0.0, 0.5, 0.8, 1.0, 1.5, 2.0)


def line(row):
    """What the terminal shows of a problem."""
    text = f"{row['name']}: {row['verdict']}"
    if row["verdict"] != "right":
        text += f" ({row.get('reason', '')})"
    if "ms" in row:
        ratios = [f"{b['ratio']:.3f}x {name}" for name, b in row["baselines"].items() if "ratio" in b]
        text += f", {row['ms']:.4f} ms" + "".join(", " + r for r in ratios)
    if "official" in row:
        text += "" if row["official"]["right"] else f", official {row['official']['passed']}/{row['official']['trials']}"
    return text


def counts(rows):
    """'12 right, 1 wrong'."""
    verdicts = [row["verdict"] for row in rows]
    return ", ".join(f"{verdicts.count(v)} {v}" for v in sorted(set(verdicts), key=lambda v: (v != "right", v)))


def write(folder, rows):
    """OUT/results.md."""
    ordered = [rows[name] for name in sorted(rows, key=suite.order)]
    text = "\n".join(_head(ordered) + _summary(ordered) + _problems(ordered)) + "\n"
    temporary = os.path.join(folder, "results.md.part")
    with open(temporary, "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(temporary, os.path.join(folder, "results.md"))


def _baselines(rows):
    names = []
    for row in rows:
        names += [name for name in row.get("baselines", {}) if name not in names]
    return names


def _head(rows):
    seen = []
    for row in rows:
        e = row["environment"]
        text = f"{e['device']}, torch {e['torch']}"
        if e["device"] == "cpu":
            text += "; the CPU device runs the same kernels and measures no times"
        else:
            text += f", CUDA {e['cuda']}, driver {e.get('driver') or 'unknown'}"
        if text not in seen:
            seen.append(text)
    bandwidths = [row["environment"]["copy_bandwidth"] / 1e12 for row in rows if "copy_bandwidth" in row["environment"]]
    lines = [f"Run on {text}." for text in seen]
    if bandwidths:
        lines.append(f"Copy bandwidth {statistics.median(bandwidths):.3f} TB/s.")
    return lines + [""]


def means(ratios, total):
    """Geometric mean, mean, median and the counts of fast_p, of `total` problems."""
    fast = " | ".join(f"{sum(r > p for r in ratios)}/{total}" for p in FAST)
    if not ratios:
        return f"– | – | – | {fast}"
    geometric = math.exp(statistics.fmean(math.log(r) for r in ratios))
    return f"{geometric:.3f} | {statistics.fmean(ratios):.3f} | {statistics.median(ratios):.3f} | {fast}"


def _ratios(rows, baseline, official):
    found = []
    for row in rows:
        facts = row.get("baselines", {}).get(baseline, {})
        if "ratio" not in facts:
            continue
        if official and row["official"]["right"]:
            found.append(facts["ms_mean"] / row["ms_mean"])
        if not official and row["verdict"] == "right":
            found.append(facts["ratio"])
    return found


def _groups(rows):
    groups = {"all": rows}
    for level in sorted({suite.order(row["name"])[0] for row in rows}):
        groups[f"level {level}"] = [row for row in rows if suite.order(row["name"])[0] == level]
    return groups


def _searches(rows):
    """What searches gained over their seeds; nothing if none was measured."""
    if not any("over_seed" in row for row in rows):
        return []
    lines = ["The seed's time over that of the search's result, timed interleaved at its end; 1 where the seed was kept, as it is where nothing beat it:", "",
             "| problems | searches | geometric mean | median | highest | faster than the seed | slower than the seed |",
             "|---|---|---|---|---|---|---|"]
    for title, group in _groups(rows).items():
        gains = [row["over_seed"] for row in group if "over_seed" in row and row["verdict"] in ("right", "ill-posed")]
        ratios = [gain["ratio"] for gain in gains]
        if not ratios:
            continue
        geometric = math.exp(statistics.fmean(math.log(ratio) for ratio in ratios))
        # In all of the 95 % interval, so that noise counts for neither.
        faster, slower = sum(gain["low"] > 1 for gain in gains), sum(gain["high"] < 1 for gain in gains)
        lines.append(f"| {title} | {len(ratios)} | {geometric:.3f} | {statistics.median(ratios):.3f} | {max(ratios):.2f} | {faster} | {slower} |")
    stops = [row["stop"] for row in rows if "over_seed" in row]
    ends = ", ".join(f"{stops.count(stop)} {stop}" for stop in sorted(set(stops), key=lambda stop: -stops.count(stop)))
    return lines + ["", f"The searches ended by: {ends}.", ""]


def _summary(rows):
    degenerate = suite.degenerate()
    groups = _groups(rows)
    lines = ["| problems | number | right | official test passed |", "|---|---|---|---|"]
    for title, group in groups.items():
        right = sum(row["verdict"] == "right" for row in group)
        passed = sum(row.get("official", {}).get("right", False) for row in group)
        lines.append(f"| {title} | {len(group)} | {right} | {passed} |")
    lines += ["", "Verdicts: " + counts(rows) + ".", ""] + _searches(rows)
    for baseline in _baselines(rows):
        lines += [f"Ratios to {baseline} (its time over ours; over 1 is faster than PyTorch):", "",
                  "| problems | geometric mean | mean | median | " + " | ".join(f"fast_{p:g}" for p in FAST) + " |",
                  "|---" * (4 + len(FAST)) + "|"]
        for title, group in groups.items():
            rest = [row for row in group if row["name"] not in degenerate]
            lines.append(f"| {title} | {means(_ratios(group, baseline, False), len(group))} |")
            if len(rest) != len(group):
                lines.append(f"| {title} without degenerate ones | {means(_ratios(rest, baseline, False), len(rest))} |")
        lines.append(f"| official protocol (its tolerance, means of times) | {means(_ratios(rows, baseline, True), len(rows))} |")
        lines.append("")
    return lines


def _number(value, form):
    return "" if value is None else format(value, form)


def _problems(rows):
    baselines = _baselines(rows)
    timed = any("ms" in row for row in rows)
    titles = ["problem", "verdict", "official"]
    titles += ["ms (95 % interval)"] if timed else []
    for name in baselines:
        titles += [f"{name} ms", f"ratio to {name}"]
    titles += ["bound", "of achievable", "of theoretical"] if timed else []
    searched = any("over_seed" in row for row in rows)
    titles += ["over the seed (95 % interval)"] if searched else []
    titles += ["error / eager's", "launches", "rounds", "search s", "note"]
    lines = ["| " + " | ".join(titles) + " |", "|---" * len(titles) + "|"]
    degenerate = suite.degenerate()
    for row in rows:
        official = row.get("official")
        cells = [row["name"], row["verdict"], f"{official['passed']}/{official['trials']}" if official else ""]
        if timed:
            cells.append(f"{row['ms']:.4f} ({row['ms_low']:.4f}–{row['ms_high']:.4f})" if "ms" in row else "")
        for name in baselines:
            facts = row.get("baselines", {}).get(name, {})
            cells += [_number(facts.get("ms"), ".4f"), _number(facts.get("ratio"), ".3f")]
        if timed:
            cells += [row.get("bound", ""), _number(row.get("achievable_share"), ".1%"), _number(row.get("theoretical_share"), ".1%")]
        if searched:
            gain = row.get("over_seed")
            cells.append(f"{gain['ratio']:.3f} ({gain['low']:.3f}–{gain['high']:.3f})" if gain else "")
        error = f"{row['error']:.1e} / {row['eager_error']:.1e}" if "error" in row else ""
        cells += [error, str(row.get("launches", "")), str(row.get("rounds", "")), str(row.get("search_seconds", ""))]
        cells.append("; ".join(_notes(row, degenerate)).replace("|", "/"))
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def _notes(row, degenerate):
    if row["verdict"] != "right" and row.get("reason"):
        yield row["reason"]
    if row["verdict"] == "right" and row.get("rounding"):
        yield f"true value of {len(row['rounding'])} states is zero"
    if row["name"] in degenerate:
        yield f"degenerate ({degenerate[row['name']][0]})"
    if row.get("reference", "double") != "double":
        yield f"reference: {row['reference']}"
    if row.get("oracle"):
        yield f"oracle: {row['oracle']['verdict']}"
    for name, facts in row.get("baselines", {}).items():
        if "problem" in facts:
            yield f"{name}: {facts['problem']}"
        elif facts["ratio"] > 10:
            yield f"over 10x {name}"
