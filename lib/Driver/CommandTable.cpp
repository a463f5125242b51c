// The table of commands and their options. What stands here is stable: scripts
// rely on it, docs/cli.md describes it, and `help` prints it.
#include "Commands.h"

using namespace llvm;
using namespace kernelskill;

static constexpr OptionSpec jsonOption = {
    "--json", "", "print one JSON object instead of text"};
static constexpr OptionSpec chipOption = {
    "--chip", "CHIP",
    "chip to compile for (default: the GPU's, or sm_90a); 'help chips' lists "
    "them"};
static constexpr OptionSpec setOption = {
    "--set", "NAME=VALUE", "for a .py: change a constant of the module", true};
static constexpr OptionSpec evalOption = {
    "--eval", "", "for a .py: import the module in evaluation mode"};
static constexpr OptionSpec recipeOption = {
    "--recipe", "RECIPE.mlir", "recipe to apply (default: the empty recipe)"};
static constexpr OptionSpec skillsOption = {"--skills", "DIR",
                                            "folder with more skills", true};
static constexpr OptionSpec deviceOption = {
    "--device", "DEVICE",
    "auto, cpu or cuda:N (default: auto, a GPU if there is one)"};
static constexpr OptionSpec numericsOption = {
    "--numerics", "CLASS", "allowed loss of precision (default: fp32)"};

static constexpr OptionSpec optimizeOptions[] = {
    chipOption,
    deviceOption,
    {"--rounds", "N", "most rounds to do (default: 15)"},
    {"--budget", "SECONDS",
     "wall time for the search, without its waits while "
     "another run uses the GPU (default: 60)"},
    numericsOption,
    skillsOption,
    {"--candidate", "RECIPE.mlir", "recipe to judge before the first round",
     true},
    {"-o", "DIR",
     "folder for all results (default: IN without its ending, "
     "with .out)"},
    setOption,
    evalOption,
    {"--fresh", "", "start anew even if the folder holds a journal"},
    jsonOption};

static constexpr OptionSpec buildOptions[] = {
    recipeOption,
    chipOption,
    {"-o", "DIR", "folder for program.ksp, PTX, cubin, recipe and analysis"},
    setOption,
    evalOption,
    jsonOption};

static constexpr OptionSpec runOptions[] = {
    {"--input", "F.npy", "the arguments in order; those not given are drawn",
     true},
    {"--seed", "N", "seed of the arguments that are drawn (default: 1)"},
    deviceOption,
    {"-o", "DIR", "folder for the results, one .npy each"},
    jsonOption};

static constexpr OptionSpec verifyOptions[] = {
    recipeOption,
    chipOption,
    deviceOption,
    numericsOption,
    {"--self-test", "", "judge known wrong and right kernels instead of IN"},
    setOption,
    evalOption,
    jsonOption};

static constexpr OptionSpec explainOptions[] = {
    recipeOption, chipOption, skillsOption, numericsOption,
    setOption,    evalOption, jsonOption};

static constexpr OptionSpec jsonOnly[] = {jsonOption};

static constexpr OptionSpec candidateOptions[] = {
    {"--recipe", "FILE", "recipe"},
    {"--chip", "CHIP", "chip"},
    {"--numerics", "CLASS", "numerics"},
    {"--skills", "DIR", "skill folders", true},
    {"--no-cpu", "", "no CPU image"},
    {"--no-ptx", "", "no PTX and cubin"},
    {"-o", "DIR", "folder"},
    jsonOption};

static constexpr OptionSpec inputOptions[] = {
    {"--as", "KIND", "payload, recipe or skills"},
    {"--skills", "DIR", "skill folders", true},
    {"--name", "NAME", "what messages call IN"},
    {"-o", "DIR", "folder"},
    jsonOption};

static constexpr OptionSpec workerOptions[] = {{"--device", "DEVICE", "device"},
                                               jsonOption};

static constexpr Command commands[] = {
    {"optimize", "IN", true, "search for a faster kernel and prove it right",
     "Compiles IN, judges it against an oracle in double precision, times it,\n"
     "and applies one skill a round while that makes it faster. Ends with the\n"
     "recipe, the program, PTX, cubin, a report and the journal in the output\n"
     "folder. A run that was killed goes on where it stopped when the same\n"
     "command is given again. Ctrl-C keeps the best so far.",
     optimizeOptions, runOptimize},
    {"build", "IN", true, "compile IN by a recipe; needs no GPU",
     "The same payload, recipe and chip give the same PTX, byte for byte.",
     buildOptions, runBuild},
    {"run", "PROGRAM", true, "run a program file on the CPU or a GPU",
     "PROGRAM is a program.ksp that 'build' or 'optimize' made, or the folder\n"
     "that holds it.",
     runOptions, runProgram},
    {"verify", "IN", false, "judge IN, compiled by a recipe, for rightness",
     "With --self-test, checks the judge itself.", verifyOptions, runVerify},
    {"explain", "IN", true,
     "say what limits each kernel and which skills apply",
     "Compiles IN by the recipe, and prints its dispatches, their features,\n"
     "bounds and bottlenecks, and for every skill whether it applies and why\n"
     "not. Times are estimates.",
     explainOptions, runExplain},
    {"journal", "DIR", true, "print the journal of a run",
     "DIR is the output folder of 'optimize'.", jsonOnly, runJournal},
    {"doctor", "", false, "say what of this machine kernelskill can use",
     "Looks for the GPU, its driver, counters, ptxas and libdevice, and says\n"
     "what to do about what is missing.",
     jsonOnly, runDoctor},
    {"help", "COMMAND", false, "say how a command is used", "", jsonOnly,
     runHelp},
    {"build-candidate", "IN", true, "child: build one candidate", "",
     candidateOptions, runBuildCandidate, true},
    {"build-oracle", "IN", true, "child: build the judge's programs", "",
     candidateOptions, runBuildOracle, true},
    {"read-input", "IN", true, "child: read a payload, a recipe or skills", "",
     inputOptions, runReadInput, true},
    {"worker", "", false, "child: hold the device, judge and time", "",
     workerOptions, runWorker, true},
};

ArrayRef<Command> kernelskill::allCommands() { return commands; }
