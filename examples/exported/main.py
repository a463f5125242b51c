"""Holds an exported module against the original: main.py DEVICE FOLDER NAME ORIGINAL.py [NAME=VALUE …]."""
import ast
import copy
import importlib
import importlib.util
import sys

import torch


def in_double(module, inputs):
    """The module and its inputs in double precision, which has the digits that two float programs disagree about. As they
    are where the module draws numbers (dropout) or needs its types, since another type draws others or can't be."""
    values = [*module.state_dict().values(), *inputs]
    if any(value.is_floating_point() and value.dtype != torch.float32 for value in values):
        return module, inputs
    double = copy.deepcopy(module).double()
    widened = [value.double() if value.is_floating_point() else value for value in inputs]
    outputs = []
    for seed in (1, 2):
        torch.manual_seed(seed)
        outputs.append(copy.deepcopy(module)(*inputs))
    try:
        torch.testing.assert_close(*outputs, atol=0, rtol=0, equal_nan=True)
        copy.deepcopy(double)(*widened)
    except (AssertionError, RuntimeError):
        return module, inputs
    return double, widened


def main(device, folder, name, original, *settings):
    sys.path.insert(0, folder)
    exported = importlib.import_module(name)
    spec = importlib.util.spec_from_file_location("original", original)
    source = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(source)
    for setting in settings:
        key, _, value = setting.partition("=")
        setattr(source, key, ast.literal_eval(value))
    if device != "cpu" and not torch.cuda.is_available():
        sys.exit(f"main.py: {device}: no GPU that torch can use")
    torch.manual_seed(0)
    with torch.no_grad():
        init = source.get_init_inputs() if hasattr(source, "get_init_inputs") else []
        reference = source.Model(*init).to(device)
        inputs = [value.to(device) for value in source.get_inputs()]
        model = exported.Model()
        model.load_state_dict(reference.state_dict())
        model = model.to(device)
        # What the original draws in forward (dropout), the exported one draws.
        torch.manual_seed(1)
        output = model(*inputs)
        # Shapes and types, whatever the values.
        torch.testing.assert_close(output, copy.deepcopy(reference)(*inputs), atol=float("inf"), rtol=0, equal_nan=True)
        reference, inputs = in_double(reference, inputs)
        torch.manual_seed(1)
        torch.testing.assert_close(output, reference(*inputs), atol=1e-4, rtol=1e-4, check_dtype=False)
        # What the original writes, the exported one writes.
        for key, value in reference.state_dict().items():
            torch.testing.assert_close(model.state_dict()[key], value, atol=1e-4, rtol=1e-4, check_dtype=False)
    print(f"{name} agrees with PyTorch on {device}")


if __name__ == "__main__":
    main(*sys.argv[1:])
