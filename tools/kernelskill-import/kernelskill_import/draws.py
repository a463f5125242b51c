"""Watches how tensors are made, to say how the verifier shall draw them.

A dispatch mode sees each aten operation that runs while the model and its
inputs are built, whatever Python function it came from. Known factories give a
draw, scaling by a constant changes it, views and copies keep it; any other
operation loses it.
"""
import dataclasses
import weakref

import torch
from torch.utils._python_dispatch import TorchDispatchMode


@dataclasses.dataclass(frozen=True)
class Draw:
    """`scale * draw + shift`, as #kernelskill.argument states it."""

    kind: str
    scale: float = 1.0
    shift: float = 0.0

    def scaled(self, factor):
        return dataclasses.replace(self, scale=self.scale * factor, shift=self.shift * factor)

    def moved(self, offset):
        return dataclasses.replace(self, shift=self.shift + offset)

    def mean(self):
        return self.scale * {"uniform": 0.5, "normal": 0.0, "zeros": 0.0, "ones": 1.0}[self.kind] + self.shift


def default_draw(dtype):
    """For a tensor whose making was not seen."""
    if dtype == torch.bool or not (dtype.is_floating_point or dtype.is_complex):
        return Draw("integer", scale=2.0)
    return Draw("normal")


_KEEP = {
    "alias", "clone", "contiguous", "detach", "expand", "flatten", "lift_fresh", "permute", "reshape", "select",
    "slice", "squeeze", "t", "to", "transpose", "unsqueeze", "view", "_to_copy", "_unsafe_view", "_reshape_alias",
    "requires_grad_", "copy", "tril", "triu",
}


def _constant(value, draws):
    """The number that a scalar operand stands for, or None.

    A random 0-d factor has no value yet (tensors are fake): its mean stands in.
    """
    if isinstance(value, (bool, int, float)):
        return float(value)
    if isinstance(value, torch.Tensor) and value.dim() == 0:
        draw = draws.find(value)
        if draw is not None and draw.kind != "integer":
            return draw.mean()
    return None


class DrawRecorder(TorchDispatchMode):
    """Remembers for each living tensor how its values were drawn."""

    def __init__(self):
        super().__init__()
        self._known = {}

    def find(self, tensor):
        entry = self._known.get(id(tensor))
        return entry[1] if entry and entry[0]() is tensor else None

    def _note(self, tensor, draw):
        if not isinstance(tensor, torch.Tensor):
            return
        if draw is None:
            self._known.pop(id(tensor), None)
        else:
            self._known[id(tensor)] = (weakref.ref(tensor), draw)

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        name = func._schema.name.removeprefix("aten::")
        draw = self._draw(func, name, args, kwargs)
        result = func(*args, **kwargs)
        if func._schema.is_mutable:
            self._note(args[0] if args else None, draw)
        if isinstance(result, torch.Tensor):
            self._note(result, draw)
        return result

    def _draw(self, func, name, args, kwargs):
        named = {a.name: v for a, v in zip(func._schema.arguments, args)}
        named.update(kwargs)
        if name in ("rand", "rand_like"):
            return Draw("uniform")
        if name in ("randn", "randn_like"):
            return Draw("normal")
        if name in ("zeros", "zeros_like", "zero", "zero_", "new_zeros"):
            return Draw("zeros")
        if name in ("ones", "ones_like", "new_ones"):
            return Draw("ones")
        if name in ("full", "full_like", "fill_", "new_full"):
            value = named.get("fill_value", named.get("value"))
            return Draw("ones", scale=float(value)) if isinstance(value, (bool, int, float)) else None
        if name in ("randint", "randint_like"):
            low, high = named.get("low", 0), named["high"]
            return Draw("integer", scale=float(high - low), shift=float(low))
        if name in ("uniform_", "uniform"):
            low, high = named.get("from", 0.0), named.get("to", 1.0)
            return Draw("uniform", scale=high - low, shift=low)
        if name in ("normal_", "normal"):
            return Draw("normal", scale=named.get("std", 1.0), shift=named.get("mean", 0.0))
        if name == "copy_":
            return self.find(args[1])
        if name in _KEEP and args and isinstance(args[0], torch.Tensor):
            return self.find(args[0])
        return self._arithmetic(name.rstrip("_"), args, named)

    def _arithmetic(self, name, args, named):
        """scale * x, x + shift and their kin."""
        if name not in ("mul", "div", "add", "sub", "rsub", "neg") or not args:
            return None
        if name == "neg":
            draw = self.find(args[0])
            return draw.scaled(-1.0) if draw else None
        if len(args) < 2 or named.get("alpha", 1) != 1:
            return None
        left, right = args[0], args[1]
        factor = _constant(right, self)
        if factor is None or not isinstance(left, torch.Tensor) or (left.dim() == 0 and isinstance(right, torch.Tensor)):
            # Products and sums commute: the constant may stand on the left.
            if name not in ("mul", "add") or (factor := _constant(left, self)) is None:
                return None
            left = right
        draw = self.find(left) if isinstance(left, torch.Tensor) else None
        if draw is None or (draw.kind == "integer" and name in ("mul", "div", "rsub")):
            return None
        if name == "mul":
            return draw.scaled(factor)
        if name == "div":
            return draw.scaled(1.0 / factor) if factor else None
        if name == "add":
            return draw.moved(factor)
        if name == "sub":
            return draw.moved(-factor)
        return draw.scaled(-1.0).moved(factor)
