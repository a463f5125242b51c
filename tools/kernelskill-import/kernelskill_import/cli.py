"""The command line: kernelskill-import model.py -o payload.mlir."""
import argparse
import contextlib
import logging
import os
import sys
import traceback
import warnings

from .errors import ImportFailure


def _parser():
    parser = argparse.ArgumentParser(
        prog="kernelskill-import",
        description="Imports a PyTorch module (class Model, get_inputs(), get_init_inputs()) as a payload of linalg on "
        "tensors. Weights and buffers become arguments; no data is allocated.",
        epilog="kernelskill-import --suite ROOT -o DIR imports a folder of modules; see kernelskill-import --suite --help.",
    )
    parser.add_argument("model", help="the Python file")
    parser.add_argument("-o", "--output", default="-", help="the payload to write; '-' is standard output (default)")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="replace a module-level constant of the file; with an integer for NAME, every such integer in the file",
    )
    parser.add_argument("--eval", action="store_true", help="import the model in eval mode (default: train mode)")
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")
    return parser


def _import(options):
    """Returns the payload's text."""
    from . import source

    settings = dict(source.parse_setting(text) for text in options.set)
    tree = source.parse(options.model, settings)
    try:
        import torch  # noqa: F401
        import torch_mlir  # noqa: F401
    except ImportError as error:
        raise ImportFailure(
            f"Python module '{error.name}' is missing in {sys.executable}: run tools/setup.sh, or name a Python that has "
            "torch and torch-mlir in KERNELSKILL_PYTHON"
        ) from error
    from . import export, payload

    module = source.run(options.model, tree)
    program, arguments, buffers = export.export(options.model, module, options.eval)
    return payload.payload_text(options.model, program, arguments, buffers)


def _write(options, text):
    if options.output == "-":
        sys.stdout.write(text)
        return
    try:
        with open(options.output, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise ImportFailure(f"{options.output}: can't be written: {error.strerror.lower()}") from error


@contextlib.contextmanager
def _quiet():
    """Drops what torch and the module print.

    torch dumps graphs from Python and C++ while it fails, where the one error
    line is enough; and standard output may be the payload's.
    """
    sys.stderr.flush()
    saved, sink = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 2)
    os.close(sink)
    try:
        with open(os.devnull, "w", encoding="utf-8") as null:
            with contextlib.redirect_stderr(null), contextlib.redirect_stdout(null):
                yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)


def main(argv=None):
    argv = sys.argv[1:] if argv is None else argv
    if argv[:1] == ["--suite"]:
        from . import suite

        return suite.main(argv[1:])
    options = _parser().parse_args(argv)
    if not options.debug:
        # torch warns about its own internals; the user can do nothing.
        warnings.simplefilter("ignore")
        logging.disable(logging.CRITICAL)
    try:
        with contextlib.nullcontext() if options.debug else _quiet():
            text = _import(options)
        _write(options, text)
    except ImportFailure as failure:
        if options.debug:
            traceback.print_exc()
        print(f"kernelskill-import: error: {failure}", file=sys.stderr)
        return 1
    return 0
