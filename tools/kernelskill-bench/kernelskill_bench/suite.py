"""The suite's problems: which there are, which are chosen, what is known of them."""

import os
import re

DEGENERATE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "degenerate.tsv")


class UsageError(Exception):
    """Something the user said that can't be done; one line."""


def order(name):
    """Sorts L2_9 before L2_10."""
    level, number = re.fullmatch(r"L(\d+)_(\d+)", name).groups()
    return int(level), int(number)


def problems(root):
    """{name: path} of root/level<L>/<n>_*.py, in order."""
    found = {}
    folders = sorted(os.listdir(root)) if os.path.isdir(root) else []
    for folder in folders:
        level = re.fullmatch(r"level(\d+)", folder)
        for entry in os.listdir(os.path.join(root, folder)) if level else ():
            number = re.match(r"(\d+)_.*\.py$", entry)
            if number:
                found[f"L{level.group(1)}_{number.group(1)}"] = os.path.join(root, folder, entry)
    if not found:
        raise UsageError(f"{root}: no level1/, level2/, … with files <number>_<name>.py")
    return dict(sorted(found.items(), key=lambda item: order(item[0])))


def _numbers(text, what):
    for part in filter(None, text.split(",")):
        first, dash, last = part.partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise UsageError(f"{what}: '{part}' is no number, range 'a-b' or name 'L1_1'")
        yield from range(int(first), int(last or first) + 1)


def chosen(names, levels, picks, shard):
    """The names to do: of these levels, in `picks` (numbers, ranges, names; empty: all), of this shard 'I/N'."""
    levels = set(_numbers(levels, "--level"))
    parts = [part for part in picks.split(",") if part]
    wanted = {part for part in parts if part.startswith("L")}
    unknown = sorted(wanted - set(names))
    if unknown:
        raise UsageError(f"--problem: the suite has no {unknown[0]}")
    numbers = set(_numbers(",".join(part for part in parts if not part.startswith("L")), "--problem"))
    kept = []
    for name in names:
        level, number = order(name)
        if name in wanted or (level in levels and (number in numbers or not parts)):
            kept.append(name)
    index, slash, count = shard.partition("/")
    if not (slash and index.isdecimal() and count.isdecimal() and 1 <= int(index) <= int(count)):
        raise UsageError(f"--shard: '{shard}' is not I/N with 1 <= I <= N")
    return kept[int(index) - 1 :: int(count)]


def _rows(path):
    with open(path, encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file if line.strip() and not line.startswith("#")]


def degenerate(path=DEGENERATE):
    """{name: (kind, reason)} of the problems that the second mean leaves out."""
    return {name: (kind, reason) for name, kind, reason in _rows(path)}


def settings(path):
    """{name: [NAME=VALUE or OLD=NEW, …]} of scaled-down copies; a problem that isn't listed has real sizes."""
    return {row[0]: (row[1].split() if len(row) > 1 else []) for row in _rows(path)} if path else {}
