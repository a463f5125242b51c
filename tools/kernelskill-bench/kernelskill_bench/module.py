"""The PyTorch module of a problem: made from a seed, with the state it starts from."""

import contextlib
import copy
import os
import sys

import torch
from torch.utils._pytree import tree_leaves, tree_map

from . import randomness
from .program import DTYPES

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "kernelskill-import"))
from kernelskill_import import source  # noqa: E402

# The official harness's seed, for the weights and for the seeds of its trials.
SEED = 42


@contextlib.contextmanager
def tf32(matmul, convolution):
    """PyTorch's two switches; its defaults are (False, True)."""
    matmuls, cudnn = torch.backends.cuda.matmul, torch.backends.cudnn
    before = matmuls.allow_tf32, cudnn.allow_tf32
    matmuls.allow_tf32, cudnn.allow_tf32 = matmul, convolution
    try:
        yield
    finally:
        matmuls.allow_tf32, cudnn.allow_tf32 = before


def trial_seeds(count):
    """The seeds of the official harness's correctness trials."""
    torch.manual_seed(SEED)
    return [torch.randint(0, 2**32 - 1, (1,)).item() for _ in range(count)]


def tensors_of(value):
    """The tensors of nested outputs or inputs, in order."""
    return [leaf for leaf in tree_leaves(value) if torch.is_tensor(leaf)]


def state_of(model):
    """What a forward may change, by name: buffers, and tensors that the module keeps as plain attributes (hidden state)."""
    state = {}
    for prefix, part in model.named_modules(remove_duplicate=False):
        # As the importer orders them: a part's buffers, then its attributes.
        for name, value in [*part.named_buffers(recurse=False, remove_duplicate=False), *vars(part).items()]:
            if torch.is_tensor(value):
                state[f"{prefix}.{name}" if prefix else name] = value
    return state


def _convert_attributes(model, convert):
    """.to() and .double() don't see tensors that are plain attributes."""
    for part in model.modules():
        for name, value in list(vars(part).items()):
            if torch.is_tensor(value):
                setattr(part, name, convert(value))


def _widen(value):
    return value.double() if torch.is_tensor(value) and value.is_floating_point() else value


class Problem:
    """A module and its inputs. All forwards run without gradients, in training mode unless the module says otherwise."""

    def __init__(self, path, settings, device):
        self.device = device
        self.file = source.run(path, source.parse(path, dict(source.parse_setting(text) for text in settings)))
        torch.manual_seed(SEED)
        self.model = self._fresh()
        self.state = {name: tensor.clone() for name, tensor in state_of(self.model).items()}
        self.pristine = copy.deepcopy(self.model)

    def _fresh(self):
        model = self._on_device(self._make_model).to(self.device)
        _convert_attributes(model, lambda tensor: tensor.to(self.device))
        return model

    def _make_model(self):
        init = self.file.get_init_inputs() if hasattr(self.file, "get_init_inputs") else []
        torch.manual_seed(SEED)
        with torch.no_grad():
            return self.file.Model(**init) if isinstance(init, dict) else self.file.Model(*init)

    def _on_device(self, make):
        """Makes it on the device, where random numbers are quick; on the CPU if the file can't do that."""
        try:
            with torch.device(self.device):
                return make()
        except torch.cuda.OutOfMemoryError:
            raise
        except RuntimeError:
            return make()

    def inputs(self, seed):
        torch.manual_seed(seed)
        with torch.no_grad():
            values = self._on_device(self.file.get_inputs)
        return tree_map(lambda v: v.to(self.device) if torch.is_tensor(v) else v, list(values))

    def drawn(self, described, seed):
        """A program's random arguments: what forward draws itself after manual_seed(seed)."""
        torch.manual_seed(seed)
        return [randomness.draw(b, DTYPES[b["type"]], self.device) for b in described if b.get("role") == "random"]

    def arguments(self, described, inputs, drawn=()):
        """Contiguous tensors for a program's arguments, by their names and roles."""
        parameters = dict(self.model.named_parameters(remove_duplicate=False))
        leaves, drawn = iter(tensors_of(inputs)), iter(drawn)
        found = []
        for buffer in described:
            role, name = buffer.get("role"), buffer["name"]
            if role == "parameter":
                tensor = parameters.get(name)
            elif role == "buffer":
                tensor = self.state.get(name)
            elif role == "random":
                tensor = next(drawn, None)
            else:
                tensor = next(leaves, None)
            if tensor is None:
                raise RuntimeError(f"the program's argument '{name}' ({role or 'input'}) is not in the module")
            found.append(tensor.detach().contiguous())
        if next(leaves, None) is not None:
            raise RuntimeError("the module has more inputs than the program")
        return found

    @staticmethod
    def forward(model, inputs, drawn=()):
        with torch.no_grad(), randomness.replay(drawn):
            return model(*inputs)

    def reference(self):
        """The module in double precision, from its starting state: made anew, as a copy may still refer to the parts of the
        module that it was copied from (functions that the constructor made)."""
        model = self._fresh()
        model.load_state_dict(self.pristine.state_dict())
        model.double()
        _convert_attributes(model, _widen)
        return model

    @staticmethod
    def forward_double(model, inputs, drawn=()):
        default = torch.get_default_dtype()
        torch.set_default_dtype(torch.float64)
        try:
            with torch.no_grad(), randomness.replay(drawn):
                return model(*tree_map(_widen, inputs))
        finally:
            torch.set_default_dtype(default)

    def written_state(self, model):
        """Names of the state that a forward of `model` changed, in order."""
        now = state_of(model)
        return [name for name, old in self.state.items() if name in now and not torch.equal(old, now[name])]
