"""Runs kernelskill on bad inputs and checks each failure: its exit code, exactly
one error line that says what the table expects, no crash."""
import os
import re
import shutil
import signal
import subprocess
import sys

work, inputs = sys.argv[1], sys.argv[2]
sys.path.insert(0, inputs)
import arrays  # noqa: E402

os.chdir(work)
relu = os.path.join(inputs, "relu.mlir")
failures = []
count = 0


def run(arguments, **options):
    return subprocess.run(["kernelskill", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=300, **options)


def expect(code, pattern, *arguments, prefix=(), environment=None, preexec=None):
    global count
    count += 1
    env = dict(os.environ, **(environment or {}))
    tool = shutil.which("kernelskill")
    result = subprocess.run([*prefix, tool, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            timeout=300, env=env, preexec_fn=preexec)
    lines = [line for line in result.stderr.splitlines() if "error:" in line]
    problem = None
    if result.returncode != code:
        problem = f"exit code {result.returncode}, expected {code}"
    elif len(lines) != 1:
        problem = f"{len(lines)} error lines"
    elif not re.search(pattern, lines[0]):
        problem = f"error does not match {pattern!r}"
    elif "Stack dump" in result.stderr or "LLVM ERROR" in result.stderr:
        problem = "crash"
    if problem:
        failures.append(arguments)
        print("FAIL", *arguments, ":", problem, "\n", result.stderr)


def build(payload, *more):
    return ["build", payload, *more, "-o", "out"]


def cpu(payload, folder, *more):
    return ["optimize", payload, "--device", "cpu", "--rounds", "0", "-o", folder, *more]


# The command line.
expect(2, "unknown command 'optimise', did you mean 'optimize'", "optimise", relu)
expect(2, "unknown option '--chp', did you mean '--chip'", *build(relu, "--chp", "sm_90a"))
expect(2, "'build' needs an operand", "build", "-o", "out")
expect(2, "'build' needs -o", "build", relu)
expect(2, "takes one operand .*second: 'b.mlir'", "build", "a.mlir", "b.mlir", "-o", "out")
expect(2, "'--chip' needs a value", "build", relu, "-o", "out", "--chip")
expect(2, "'--rounds' needs a whole number.*found 'many'", "optimize", relu, "--rounds", "many")
expect(2, "'--budget' needs a number of seconds above zero, found '0'", "optimize", relu, "--budget", "0")
with open("/dev/full", "w") as full:
    result = subprocess.run(["kernelskill", "help"], stdout=full, stderr=subprocess.PIPE, text=True)
assert result.returncode == 1 and "cannot write to the standard output" in result.stderr, result
expect(2, "numerics.*fp33", "optimize", relu, "--numerics", "fp33", "-o", "out")
expect(2, "--set and --eval are for a .py", *build(relu, "--set", "n=1"))

# Payloads.
expect(1, "absent.mlir: No such file", *build("absent.mlir"))
open("empty.mlir", "w").close()
expect(1, "empty.mlir: file is empty", *build("empty.mlir"))
expect(1, r"broken.mlir:\d+:\d+: ", *build("broken.mlir"))
expect(1, r"type.mlir:2:\d+: ", *build("type.mlir"))
expect(1, "nothing.mlir: module holds no public function", *build("nothing.mlir"))
expect(1, r"two.mlir:4:\d+: second public function 'b'", *build("two.mlir"))
expect(1, r"dynamic.mlir:1:\d+: .*dynamic shape; give static sizes", *build("dynamic.mlir"))
expect(1, r"unknown-op.mlir:2:\d+: .*dialect.*; a payload holds", *build("unknown-op.mlir"))
expect(1, r"misspelt-argument.mlir:1:\d+: .*argumnt", *build("misspelt-argument.mlir"))
expect(1, r"unsupported.mlir:\d+:\d+: ", *build("unsupported.mlir"))
expect(1, r"no-grid.mlir:\d+:\d+: ", *build("no-grid.mlir"))
with open("binary.mlir", "wb") as file:
    file.write(bytes(range(256)))
expect(1, r"binary.mlir", *build("binary.mlir"))
expect(1, "absent.py: no such file", *build("absent.py"))
expect(6, "KERNELSKILL_PYTHON names .*can't be executed", *build("broken.py"),
       environment={"KERNELSKILL_PYTHON": "/nonexistent/python"})
expect(1, r"broken.py:1: syntax error", *build("broken.py"), environment={"KERNELSKILL_PYTHON": sys.executable})

# Skills and recipes.
expect(1, r"misspelt.mlir:7:\d+: .*coalesced_fractoin", "explain", relu, "--skills", "misspelt-skill")
expect(1, r"half.mlir:2:\d+: .*match_half", "explain", relu, "--skills", "half-skill")
expect(1, "absent: is no folder", "explain", relu, "--skills", "absent")
expect(1, "absent.mlir: no such file", *build(relu, "--recipe", "absent.mlir"))
expect(1, r"broken-recipe.mlir:\d+:\d+: ", *build(relu, "--recipe", "broken-recipe.mlir"))
expect(1, r"no-target.mlir:\d+:\d+: .*0123456789abcdef", *build(relu, "--recipe", "no-target.mlir"))
expect(1, "other-payload.mlir.*0123456789abcdef", *build(relu, "--recipe", "other-payload.mlir"))
expect(1, r"future-recipe.mlir.*99", *build(relu, "--recipe", "future-recipe.mlir"))
expect(1, "no-target.mlir: recipe is for chip 'sm_90a', --chip says 'sm_80'",
       *build(relu, "--recipe", "no-target.mlir", "--chip", "sm_80"))
expect(1, "relu.mlir", *build(relu, "--recipe", relu))

# What is nested so deeply that a parser that calls itself runs out of stack.
deep = 200000
for name, text in (("attribute", "module attributes {a = " + "[" * deep + "]" * deep + "} {}"),
                   ("region", "module {" * deep + "}" * deep),
                   ("type", "func.func private @f() -> " + "tuple<" * deep + "i1" + ">" * deep),
                   ("location", "module {} loc(" + "fused[" * deep + "unknown" + "]" * deep + ")"),
                   ("map", "#m = affine_map<(d0) -> (" + "d0 + " * deep + "d0)>"),
                   ("minus", "#m = affine_map<(d0) -> (" + "-" * deep + "d0)>")):
    os.makedirs(f"deep-{name}", exist_ok=True)
    with open(f"deep-{name}/deep.mlir", "w") as file:
        file.write(text)
    pattern = "deep.mlir: can't be read: .*signal 11.*nested very deeply"
    expect(1, pattern, *build(f"deep-{name}/deep.mlir"))
    expect(1, pattern, *build(relu, "--recipe", f"deep-{name}/deep.mlir"))
    if name in ("attribute", "region"):
        expect(1, pattern, *cpu(relu, "deep-out", "--candidate", f"deep-{name}/deep.mlir"))
        expect(1, f"deep-{name}: can't be read", "explain", relu, "--skills", f"deep-{name}")

# Chip, tools, device.
expect(1, "sm_91.*sm_90a", *build(relu, "--chip", "sm_91"))
hidden = ":".join(d for d in os.environ["PATH"].split(":") if not os.path.exists(os.path.join(d, "ptxas")))
without = {"PATH": hidden, "CUDA_HOME": "", "CUDA_PATH": "", "KERNELSKILL_CUDA": ""}
namespaces = os.geteuid() == 0 and subprocess.run(["unshare", "-m", "true"], stderr=subprocess.DEVNULL).returncode == 0
if not os.path.exists("/usr/local/cuda"):
    expect(6, "ptxas not found; tried .*; install", *build(relu), environment=without)
elif namespaces:
    expect(6, "ptxas not found; tried .*; install", *build(relu), environment=without,
           prefix=["unshare", "-m", "sh", "-c", "mount -t tmpfs tmpfs /usr/local/cuda && exec \"$@\"", "sh"])
expect(4, "cuda:99|CUDA|driver|libcuda", "verify", relu, "--device", "cuda:99")
expect(4, "tpu", "verify", relu, "--device", "tpu")

# Folders.
open("file", "w").close()
expect(1, "file.*; choose another folder", "build", relu, "-o", "file/out")
if namespaces:
    mount = "mkdir -p mnt && mount -t tmpfs -o {} tmpfs mnt && exec \"$@\""
    for flags, pattern in (("ro", "mnt.*[Rr]ead-only.*; choose another"), ("size=8k", "mnt.*[Nn]o space.*; free some")):
        expect(1, pattern, "build", relu, "-o", "mnt/out",
               prefix=["unshare", "-m", "sh", "-c", mount.format(flags), "sh"])

# Journals.
assert run(cpu(relu, "good")).returncode == 0
journal = open("good/journal.jsonl").read()


def damaged(name, text):
    shutil.rmtree(name, ignore_errors=True)
    shutil.copytree("good", name)
    with open(os.path.join(name, "journal.jsonl"), "w") as file:
        file.write(text)


lines = journal.split("\n")
damaged("j-middle", "\n".join([lines[0], lines[1][:40], *lines[2:]]))
expect(1, r"journal.jsonl:2: .*; move the folder away", *cpu(relu, "j-middle"))
expect(1, r"journal.jsonl:2: ", "journal", "j-middle")
damaged("j-version", journal.replace('"version":2', '"version":9', 1))
expect(1, "journal.jsonl:1: .*version 9", *cpu(relu, "j-version"))
damaged("j-empty", "")
expect(1, "journal.jsonl:1: .*no header", *cpu(relu, "j-empty"))
damaged("j-foreign", "{}\n")
expect(1, "journal.jsonl:1: .*no journal", *cpu(relu, "j-foreign"))
expect(1, "journal.jsonl: .*payload.*choose another folder", *cpu(os.path.join(inputs, "matmul.mlir"), "good"))
expect(1, "journal.jsonl: .*chip 'sm_90a', asked is 'sm_80'", *cpu(relu, "good", "--chip", "sm_80"))
expect(1, "empty: there is no journal", "journal", "empty")

# Programs and arrays.
program = open("good/program.ksp", "rb").read()


def run_program(*more):
    return ["run", "p.ksp", "--device", "cpu", "-o", "out", *more]


def write_program(data):
    with open("p.ksp", "wb") as file:
        file.write(data)


for name, data in (("cut", program[:-9]), ("cut head", program[:10]), ("foreign", b"PK" + program[2:]),
                   ("version", program[:8] + b"\x63" + program[9:]),
                   ("flipped bit", program[:200] + bytes([program[200] ^ 1]) + program[201:])):
    write_program(data)
    expect(1, "p.ksp.*build", *run_program())
expect(1, "absent.ksp.*[Nn]o such file", "run", "absent.ksp", "-o", "out")
write_program(program)
arrays.write("short.npy", (64, 256), [0.0] * 64 * 256)
expect(1, r"short.npy: has shape \(64,256\), argument 'x' has shape \(64,257\)", *run_program("--input", "short.npy"))
arrays.write("double.npy", (64, 257), [0.0] * 64 * 257, "<f8", "d")
expect(1, "double.npy: has type '<f8'.*numpy.astype", *run_program("--input", "double.npy"))
with open("cut.npy", "wb") as file:
    file.write(open("short.npy", "rb").read()[:-3])
expect(1, "cut.npy: has .* bytes of data where its header says", *run_program("--input", "cut.npy"))
expect(1, "p.ksp: is no .npy", *run_program("--input", "p.ksp"))
expect(1, "takes 1 arguments, --input names 2", *run_program("--input", "short.npy", "short.npy"))

print(f"{count} bad inputs, each with one clear error" if not failures else f"FAIL: {len(failures)} of {count}")
