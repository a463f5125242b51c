"""Compares what a program computes with PyTorch in double precision.

compare_with_torch.py MODULE.py PROGRAM[,PROGRAM…] FOLDER BOUND [NAME=VALUE…]:
draws the module's own inputs, hands them to `kernelskill run` as .npy files in
FOLDER, and fails if an error exceeds BOUND times the largest magnitude of the
result. This shares neither code with the oracle nor draws with the payload.
"""
import pathlib
import subprocess
import sys

import numpy
import torch


def load(path, settings):
    """The module's names, its constants changed as the importer's --set does."""
    names = {}
    exec(compile(pathlib.Path(path).read_text(encoding="utf-8"), path, "exec"), names)
    for name, value in (setting.split("=") for setting in settings):
        if name not in names:
            sys.exit(f"{path}: no constant {name}")
        names[name] = type(names[name])(value)
    return names


def compare(command, expected, bound):
    """Runs a program and exits with a message if its result is wrong."""
    written = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    if len(written) != 1:
        sys.exit(f"one result expected, found {written}")
    result = torch.from_numpy(numpy.load(written[0]))
    if result.shape != expected.shape or result.dtype != torch.float32:
        sys.exit(f"{result.dtype} {list(result.shape)} is not float32 {list(expected.shape)}")
    error = (result.double() - expected).abs().max().item() / expected.abs().max().item()
    # Written so that a NaN fails.
    if not error <= bound:
        sys.exit(f"error {error:.3g} exceeds {bound}")
    print(f"{result.numel()} elements agree, error {error:.3g}")


def main():
    module, programs, folder, bound = sys.argv[1:5]
    names = load(module, sys.argv[5:])
    torch.manual_seed(7)
    inputs = names["get_inputs"]()

    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    arguments = []
    # Numbers are constants of the payload; only tensors are its arguments.
    for number, tensor in enumerate(t for t in inputs if isinstance(t, torch.Tensor)):
        numpy.save(folder / f"{number}.npy", tensor.numpy())
        arguments += ["--input", str(folder / f"{number}.npy")]
    wide = [t.double() if isinstance(t, torch.Tensor) else t for t in inputs]
    expected = names["Model"]()(*wide)
    for number, program in enumerate(programs.split(",")):
        command = ["kernelskill", "run", program, "--device", "cpu"]
        command += ["-o", str(folder / f"results-{number}")] + arguments
        compare(command, expected, float(bound))


main()
