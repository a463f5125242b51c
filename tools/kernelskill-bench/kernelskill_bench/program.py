"""A program file, through the C interface: its plan, and runs on torch's tensors."""

import ctypes
import os
import sys

import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "kernelskill-export"))
from program_file import buffers, read_program  # noqa: E402


DTYPES = {"i1": torch.bool, "i8": torch.int8, "i16": torch.int16, "i32": torch.int32, "i64": torch.int64,
          "f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64}


class Library:
    """libkernelskill.so."""

    def __init__(self, path):
        lib = self.lib = ctypes.CDLL(path)
        pointers = ctypes.POINTER(ctypes.c_void_p)
        lib.ks_program_load.restype = ctypes.c_void_p
        lib.ks_program_load.argtypes = [ctypes.c_char_p, ctypes.c_char_p]
        lib.ks_program_enqueue.argtypes = [ctypes.c_void_p, pointers, pointers, ctypes.c_void_p]
        lib.ks_program_run.argtypes = [ctypes.c_void_p, pointers, pointers, ctypes.c_uint]
        lib.ks_program_free.argtypes = [ctypes.c_void_p]
        lib.ks_last_error.restype = ctypes.c_char_p

    def error(self):
        return RuntimeError(self.lib.ks_last_error().decode())


class Program:
    """A loaded program. `device` is cpu or cuda:N, and tensors must be there."""

    HOST_POINTERS = 0

    def __init__(self, library, path, device):
        self.library, self.device = library, device
        _, plan = read_program(path)
        self.arguments, self.results = buffers(plan, "argument"), buffers(plan, "result")
        self.launches = sum(step["kind"] == "launch" for step in plan["steps"])
        self.handle = library.lib.ks_program_load(path.encode(), device.encode())
        if not self.handle:
            raise library.error()

    def runner(self, arguments, results):
        """A function that puts one run on torch's current stream (on the CPU: runs). Keeps the tensors alive."""
        for what, tensors, described in (("argument", arguments, self.arguments), ("result", results, self.results)):
            for tensor, buffer in zip(tensors, described, strict=True):
                if list(tensor.shape) != buffer["shape"] or not tensor.is_contiguous():
                    raise RuntimeError(f"{what} {buffer['name']}: shape {list(tensor.shape)}, the program has {buffer['shape']}")
        lib, handle = self.library.lib, self.handle
        given = (ctypes.c_void_p * len(arguments))(*[t.data_ptr() for t in arguments])
        taken = (ctypes.c_void_p * len(results))(*[t.data_ptr() for t in results])
        alive = (arguments, results)
        if self.device == "cpu":
            call = lambda: lib.ks_program_run(handle, given, taken, self.HOST_POINTERS)  # noqa: E731
        else:
            from torch.cuda import current_stream

            call = lambda: lib.ks_program_enqueue(handle, given, taken, current_stream().cuda_stream)  # noqa: E731

        def run():
            if call():
                raise self.library.error()
            return alive[1]

        return run

    def close(self):
        self.library.lib.ks_program_free(self.handle)
        self.handle = None
