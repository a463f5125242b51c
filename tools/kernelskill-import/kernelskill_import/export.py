"""Exports a model with torch.export, its weights as arguments."""
import contextlib
import dataclasses
import inspect
import random

import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.export.graph_signature import InputKind, OutputKind, TensorArgument

from . import decompositions, random_arguments
from .draws import Draw, DrawRecorder, default_draw
from .errors import ImportFailure


@dataclasses.dataclass(frozen=True)
class Argument:
    """A tensor argument of the payload: name, role and draw."""

    name: str
    role: str
    draw: Draw


_ROLES = {
    InputKind.PARAMETER: "parameter",
    InputKind.BUFFER: "buffer",
    InputKind.CONSTANT_TENSOR: "buffer",
    InputKind.USER_INPUT: "input",
}
# Elements of a tensor made in forward() that become a literal, not an argument.
_LARGEST_LITERAL = 16
# A recurrence is unrolled.
_MOST_CELLS = 280
_DATA_DEPENDENT = ("DataDependentOutputException", "GuardOnDataDependentSymNode", "DynamicOutputShapeException")


def _failed(path, step, error):
    """The error line for an exception of the user's code or of torch.export."""
    kind = type(error).__name__
    # Lines after the first are advice about torch's own options.
    lines = [line for line in str(error).splitlines() if line.strip()] or [kind]
    if kind in _DATA_DEPENDENT or "data-dependent" in str(error).lower():
        return ImportFailure(
            f"{path}: {step} failed: control flow or a shape depends on the values of a tensor, "
            f"which a payload can't express ({lines[0]})"
        )
    return ImportFailure(f"{path}: {step} failed: {kind}: {lines[0]}")


def _build(path, module, fake, recorder):
    """Makes the model and its inputs, on fake tensors so that size is free."""
    random.seed(0)
    torch.manual_seed(0)
    step = "get_init_inputs()"
    with fake, recorder, torch.no_grad():
        try:
            init = module.get_init_inputs() if hasattr(module, "get_init_inputs") else []
            step = "building Model"
            model = module.Model(**init) if isinstance(init, dict) else module.Model(*init)
            if not isinstance(model, torch.nn.Module):
                raise ImportFailure(f"{path}: class Model is not a torch.nn.Module")
            step = "get_inputs()"
            inputs = tuple(module.get_inputs())
        except ImportFailure:
            raise
        except Exception as error:
            raise _failed(path, step, error) from error
    return model, inputs


def _input_names(model, inputs, count):
    """Names of forward's parameters, if each is one tensor or constant."""
    try:
        names = list(inspect.signature(model.forward).bind(*inputs).arguments)
    except TypeError:
        return None
    return names if len(names) == count else None


def _arguments(model, inputs, program, recorder):
    """Turns all of the program's inputs into arguments, and describes these."""
    signature = program.graph_signature
    user = [s for s in signature.input_specs if s.kind == InputKind.USER_INPUT]
    names = _input_names(model, inputs, len(user))
    tensors = dict(model.named_parameters(remove_duplicate=False))
    tensors.update(model.named_buffers(remove_duplicate=False))
    flat = torch.utils._pytree.tree_leaves(inputs)
    arguments, position = [], 0
    for spec in signature.input_specs:
        if spec.kind == InputKind.CONSTANT_TENSOR and program.constants[spec.target].numel() <= _LARGEST_LITERAL:
            continue  # torch-mlir writes it into the payload.
        role = _ROLES.get(spec.kind)
        if role is None:
            raise ImportFailure(f"'{spec.target or spec.arg.name}' is a {spec.kind.name.lower()}, which can't be an argument")
        if role == "input":
            name = names[position] if names else spec.arg.name
            tensor = flat[position] if position < len(flat) else None
            position += 1
            if not isinstance(spec.arg, TensorArgument):
                continue  # A Python number: it is a constant of the payload.
        else:
            name = spec.target
            tensor = tensors.get(name, program.constants.get(name))
            spec.kind, spec.target = InputKind.USER_INPUT, None
        draw = recorder.find(tensor) if tensor is not None else None
        if draw is None:
            value = next(n for n in program.graph.nodes if n.name == spec.arg.name).meta["val"]
            draw = default_draw(value.dtype)
        arguments.append(Argument(name, role, draw))
    return arguments


def _return_written_buffers(program):
    """Makes buffers that forward writes results, after the outputs.

    Returns their names.
    """
    node = program.graph.output_node()
    pairs = list(zip(program.graph_signature.output_specs, node.args[0]))
    written = [p for p in pairs if p[0].kind == OutputKind.BUFFER_MUTATION]
    others = [p for p in pairs if p[0].kind != OutputKind.BUFFER_MUTATION]
    names = [spec.target for spec, _ in written]
    for spec, _ in written:
        spec.kind, spec.target = OutputKind.USER_OUTPUT, None
    program.graph_signature.output_specs[:] = [p[0] for p in others + written]
    node.args = (tuple(p[1] for p in others + written),)
    return names


def _refuse_long_recurrences(model):
    """Raises in forward at a recurrence too long to unroll, before time is lost."""
    cells = 0

    def count(module, inputs):
        nonlocal cells
        x = inputs[0]
        steps = x.shape[1 if module.batch_first and x.dim() == 3 else 0]
        cells += steps * module.num_layers * (2 if module.bidirectional else 1)
        if cells > _MOST_CELLS:
            raise ImportFailure(
                f"{type(module).__name__} over {steps} steps: with this, {cells} steps of layers would be unrolled, and "
                f"{_MOST_CELLS} are the most that is taken: shorten the sequence with --set"
            )

    for module in model.modules():
        if isinstance(module, torch.nn.RNNBase):
            module.register_forward_pre_hook(count)


def _register_plain_tensors(model):
    """Makes buffers of tensors that modules keep as plain attributes."""
    for module in model.modules():
        plain = [name for name, value in vars(module).items() if isinstance(value, torch.Tensor)]
        for name in plain:
            value = vars(module).pop(name)
            module.register_buffer(name, value, persistent=False)


class _MixedModes(Exception):
    """A tensor of one fake mode met another mode's."""


def _program(path, module, evaluate, real):
    """Builds, then exports; real tensors hold values, fake ones cost nothing."""
    fake = contextlib.nullcontext() if real else FakeTensorMode(allow_non_fake_inputs=True)
    recorder = DrawRecorder()
    model, inputs = _build(path, module, fake, recorder)
    model.train(not evaluate)
    _refuse_long_recurrences(model)
    _register_plain_tensors(model)
    with fake, torch.no_grad():
        try:
            program = torch.export.export(model, inputs, strict=False)
            random_arguments.check(program)
            program = program.run_decompositions(decompositions.table())
            random_arguments.check(program)
        except ImportFailure as failure:
            raise ImportFailure(f"{path}: {failure}") from failure
        except Exception as error:
            failure = _failed(path, "exporting forward()", error)
            # A tensor that the model keeps as a plain attribute is fake in a
            # mode of its own.
            raise failure from (_MixedModes() if "fake" in str(error).lower() else error)
    return model, inputs, recorder, program


def export(path, module, evaluate):
    """Returns the exported program, its arguments and its written buffers.

    All tensors that the program reads are its inputs.
    """
    try:
        model, inputs, recorder, program = _program(path, module, evaluate, real=False)
    except ImportFailure as failure:
        if type(failure.__cause__).__name__ not in (*_DATA_DEPENDENT, _MixedModes.__name__):
            raise
        # Some models read values while they are built: use real tensors.
        model, inputs, recorder, program = _program(path, module, evaluate, real=True)
    try:
        arguments = _arguments(model, inputs, program, recorder)
        arguments += [Argument(name, "random", draw) for name, draw in random_arguments.take(program)]
    except ImportFailure as failure:
        raise ImportFailure(f"{path}: {failure}") from failure
    return program, arguments, _return_written_buffers(program)
