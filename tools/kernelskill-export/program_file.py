"""Program files (include/KernelSkill/Runtime/Program.h): a head, a JSON plan, binaries."""

import json
import os
import struct

VERSION = 1


class ProgramFileError(Exception):
    """What is wrong with a file; one line with advice."""


def read_program(path):
    """(bytes, plan) of a program file, or of the folder that holds it."""
    if os.path.isdir(path):
        path = os.path.join(path, "program.ksp")
    with open(path, "rb") as file:
        data = file.read()
    if data[:8] != b"KSPROG\0\0" or len(data) < 20:
        raise ProgramFileError(f"{path}: not a program file; 'kernelskill build' makes one")
    version, length = struct.unpack("<IQ", data[8:20])
    if version != VERSION or len(data) < 20 + length:
        raise ProgramFileError(f"{path}: version {version}, or cut short: rebuild it with 'kernelskill build'")
    return data, json.loads(data[20 : 20 + length])


def buffers(plan, kind):
    """Those of a kind (argument, result, …), in order."""
    return [buffer for buffer in plan["buffers"] if buffer["kind"] == kind]
