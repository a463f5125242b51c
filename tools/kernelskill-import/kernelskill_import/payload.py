"""From an exported program to the payload's text, through torch-mlir."""
import re

from torch_mlir import ir
from torch_mlir.dialects import torch as torch_dialect
from torch_mlir.extras.fx_importer import FxImporter
from torch_mlir.passmanager import PassManager

from .errors import ImportFailure

_PIPELINE = (
    "builtin.module(func.func(torch-match-quantized-custom-ops), "
    "torchdynamo-export-to-torch-backend-pipeline{extra-library=}, "
    "torch-backend-to-linalg-on-tensors-backend-pipeline)"
)
_DIALECTS = ("builtin", "func", "linalg", "tensor", "arith", "math", "complex", "kernelskill")


def _float(value):
    """The shortest text that MLIR reads back as the same number."""
    mantissa, e, exponent = repr(float(value)).partition("e")
    return (mantissa if "." in mantissa else mantissa + ".0") + e + exponent


def _attribute(argument):
    """The text of #kernelskill.argument."""
    name = argument.name.replace("\\", "\\\\").replace('"', '\\"')
    text = f'"{name}", {argument.role}, {argument.draw.kind}'
    if argument.draw.scale != 1.0:
        text += f", scale = {_float(argument.draw.scale)} : f64"
    if argument.draw.shift != 0.0:
        text += f", shift = {_float(argument.draw.shift)} : f64"
    return f"#kernelskill.argument<{text}>"


def _unsupported(path, error):
    """Names the operation that torch-mlir could not lower."""
    text = str(error)
    found = re.search(r"failed to legalize operation '([\w.]+)'(.*)", text)
    if not found:
        return ImportFailure(f"{path}: torch-mlir failed: {text.splitlines()[0]}")
    # An operation that torch-mlir does not model is named by an attribute.
    name = re.search(r'name = "([\w.]+)"', found.group(2)) if found.group(1) == "torch.operator" else None
    name = name.group(1) if name else found.group(1)
    # Diagnostics carry the line of the module's source.
    line = re.search(rf'"{re.escape(str(path))}":(\d+):', text)
    where = f"{path}:{line.group(1)}" if line else path
    return ImportFailure(f"{where}: torch-mlir can't lower operation '{name}' to linalg")


def _check(path, function, arguments):
    """The payload's contract, as far as torch-mlir may break it."""
    for group in (function.type.inputs, function.type.results):
        for type_ in group:
            if not isinstance(type_, ir.RankedTensorType):
                raise ImportFailure(f"{path}: an argument or result is no tensor but {type_}")
            if not type_.has_static_shape:
                raise ImportFailure(f"{path}: dynamic shape {type_}: a payload has static shapes")
    if not function.type.results:
        raise ImportFailure(f"{path}: forward() returns no tensor")
    if len(function.type.inputs) != len(arguments):
        raise ImportFailure(
            f"{path}: torch-mlir made {len(function.type.inputs)} arguments, but the module has {len(arguments)} tensors"
        )


# What a scan may combine with, and the value that changes nothing.
_IDENTITIES = {"arith.addf": 0.0, "arith.addi": 0, "arith.mulf": 1.0, "arith.muli": 1}


def _erase_if_unused(value):
    """Erases an init that lost its last user, and what it alone used."""
    operation = None if isinstance(value.owner, ir.Block) else value.owner
    if operation is None or operation.name not in ("linalg.fill", "tensor.empty", "arith.constant"):
        return
    if any(True for result in operation.results for _ in result.uses):
        return
    operands = list(operation.operands)
    operation.erase()
    for operand in operands:
        _erase_if_unused(operand)


def _rewrite_scan(scan):
    """tm_tensor.scan becomes kernelskill.scan, where it is one of a kind."""
    body = scan.regions[0].blocks[0]
    operations = [op.operation for op in body.operations]
    if len(operations) != 2 or operations[0].name not in _IDENTITIES:
        return
    (result, last), (x, init, carry) = scan.results, scan.operands
    if any(True for _ in last.uses):
        return
    element = ir.RankedTensorType(x.type).element_type
    identity = _IDENTITIES[operations[0].name]
    attributes = {
        "dimension": ir.IntegerAttr.get(ir.IntegerType.get_signless(64), ir.IntegerAttr(scan.attributes["dimension"]).value),
        "identity": ir.FloatAttr.get(element, identity)
        if isinstance(identity, float)
        else ir.IntegerAttr.get(element, identity),
    }
    if not ir.BoolAttr(scan.attributes["inclusive"]).value:
        attributes["exclusive"] = ir.UnitAttr.get()
    with ir.InsertionPoint(scan):
        # The old value of outs is not read, so it need not be filled.
        empty = ir.Operation.create("tensor.empty", results=[init.type]).result
        new = ir.Operation.create("kernelskill.scan", [init.type], [x, empty], attributes, regions=1)
    body.append_to(new.regions[0])
    with ir.InsertionPoint(operations[1]):
        ir.Operation.create("kernelskill.yield", operands=[operations[0].result])
    operations[1].erase()
    result.replace_all_uses_with(new.result)
    scan.erase()
    _erase_if_unused(init)
    _erase_if_unused(carry)


def _join_uncast(concat):
    """Joins what was cast to an unknown extent (as torch.roll does) uncast."""
    for index, operand in enumerate(list(concat.operands)):
        cast = None if isinstance(operand.owner, ir.Block) else operand.owner
        if cast is not None and cast.name == "tensor.cast":
            concat.operands[index] = cast.operands[0]
            if not any(True for _ in cast.results[0].uses):
                cast.erase()


def _rewrite(module):
    """Brings what torch-mlir leaves outside of linalg into our forms."""
    scans, asserts, concats = [], [], []

    def visit(operation):
        name = operation.operation.name
        if name == "tm_tensor.scan":
            scans.append(operation.operation)
        elif name == "cf.assert":
            asserts.append(operation.operation)
        elif name == "tensor.concat":
            concats.append(operation.operation)
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit, ir.WalkOrder.PRE_ORDER)
    for scan in scans:
        _rewrite_scan(scan)
    for concat in concats:
        _join_uncast(concat)
    # A check of an index, as of a class number: PyTorch makes it as well.
    for assertion in asserts:
        assertion.erase()


def _clean(path, module):
    """Drops torch-mlir's attributes; refuses what no later stage reads."""
    foreign = []

    def visit(operation):
        operation = operation.operation
        if operation.name.split(".")[0] not in _DIALECTS:
            foreign.append(operation.name)
        for name in list(operation.attributes):
            if name.startswith(("torch.", "torch_", "mlprogram")):
                del operation.attributes[name]
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit, ir.WalkOrder.PRE_ORDER)
    if foreign:
        raise ImportFailure(f"{path}: operation '{foreign[0]}' is left after lowering to linalg, and is not supported")


def payload_text(path, program, arguments, buffers):
    """Lowers the program; returns the text of the payload module.

    The last results are the new values of `buffers`, and say so.
    """
    context = ir.Context()
    context.allow_unregistered_dialects = True
    torch_dialect.register_dialect(context)
    # Diagnostics reach the user through the exception only.
    context.attach_diagnostic_handler(lambda diagnostic: True)
    importer = FxImporter(context=context)
    try:
        importer.import_program(program, func_name="forward")
    except Exception as error:
        raise ImportFailure(f"{path}: torch-mlir can't import the exported program: {error}") from error
    module = importer.module
    with context, ir.Location.unknown():
        try:
            PassManager.parse(_PIPELINE).run(module.operation)
        except Exception as error:
            raise _unsupported(path, error) from error
        functions = [op for op in module.body if op.operation.name == "func.func"]
        forward = next(f for f in functions if f.name.value == "forward")
        _check(path, forward, arguments)
        _rewrite(module)
        _clean(path, module)
        forward.attributes["arg_attrs"] = ir.ArrayAttr.get(
            [
                ir.DictAttr.get({"kernelskill.argument": ir.Attribute.parse(_attribute(argument))})
                for argument in arguments
            ]
        )
        if buffers:
            outputs = len(forward.type.results) - len(buffers)
            written = [ir.DictAttr.get({"kernelskill.buffer": ir.StringAttr.get(name)}) for name in buffers]
            forward.attributes["res_attrs"] = ir.ArrayAttr.get([ir.DictAttr.get({})] * outputs + written)
        return module.operation.get_asm(enable_debug_info=False)
