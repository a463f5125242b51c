"""Tests of the importer that need torch: one process, so torch loads once."""
import contextlib
import io
import os
import re
import subprocess
import sys
import tempfile
import unittest

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.join(here, "..", "..", "..")
sys.path.insert(0, os.path.join(root, "tools", "kernelskill-import"))
from kernelskill_import import cli  # noqa: E402


class ImportTest(unittest.TestCase):
    maxDiff = None

    def run_import(self, name, *options):
        """Returns exit code, payload and error text."""
        path = name if os.path.isabs(name) else os.path.join(here, name)
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = cli.main([path, *options])
        return code, out.getvalue(), err.getvalue()

    def payload(self, name, *options):
        code, text, error = self.run_import(name, *options)
        self.assertEqual((code, error), (0, ""))
        return text

    def error(self, name, *options):
        code, text, error = self.run_import(name, *options)
        self.assertEqual((code, text), (1, ""))
        self.assertEqual(error.count("\n"), 1, error)
        return error

    def test_arguments_in_order_with_draws(self):
        text = self.payload("linear.py")
        for part in (
            'tensor<3xf32> {kernelskill.argument = #kernelskill.argument<"gain", parameter, normal, scale = 0.25 : f64>}',
            'tensor<3xf32> {kernelskill.argument = #kernelskill.argument<"bias", parameter, ones, scale = 2.0 : f64>}',
            'tensor<3x6xf32> {kernelskill.argument = #kernelskill.argument<"layer.weight", parameter, uniform, scale = 0.8164965809277259 : f64, shift = -0.40824829046386296 : f64>}',
            '"layer.bias", parameter, uniform',
            '"calls", buffer, zeros>}',
            'tensor<4x6xf32> {kernelskill.argument = #kernelskill.argument<"x", input, uniform, scale = 3.0 : f64, shift = -1.0 : f64>}',
            'tensor<4xi64> {kernelskill.argument = #kernelskill.argument<"indices", input, integer, scale = 4.0 : f64, shift = 1.0 : f64>}',
        ):
            self.assertIn(part, text)
            # Each part lies behind the one before it.
            text = text[text.index(part) :]

    def test_results_are_outputs_then_written_buffers(self):
        results = '-> (tensor<4x3xf32>, tensor<4xi64>, tensor<3xf32> {kernelskill.buffer = "calls"}) {'
        self.assertIn(results, self.payload("linear.py"))

    def test_number_stays_constant(self):
        text = self.payload("linear.py")
        self.assertIn("arith.constant 5.000000e-01", text)
        self.assertNotIn('"factor"', text)

    def test_set_changes_what_derives_from_it(self):
        text = self.payload("linear.py", "--set", "width=10", "--set", "count=7", "--set", "high=3")
        self.assertIn("tensor<5x10xf32>", text)
        self.assertIn("tensor<7x10xf32>", text)
        self.assertIn('"indices", input, integer, scale = 2.0', text)

    def test_eval(self):
        self.assertIn("arith.select", self.payload("linear.py"))
        self.assertNotIn("arith.select", self.payload("linear.py", "--eval"))

    def test_nothing_of_torch_is_left(self):
        self.assertNotIn("torch", self.payload("linear.py"))

    def test_deterministic(self):
        self.assertEqual(self.payload("linear.py"), self.payload("linear.py"))

    def test_model_that_reads_values_while_built(self):
        self.assertIn("arith.constant 5.000000e-01", self.payload("reads_values.py"))

    def test_examples_are_read_by_kernelskill_opt(self):
        for name in ("gelu", "matmul", "mean_reduction", "mse_loss", "relu", "scale", "sigmoid", "sum_reduction", "tanh"):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "payload.mlir")
                self.assertEqual(self.payload(os.path.join(root, "examples", name + ".py"), "-o", path), "")
                subprocess.run(["kernelskill-opt", path, "-o", os.devnull], check=True)

    def test_number_replaces_each_such_integer(self):
        text = self.payload("scan.py", "--set", "8=5", "--set", "2=3")
        self.assertIn("tensor<3x5xf32>", text)
        self.assertNotIn("8x", text)
        self.assertIn("--set 9: the file has no such integer", self.error("scan.py", "--set", "9=5"))

    def test_scans_are_read_by_kernelskill_opt(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "payload.mlir")
            self.assertEqual(self.payload("scan.py", "-o", path), "")
            text = subprocess.run(["kernelskill-opt", path], check=True, capture_output=True, text=True).stdout
        self.assertRegex(text, r"kernelskill\.scan ins\(%arg0 .*dimension\(1\) identity\(0\.0")
        self.assertRegex(text, r"dimension\(0\) identity\(1\.0")
        self.assertIn("arith.mulf", text)
        # The fills of torch-mlir's accumulators are gone.
        self.assertNotIn("linalg.fill", text)

    def test_group_norm_of_a_matrix_splits_by_reshapes(self):
        text = self.payload("group_norm.py")
        self.assertIn("into tensor<4x3x2xf32>", text)
        self.assertNotIn("tensor.extract ", text)

    def test_plain_tensor_that_is_written_is_a_buffer(self):
        text = self.payload("hidden_state.py")
        self.assertIn('"hidden", buffer, zeros>', text)
        self.assertIn('{kernelskill.buffer = "hidden"}', text)

    def test_draws_in_forward_are_arguments_in_order(self):
        text = self.payload(os.path.join(root, "test", "Bench", "Inputs", "suite", "level1", "10_draws.py"))
        drawn = re.findall(r'#kernelskill.argument<"(\w+)", random, ([^>]*)>', text)
        self.assertEqual(
            drawn,
            [
                ("dropout", "dropout, scale = 1.1111111111111112 : f64"),
                ("randn", "normal"),
                ("dropout_1", "dropout, scale = 2.0 : f64"),
                ("rand_like", "uniform"),
            ],
        )
        self.assertNotIn("ml_program", text)

    def test_draw_that_is_the_output(self):
        text = self.payload(os.path.join(root, "test", "Bench", "Inputs", "suite", "level1", "5_drops.py"))
        self.assertIn('"dropout", random, dropout, scale = 2.0 : f64>', text)
        self.assertIn("arith.mulf", text)

    def test_rolled_extents_are_numbers(self):
        text = self.payload("rolled.py")
        self.assertIn("tensor.concat", text)
        self.assertNotIn("?x", text)
        self.assertNotIn("tensor.cast", text)

    def test_errors(self):
        for name, part in (
            ("no_model.py", "no class 'Model'"),
            ("long_recurrence.py", "LSTM over 300 steps: with this, 300 steps of layers would be unrolled"),
            ("random_inside.py", "operation 'aten.lstm.input' draws random numbers: only those of dropout"),
            ("unknown_op.py", "unknown_op.py:6: torch-mlir can't lower operation 'torch.aten.linalg_eig' to linalg"),
            ("data_dependent.py", "control flow or a shape depends on the values of a tensor"),
            ("dynamic_shape.py", "dynamic shape tensor<?x1xi64>"),
        ):
            with self.subTest(name):
                self.assertIn(part, self.error(name))

    def test_output_that_cannot_be_written(self):
        error = self.error("reads_values.py", "-o", os.path.join(here, "no", "such.mlir"))
        self.assertIn("can't be written: no such file or directory", error)


if __name__ == "__main__":
    unittest.main()
