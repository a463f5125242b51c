# The whole suite: FileCheck tests beside this file, and the unit tests.
import os
import shutil
import subprocess

import lit.formats

config.name = "KernelSkill"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "lit.cfg.py"]
config.test_source_root = os.path.dirname(__file__)

build = config.kernelskill_build
path = [os.path.join(build, "bin"), config.llvm_tools, os.environ["PATH"]]
config.environment["PATH"] = os.pathsep.join(path)
# Scoped variables keep a test's names from leaking between its functions.
config.environment["FILECHECK_OPTS"] = "-enable-var-scope --allow-unused-prefixes=false"
for name in ("HOME", "ASAN_OPTIONS", "UBSAN_OPTIONS", "CUDA_HOME", "KERNELSKILL_PYTHON"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

config.substitutions.append(("%build", build))
config.substitutions.append(("%kernelskill", os.path.join(build, "bin", "kernelskill")))
config.substitutions.append(("%plugin", os.path.join(build, "lib", "KernelSkillPlugin.so")))
config.substitutions.append(("%skills", os.path.join(config.kernelskill_source, "skills")))
config.substitutions.append(("%source", config.kernelskill_source))
config.substitutions.append(("%unittests", os.path.join(build, "unittests")))

# The importer's Python: the virtual environment that tools/setup.sh makes.
python = os.environ.get("KERNELSKILL_PYTHON", os.path.join(config.kernelskill_source, ".venv", "bin", "python"))
probe = "import importlib.util as u, sys; sys.exit(not (u.find_spec('torch') and u.find_spec('torch_mlir')))"
if os.path.exists(python) and subprocess.run([python, "-c", probe]).returncode == 0:
    config.available_features.add("torch")
    config.environment["KERNELSKILL_PYTHON"] = python
    config.substitutions.append(("%python", python))
    config.substitutions.append(
        ("%import", f"{python} {config.kernelskill_source}/tools/kernelskill-import/kernelskill-import"))

# Not a package of any registry, so that CI has the corpus of test/Corpus instead.
kernelbench = os.environ.get("KERNELSKILL_KERNELBENCH")
if kernelbench:
    config.available_features.add("kernelbench")
    config.substitutions.append(("%kernelbench", kernelbench))

browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
if browser:
    config.available_features.add("browser")
    config.substitutions.append(("%browser", browser))
if shutil.which("nvidia-smi"):
    config.available_features.add("cuda")
if shutil.which("ptxas", path=config.environment["PATH"]):
    config.available_features.add("ptxas")
