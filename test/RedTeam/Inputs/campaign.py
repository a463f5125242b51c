#!/usr/bin/env python3
"""Looks for false alarms: builds random programs with random strategies and
knobs by the real compiler and has the judge say of each whether it is right.

    campaign.py KERNELSKILL --count 2000 --seed 1 --folder DIR

Programs are elementwise, reductions, arg-reductions, softmaxes, scans, contractions
and convolutions, in f32 and (two in seven) in f16 and bf16, each in a numerics class.
Each is searched for a round, then recipes with other knobs are judged. Prints every verdict that is not "right" with its command, and a last line
"N judged, M false alarms, K refused by the compiler" after the numbers by class
and type. Every program follows from
the seed and its number alone (--only NUMBER makes that one again)."""
import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys

NUMERICS = ["fp32", "strict", "tf32", "bf16x3", "bf16", "fp16", "fast-math"]
TYPES = ["f32", "f32", "f32", "f32", "f32", "f16", "bf16"]
LEAST = {"f32": "0xFF800000", "f16": "0xFC00", "bf16": "0xFF80"}


def kind(shape, element="f32"):
    return "tensor<" + "".join(f"{size}x" for size in shape) + f"{element}>"


def side(rng):
    """A size of an axis: near a power of two, odd, or anything."""
    near = rng.choice([1, 8, 16, 32, 64, 128, 256])
    return max(1, rng.choice([near, near + 1, near - 1, rng.randint(1, 300)]))


def shape_of(rng, rank, most):
    while True:
        shape = [side(rng) for _ in range(rank)]
        size = 1
        for extent in shape:
            size *= extent
        if size <= most:
            return shape


def maps(count, inputs):
    names = ", ".join(f"d{axis}" for axis in range(count))
    return [f"affine_map<({names}) -> ({', '.join(f'd{axis}' for axis in axes)})>" for axes in inputs]


def scalar(rng, value, lines, others):
    """Appends a chain of scalar operations; gives the last value's name."""
    for step in range(rng.randint(1, 5)):
        name = f"%v{len(lines)}"
        operation = rng.choice(["addf", "mulf", "subf", "maximumf", "minimumf", "tanh", "exp", "abs", "neg", "rsqrt"])
        if operation in ("addf", "mulf", "subf", "maximumf", "minimumf"):
            lines.append(f"{name} = arith.{operation} {value}, {rng.choice(others)} : f32")
        elif operation == "neg":
            lines.append(f"{name} = arith.negf {value} : f32")
        elif operation == "tanh":
            lines.append(f"{name} = math.tanh {value} : f32")
        elif operation == "exp":
            # exp of a bounded number, as programs have it
            lines.append(f"{name} = math.tanh {value} : f32")
            value, name = name, f"%v{len(lines)}"
            lines.append(f"{name} = math.exp {value} : f32")
        elif operation == "abs":
            lines.append(f"{name} = math.absf {value} : f32")
        else:
            lines.append(f"{name} = arith.mulf {value}, {value} : f32")
            value, name = name, f"%v{len(lines)}"
            lines.append(f"{name} = arith.addf {value}, %one : f32")
            value, name = name, f"%v{len(lines)}"
            lines.append(f"{name} = math.rsqrt {value} : f32")
        value = name
    return value


def generic(result, ins, outs, indexing, iterators, arguments, lines, value):
    return (f"  %{result} = linalg.generic {{indexing_maps = [{', '.join(indexing)}], iterator_types = ["
            + ", ".join(f'"{iterator}"' for iterator in iterators) + "]} "
            + (f"ins({', '.join(name for name, _ in ins)} : {', '.join(type for _, type in ins)}) " if ins else "")
            + f"outs({outs[0]} : {outs[1]}) {{\n  ^bb0({', '.join(f'{a}: f32' for a in arguments)}):\n"
            + "".join(f"    {line}\n" for line in lines) + f"    linalg.yield {value} : f32\n  }} -> {outs[1]}\n")


def function(arguments, result, body):
    names = ", ".join(f"{name}: {type}" for name, type in arguments)
    return (f"func.func @forward({names}) -> {result} {{\n  %zero = arith.constant 0.0 : f32\n"
            "  %one = arith.constant 1.0 : f32\n  %least = arith.constant 0xFF800000 : f32\n"
            f"{body}  return %out : {result}\n}}\n")


def pointwise(rng):
    rank = rng.randint(1, 4)
    shape = shape_of(rng, rank, 30000)
    axes = list(range(rank))
    # The second input may lie transposed or be broadcast.
    second = rng.choice([axes, axes, [axis for axis in axes if rng.random() < 0.5]])
    types = [kind(shape), kind([shape[axis] for axis in second])]
    lines = []
    value = scalar(rng, "%a", lines, ["%a", "%b", "%one"])
    body = f"  %e = tensor.empty() : {kind(shape)}\n" + generic(
        "out", [("%x", types[0]), ("%y", types[1])], ("%e", kind(shape)), maps(rank, [axes, second, axes]),
        ["parallel"] * rank, ["%a", "%b", "%u"], lines, value)
    return function([("%x", types[0]), ("%y", types[1])], kind(shape), body)


def reduction(rng):
    rank = rng.randint(1, 4)
    shape = shape_of(rng, rank, 60000)
    axes = list(range(rank))
    summed = rng.sample(axes, rng.randint(1, rank))
    left = [axis for axis in axes if axis not in summed]
    result = kind([shape[axis] for axis in left])
    add, start = rng.choice([("addf", "%zero"), ("addf", "%zero"), ("maximumf", "%least")])
    lines = []
    value = scalar(rng, "%a", lines, ["%a", "%one"]) if rng.random() < 0.4 else "%a"
    lines.append(f"%r = arith.{add} {value}, %acc : f32")
    body = (f"  %e = tensor.empty() : {result}\n"
            f"  %i = linalg.fill ins({start} : f32) outs(%e : {result}) -> {result}\n"
            + generic("out", [("%x", kind(shape))], ("%i", result), maps(rank, [axes, left]),
                      ["reduction" if axis in summed else "parallel" for axis in axes], ["%a", "%acc"], lines, "%r"))
    return function([("%x", kind(shape))], result, body)


def contraction(rng):
    m, n, k = (side(rng) for _ in range(3))
    while m * n * k > 2000000:
        m, n, k = (max(1, extent // 2) for extent in (m, n, k))
    a, b = ([m, k], [0, 2]), ([k, n], [2, 1])
    if rng.random() < 0.3:
        a = ([k, m], [2, 0])
    if rng.random() < 0.3:
        b = ([n, k], [1, 2])
    result = kind([m, n])
    body = (f"  %e = tensor.empty() : {result}\n"
            f"  %i = linalg.fill ins(%zero : f32) outs(%e : {result}) -> {result}\n"
            + generic("p", [("%x", kind(a[0])), ("%w", kind(b[0]))], ("%i", result), maps(3, [a[1], b[1], [0, 1]]),
                      ["parallel", "parallel", "reduction"], ["%a", "%b", "%acc"],
                      ["%m = arith.mulf %a, %b : f32", "%r = arith.addf %m, %acc : f32"], "%r"))
    lines = []
    value = scalar(rng, "%a", lines, ["%b", "%one"])
    body += generic("out", [("%p", result), ("%c", kind([n]))], ("%e", result), maps(2, [[0, 1], [1], [0, 1]]),
                    ["parallel", "parallel"], ["%a", "%b", "%u"], lines, value)
    return function([("%x", kind(a[0])), ("%w", kind(b[0])), ("%c", kind([n]))], result, body)


def rows(rng):
    """The shape of a matrix that is reduced along its rows, its maps and types."""
    m, n = side(rng), side(rng)
    types = f"{m}x{n}xf32", f"{m}xf32"
    return types, maps(2, [[0, 1], [0], [0, 1]]), ["parallel", "reduction"]


def softmax(rng):
    (whole, row), (full, left, _), reduced = rows(rng)
    whole, row = f"tensor<{whole}>", f"tensor<{row}>"
    both = ["parallel", "parallel"]
    body = (f"  %e = tensor.empty() : {whole}\n  %s = tensor.empty() : {row}\n"
            f"  %m0 = linalg.fill ins(%least : f32) outs(%s : {row}) -> {row}\n"
            f"  %s0 = linalg.fill ins(%zero : f32) outs(%s : {row}) -> {row}\n"
            + generic("m", [("%x", whole)], ("%m0", row), [full, left], reduced, ["%a", "%acc"],
                      ["%r = arith.maximumf %a, %acc : f32"], "%r")
            + generic("d", [("%x", whole), ("%m", row)], ("%e", whole), [full, left, full], both, ["%a", "%b", "%u"],
                      ["%r = arith.subf %a, %b : f32", "%q = math.exp %r : f32"], "%q")
            + generic("t", [("%d", whole)], ("%s0", row), [full, left], reduced, ["%a", "%acc"],
                      ["%r = arith.addf %a, %acc : f32"], "%r")
            + generic("out", [("%d", whole), ("%t", row)], ("%e", whole), [full, left, full], both, ["%a", "%b", "%u"],
                      ["%r = arith.divf %a, %b : f32"], "%r"))
    return function([("%x", whole)], whole, body)


def argument(rng):
    """The first greatest element of each row of the input, or of a product."""
    (whole, row), (full, left, _), reduced = rows(rng)
    m = row.split("x")[0]
    indices = f"tensor<{m}xi64>"
    compare = rng.choice(["ogt", "ugt"])
    ins, body, value = [("%x", f"tensor<{whole}>")], "", "%x"
    if rng.random() < 0.5:
        k, n = rng.randint(1, 40), whole.split("x")[1]
        a, b = kind([int(m), k]), kind([k, int(n)])
        ins, value = [("%x", a), ("%w", b)], "%p"
        body = (f"  %pe = tensor.empty() : tensor<{whole}>\n"
                f"  %pi = linalg.fill ins(%zero : f32) outs(%pe : tensor<{whole}>) -> tensor<{whole}>\n"
                + generic("p", ins, ("%pi", f"tensor<{whole}>"), maps(3, [[0, 2], [2, 1], [0, 1]]),
                          ["parallel", "parallel", "reduction"], ["%a", "%b", "%acc"],
                          ["%m = arith.mulf %a, %b : f32", "%r = arith.addf %m, %acc : f32"], "%r"))
    body += (f"  %none = arith.constant 0 : i64\n  %s = tensor.empty() : tensor<{row}>\n"
             f"  %i = tensor.empty() : {indices}\n"
             f"  %m0 = linalg.fill ins(%least : f32) outs(%s : tensor<{row}>) -> tensor<{row}>\n"
             f"  %i0 = linalg.fill ins(%none : i64) outs(%i : {indices}) -> {indices}\n"
             f"  %g:2 = linalg.generic {{indexing_maps = [{full}, {left}, {left}], iterator_types = "
             f'["parallel", "reduction"]}} ins({value} : tensor<{whole}>) outs(%m0, %i0 : tensor<{row}>, {indices}) {{\n'
             "  ^bb0(%a: f32, %b: f32, %k: i64):\n    %j = linalg.index 1 : index\n"
             "    %j64 = arith.index_cast %j : index to i64\n"
             f"    %c = arith.cmpf {compare}, %a, %b : f32\n"
             "    %u = arith.maximumf %a, %b : f32\n    %v = arith.select %c, %j64, %k : i64\n"
             f"    linalg.yield %u, %v : f32, i64\n  }} -> (tensor<{row}>, {indices})\n")
    return function(ins, indices, body).replace("return %out", "return %g#1")


def scan(rng):
    """Running sums, products or maxima, of numbers as they are or near one."""
    rank = rng.randint(1, 3)
    shape = shape_of(rng, rank, 20000)
    whole, axes = kind(shape), list(range(rank))
    combine, identity = rng.choice([("addf", "0.0"), ("addf", "0.0"), ("mulf", "1.0"), ("maximumf", "0xFF800000")])
    body, value = f"  %e = tensor.empty() : {whole}\n", "%x"
    if combine == "mulf":
        body += generic("near", [("%x", whole)], ("%e", whole), maps(rank, [axes, axes]), ["parallel"] * rank,
                        ["%a", "%u"], ["%q = math.tanh %a : f32", "%r = math.exp %q : f32"], "%r")
        value = "%near"
    body += (f"  %out = kernelskill.scan ins({value} : {whole}) outs(%e : {whole}) dimension({rng.randrange(rank)}) "
             f"identity({identity} : f32){rng.choice(['', ' exclusive'])}{rng.choice(['', ' reverse'])} {{\n"
             f"  ^bb0(%s: f32, %a: f32):\n    %n = arith.{combine} %s, %a : f32\n    kernelskill.yield %n : f32\n"
             f"  }} -> {whole}\n")
    return function([("%x", whole)], whole, body)


def convolution(rng):
    n, c, f, k = rng.randint(1, 3), rng.randint(1, 12), rng.randint(1, 24), rng.choice([1, 3, 3, 5])
    stride, dilation = rng.choice([1, 1, 2]), rng.choice([1, 1, 2])
    oh, ow = rng.randint(1, 20), rng.randint(1, 20)
    sizes = [(o - 1) * stride + (k - 1) * dilation + 1 for o in (oh, ow)]
    x, w, out = kind([n, c] + sizes), kind([f, c, k, k]), kind([n, f, oh, ow])
    body = (f"  %e = tensor.empty() : {out}\n  %i = linalg.fill ins(%zero : f32) outs(%e : {out}) -> {out}\n"
            f"  %p = linalg.conv_2d_nchw_fchw {{strides = dense<{stride}> : tensor<2xi64>, "
            f"dilations = dense<{dilation}> : tensor<2xi64>}} ins(%x, %w : {x}, {w}) outs(%i : {out}) -> {out}\n")
    lines = []
    value = scalar(rng, "%a", lines, ["%b", "%one"])
    body += generic("out", [("%p", out), ("%c", kind([f]))], ("%e", out), maps(4, [[0, 1, 2, 3], [1], [0, 1, 2, 3]]),
                    ["parallel"] * 4, ["%a", "%b", "%u"], lines, value)
    return function([("%x", x), ("%w", w), ("%c", kind([f]))], out, body)


def other_knobs(rng, recipe):
    """The recipe with some knobs at other options, never the same twice."""
    def choose(match):
        options = [option.strip() for option in match.group(4).split(",")]
        value = rng.choice(options) if rng.random() < 0.6 else match.group(2)
        return f"{match.group(1)}{value}{match.group(3)}[{match.group(4)}]"
    return re.sub(r'(transform\.tune\.knob<"\w+"> = )(\S+)( : \w+ from options = )\[([^\]]*)\]', choose, recipe)


def judge(tool, folder, payload, numerics, rounds, recipes):
    command = [tool, "optimize", payload, "--device", "cpu", "--chip", "sm_90a", "--numerics", numerics, "--rounds",
               str(rounds), "--budget", "600", "--fresh", "--json", "-o", os.path.join(folder, "out")]
    for recipe in recipes:
        command += ["--candidate", recipe]
    done = subprocess.run(command, capture_output=True, text=True)
    try:
        return command, json.loads(done.stdout), done
    except json.JSONDecodeError:
        return command, None, done


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernelskill")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--recipes", type=int, default=8, help="recipes with other knobs for each program")
    parser.add_argument("--start", type=int, default=0, help="number of the first program")
    parser.add_argument("--only", type=int)
    parser.add_argument("--folder", required=True)
    options = parser.parse_args()
    judged = alarms = refused = 0
    counts = {}
    number = options.start if options.only is None else options.only
    while judged < options.count:
        rng = random.Random(f"{options.seed}/{number}")
        folder = os.path.join(options.folder, str(number))
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        payload = os.path.join(folder, "payload.mlir")
        make = rng.choice([pointwise, reduction, reduction, argument, softmax, scan, contraction, contraction, convolution])
        element = rng.choice(TYPES)
        with open(payload, "w") as file:
            file.write(make(rng).replace("0xFF800000", LEAST[element]).replace("f32", element))
        numerics = rng.choice(NUMERICS)
        what = f"program {number} ({make.__name__}, {element}, {numerics})"
        recipes, found = [], []
        clean = True
        for rounds in (1, 0):
            command, report, done = judge(options.kernelskill, folder, payload, numerics, rounds, recipes)
            if report is None or "candidates" not in report:
                # The seed is not right, or not even built.
                print(f"{what}: error: {done.stderr.strip()}\n"
                      f"  {' '.join(command)}", flush=True)
                alarms += 1
                clean = False
                break
            for candidate in report["candidates"]:
                verdict = candidate["verdict"]
                if verdict == "not-judged":
                    continue
                if "is not applicable" in candidate["reason"]:
                    refused += 1
                    continue
                judged += 1
                for name in ("class " + numerics, element):
                    counts[name] = counts.get(name, 0) + 1
                if verdict != "right":
                    alarms += 1
                    clean = False
                    print(f"{what}: {verdict}: {candidate['reason']}, by {candidate['edit']}\n"
                          f"  {' '.join(command)}", flush=True)
            best = os.path.join(folder, "out", "recipe.mlir")
            if rounds == 1 and os.path.exists(best):
                with open(best) as file:
                    text = file.read()
                texts = {text}
                for _ in range(options.recipes):
                    texts.add(other_knobs(rng, text))
                for index, other in enumerate(sorted(texts - {text})):
                    recipes.append(os.path.join(folder, f"recipe{index}.mlir"))
                    with open(recipes[-1], "w") as file:
                        file.write(other)
            if not recipes:
                break
        if clean:
            shutil.rmtree(folder)
        number += 1
        if number % 10 == 0:
            print(f"{number} programs: {judged} judged, {alarms} false alarms", flush=True)
        if options.only is not None:
            break
    print(", ".join(f"{counts[name]} {name}" for name in sorted(counts)))
    print(f"{judged} judged, {alarms} false alarms, {refused} refused by the compiler")
    return 1 if alarms or not judged else 0


if __name__ == "__main__":
    sys.exit(main())
