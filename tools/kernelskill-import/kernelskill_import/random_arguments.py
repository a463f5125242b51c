"""Makes arguments of the random numbers that forward() draws."""
import operator

import torch
from torch.export.graph_signature import InputKind, InputSpec, TensorArgument

from .draws import Draw
from .errors import ImportFailure

_aten = torch.ops.aten
_DRAWS = {
    _aten.rand.default: "uniform",
    _aten.rand_like.default: "uniform",
    _aten.randn.default: "normal",
    _aten.randn_like.default: "normal",
}
# As they are exported, and what they are decomposed into.
_DROPOUTS = (_aten.dropout.default, _aten.native_dropout.default)


def _is_random(node):
    """Whether a node draws; operations with a dropout inside may have it off."""
    if torch.Tag.nondeterministic_seeded not in getattr(node.target, "tags", ()):
        return False
    schema = node.target._schema
    given = {argument.name: argument.default_value for argument in schema.arguments}
    given.update(zip(list(given), node.args))
    given.update(node.kwargs)
    if "dropout_p" in given:
        return given["dropout_p"] > 0
    if "train" in given:
        return given["train"] is not False and given.get("p", given.get("dropout")) > 0
    return True


def check(program):
    """Refuses draws that can't be arguments: those inside of an operation, say."""
    for node in program.graph.nodes:
        if not _is_random(node) or node.target in _DRAWS:
            continue
        # A probability of 1 leaves nothing, and is no scale.
        if node.target in _DROPOUTS and node.args[1] < 1:
            continue
        raise ImportFailure(
            f"operation '{node.target}' draws random numbers: only those of dropout (with a probability below 1, not in "
            "place), rand and randn become arguments; --eval may turn it off"
        )


def _replace(graph, node, argument):
    """Uses the argument instead of what the node draws."""
    if node.target in _DRAWS:
        node.replace_all_uses_with(argument)
    else:
        with graph.inserting_before(node):
            product = graph.call_function(_aten.mul.Tensor, (node.args[0], argument))
        product.meta["val"] = argument.meta["val"]
        for user in list(node.users):
            if user.target is not operator.getitem or user.args[1] != 0:
                raise ImportFailure(f"the second result of operation '{node.target}' is used, which is not supported")
            user.replace_all_uses_with(product)
            graph.erase_node(user)
    graph.erase_node(node)


def take(program):
    """Makes arguments, after all others, of what a decomposed program draws.

    Returns names and draws, in the order of the calls. A dropout is a product
    with a drawn mask, whose elements are 0 or 1 / (1 - probability).
    """
    graph, drawn = program.graph, []
    last = [node for node in graph.nodes if node.op == "placeholder"][-1]
    for node in list(graph.nodes):
        if not _is_random(node):
            continue
        if node.target in _DRAWS:
            draw, value = Draw(_DRAWS[node.target]), node.meta["val"]
        else:
            draw, value = Draw("dropout", scale=1.0 / (1.0 - node.args[1])), node.meta["val"][0]
        with graph.inserting_after(last):
            last = graph.placeholder(f"drawn_{node.name}")
        last.meta["val"] = value
        drawn.append((node.name.removeprefix("native_"), draw))
        _replace(graph, node, last)
        spec = InputSpec(InputKind.USER_INPUT, TensorArgument(name=last.name), None)
        program.graph_signature.input_specs.append(spec)
    # An output may have been a draw, and has the name of another node now.
    for spec, node in zip(program.graph_signature.output_specs, graph.output_node().args[0]):
        if isinstance(spec.arg, TensorArgument):
            spec.arg = TensorArgument(name=node.name)
    program.graph_module.recompile()
    return drawn
