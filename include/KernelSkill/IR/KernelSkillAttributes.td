//===- KernelSkillAttributes.td - attributes of the dialect ---------------===//
#ifndef KERNELSKILL_IR_ATTRIBUTES_TD
#define KERNELSKILL_IR_ATTRIBUTES_TD

include "KernelSkill/IR/KernelSkillDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

class KernelSkill_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::kernelskill";
  let genSpecializedAttr = 0;
}
class KernelSkill_Attr<string name, string attrMnemonic>
    : AttrDef<KernelSkill_Dialect, name> {
  let mnemonic = attrMnemonic;
}

//===----------------------------------------------------------------------===//
// Payload arguments
//===----------------------------------------------------------------------===//

def KernelSkill_Role : KernelSkill_Enum<"Role", "what a payload argument is", [
  I32EnumAttrCase<"Input", 0, "input">,
  I32EnumAttrCase<"Parameter", 1, "parameter">,
  I32EnumAttrCase<"Buffer", 2, "buffer">,
  I32EnumAttrCase<"Random", 3, "random">      // what the program draws itself, in each run anew
]>;

def KernelSkill_Draw : KernelSkill_Enum<"Draw", "how the program draws an argument's values", [
  I32EnumAttrCase<"Uniform", 0, "uniform">,   // [0, 1), torch.rand
  I32EnumAttrCase<"Normal", 1, "normal">,     // mean 0, variance 1, torch.randn
  I32EnumAttrCase<"Zeros", 2, "zeros">,
  I32EnumAttrCase<"Ones", 3, "ones">,
  I32EnumAttrCase<"Integer", 4, "integer">,   // integers in [low, high)
  I32EnumAttrCase<"Dropout", 5, "dropout">    // 1 with probability 1 / scale, else 0
]>;

def KernelSkill_ArgumentAttr : KernelSkill_Attr<"Argument", "argument"> {
  let summary = "name, role and distribution of a payload argument";
  let description = [{
    Attached as `kernelskill.argument` to an argument of the payload's public
    function, or of a hand-written `gpu.func`. The verifier draws the values
    accordingly: `scale * draw + shift`. For `integer` draws the values are the
    integers of `[shift, shift + scale)`. A `dropout` draw is the mask of a
    dropout with probability p, and its scale is 1 / (1 - p).

    ```mlir
    func.func @forward(%x: tensor<16x32xf32>
        {kernelskill.argument = #kernelskill.argument<"x", input, uniform>})
    ```
  }];
  let parameters = (ins StringRefParameter<"name in the program it came from">:$name,
    EnumParameter<KernelSkill_Role>:$role, EnumParameter<KernelSkill_Draw>:$draw,
    OptionalParameter<"::mlir::FloatAttr", "1 when absent">:$scale,
    OptionalParameter<"::mlir::FloatAttr", "0 when absent">:$shift);
  let assemblyFormat = [{ `<` $name `,` $role `,` $draw (`,` struct($scale, $shift)^)? `>` }];
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Dispatches
//===----------------------------------------------------------------------===//

def KernelSkill_DispatchKind : KernelSkill_Enum<"DispatchKind", "what the root of a dispatch is", [
  I32EnumAttrCase<"Pointwise", 0, "pointwise">,
  I32EnumAttrCase<"Reduction", 1, "reduction">,
  I32EnumAttrCase<"Contraction", 2, "contraction">,
  I32EnumAttrCase<"Convolution", 3, "convolution">,
  I32EnumAttrCase<"Scan", 4, "scan">,
  I32EnumAttrCase<"DataMovement", 5, "data_movement">,
  I32EnumAttrCase<"Kernel", 6, "kernel">,     // a hand-written gpu.func
  I32EnumAttrCase<"Window", 7, "window">      // a reduction over windows: pooling
]>;

def KernelSkill_DispatchAttr : KernelSkill_Attr<"Dispatch", "dispatch"> {
  let summary = "kind and structural fingerprint of a dispatch";
  let description = [{
    Attached as `kernelskill.dispatch` to the function of a dispatch, and later to
    each of the `gpu.func`s that a strategy made of it. The fingerprint is a
    hash of the structure (operations, types, shapes, constants, maps), the same
    wherever the same computation is met; recipes address dispatches by it.
  }];
  let parameters = (ins EnumParameter<KernelSkill_DispatchKind>:$kind,
    StringRefParameter<"16 lower-case hexadecimal digits">:$fingerprint);
  let assemblyFormat = "`<` $kind `,` $fingerprint `>`";
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Features and what they say
//===----------------------------------------------------------------------===//

// The schema of all facts about a kernel. A name's ending is its unit and its
// legal range: `_fraction` 0 to 1, `_pct` 0 to 100, `has_…` and `…_bounded` 0 or 1,
// `_us` microseconds, `_bytes` bytes; the rest are counts (0 or more). Facts are read
// off the IR or the compiled binary; from 100 on they are measured by a run.
// A fact that is not known is absent, never 0.
def KernelSkill_Feature : KernelSkill_Enum<"Feature", "a fact about a kernel or a dispatch", [
  // Of the dispatch: what has to be done, whatever the kernels.
  I32EnumAttrCase<"Kind", 0, "kind">,                    // the dispatch's kind
  I32EnumAttrCase<"Flops", 1, "flops">,                  // floating-point operations, a multiply-add is 2
  I32EnumAttrCase<"MinBytes", 2, "min_bytes">,           // each operand read once, each result written once
  I32EnumAttrCase<"ArithmeticIntensity", 3, "arithmetic_intensity">, // flops / min_bytes
  I32EnumAttrCase<"ResultCount", 4, "result_count">,     // elements of the results
  I32EnumAttrCase<"ReductionLength", 5, "reduction_length">, // terms summed for one result
  I32EnumAttrCase<"InnerReduced", 6, "has_inner_reduction">, // the fastest dimension of the largest operand is summed over
  I32EnumAttrCase<"Transcendentals", 7, "has_transcendentals">, // exp, log, tanh, erf, pow, sin, cos
  I32EnumAttrCase<"BoundTime", 8, "bound_us">,           // roofline: no kernel can be faster
  // Of one launch of a kernel.
  I32EnumAttrCase<"ThreadsPerBlock", 20, "threads_per_block">,
  I32EnumAttrCase<"Blocks", 21, "blocks">,
  I32EnumAttrCase<"Waves", 22, "waves">,                 // blocks / blocks that are resident at once
  I32EnumAttrCase<"InstructionsPerThread", 23, "instructions_per_thread">, // from the IR, weighted; an estimate
  I32EnumAttrCase<"GlobalLoadsPerThread", 24, "global_loads_per_thread">,
  I32EnumAttrCase<"GlobalStoresPerThread", 25, "global_stores_per_thread">,
  I32EnumAttrCase<"LoadWidthBytes", 26, "load_width_bytes">, // narrowest hot load
  I32EnumAttrCase<"LaneStrideBytes", 27, "lane_stride_bytes">, // worst of the hot accesses: from one lane to the next
  I32EnumAttrCase<"CoalescedFraction", 28, "coalesced_fraction">, // bytes used / bytes moved in 32-byte sectors
  I32EnumAttrCase<"UsedBytes", 29, "used_bytes">,        // distinct bytes that warps ask for, summed over warps
  I32EnumAttrCase<"MovedBytes", 30, "moved_bytes">,      // the same in whole 32-byte sectors
  I32EnumAttrCase<"Reuse", 31, "has_reuse">,             // used_bytes is over 1.5 times the memory touched
  I32EnumAttrCase<"Barriers", 32, "barriers">,           // executed by a thread
  I32EnumAttrCase<"SharedBytes", 33, "shared_bytes">,    // of a block
  I32EnumAttrCase<"BankConflictDegree", 34, "bank_conflict_degree">, // worst hot access: 1 is free of conflicts
  I32EnumAttrCase<"RegistersPerThread", 35, "registers_per_thread">, // from ptxas
  I32EnumAttrCase<"SpillBytes", 36, "spill_bytes">,      // from ptxas
  I32EnumAttrCase<"Occupancy", 37, "occupancy_fraction">, // resident warps / the most that fit; unknown registers don't limit it
  I32EnumAttrCase<"BytesInFlight", 38, "bytes_in_flight_per_sm">, // asked for at once
  I32EnumAttrCase<"LoopDepth", 39, "loop_depth">,
  I32EnumAttrCase<"LaunchBounded", 40, "launch_bounded">, // a maximal block size or register count is declared
  I32EnumAttrCase<"TouchedBytes", 41, "touched_bytes">,  // of memory, by loads plus by stores, in sectors
  I32EnumAttrCase<"L2Bytes", 42, "l2_bytes">,            // moved_bytes less what L1 keeps between iterations
  I32EnumAttrCase<"MemoryRounds", 43, "memory_rounds_per_thread">, // loads that wait for one another; ptxas unrolls by 4
  I32EnumAttrCase<"SharedWavefronts", 44, "shared_wavefronts_per_warp">, // passes over the banks
  I32EnumAttrCase<"BlocksPerMultiprocessor", 45, "blocks_per_sm">, // resident at once
  // Estimates of the analytic model (docs/policy.md).
  I32EnumAttrCase<"EstimatedTime", 50, "estimated_us">,
  I32EnumAttrCase<"DramTime", 51, "dram_us">,
  I32EnumAttrCase<"L2Time", 52, "l2_us">,
  I32EnumAttrCase<"ComputeTime", 53, "compute_us">,
  I32EnumAttrCase<"IssueTime", 54, "issue_us">,
  I32EnumAttrCase<"SharedTime", 55, "shared_us">,
  I32EnumAttrCase<"LatencyTime", 56, "latency_us">,
  I32EnumAttrCase<"SyncTime", 57, "sync_us">,
  I32EnumAttrCase<"LaunchTime", 58, "launch_us">,
  // Measured.
  I32EnumAttrCase<"Time", 100, "time_us">,               // one launch
  I32EnumAttrCase<"RooflineFraction", 101, "roofline_fraction">, // bound_us / time_us
  I32EnumAttrCase<"DramThroughput", 102, "dram_throughput_pct">,
  I32EnumAttrCase<"L2Throughput", 103, "l2_throughput_pct">,
  I32EnumAttrCase<"SmThroughput", 104, "sm_throughput_pct">,
  I32EnumAttrCase<"AchievedOccupancy", 105, "achieved_occupancy_pct">,
  I32EnumAttrCase<"LongScoreboardStall", 106, "long_scoreboard_stall_pct">,
  I32EnumAttrCase<"DramBytes", 107, "dram_bytes">        // read and written
]>;

def KernelSkill_Bottleneck : KernelSkill_Enum<"Bottleneck", "what holds a kernel back (formulas in docs/policy.md)", [
  I32EnumAttrCase<"DramBandwidth", 0, "dram_bandwidth">,       // moves more than has to be moved, at full rate
  I32EnumAttrCase<"UncoalescedAccess", 1, "uncoalesced_access">, // sectors moved whose bytes nobody asked for
  I32EnumAttrCase<"MemoryLatency", 2, "memory_latency">,       // too few bytes in flight
  I32EnumAttrCase<"Occupancy", 3, "occupancy">,                // registers, shared memory or the block size keep warps out
  I32EnumAttrCase<"LowParallelism", 4, "low_parallelism">,     // fewer blocks than the chip can run, or an uneven last wave
  I32EnumAttrCase<"Compute", 5, "compute">,                    // instructions beyond the floating-point work itself
  I32EnumAttrCase<"SharedMemory", 6, "shared_memory">,         // shared-memory traffic and bank conflicts
  I32EnumAttrCase<"Synchronization", 7, "synchronization">,    // barriers
  I32EnumAttrCase<"LaunchOverhead", 8, "launch_overhead">      // kernels beyond the first, and tiny ones
]>;

def KernelSkill_Stage : KernelSkill_Enum<"Stage", "which kind of step a skill is", [
  I32EnumAttrCase<"Graph", 0, "graph">, I32EnumAttrCase<"Strategy", 1, "strategy">,
  I32EnumAttrCase<"Refine", 2, "refine">
]>;

// In order of how much error they allow (DESIGN: numerics classes).
def KernelSkill_Numerics : KernelSkill_Enum<"Numerics", "how much a result may differ", [
  I32EnumAttrCase<"Strict", 0, "strict">, I32EnumAttrCase<"Fp32", 1, "fp32">,
  I32EnumAttrCase<"Bf16x3", 2, "bf16x3">, I32EnumAttrCase<"Tf32", 3, "tf32">,
  I32EnumAttrCase<"Fp16", 4, "fp16">, I32EnumAttrCase<"Bf16", 5, "bf16">,
  I32EnumAttrCase<"FastMath", 6, "fast_math">
]>;

def KernelSkill_Comparison : KernelSkill_Enum<"Comparison", "how a gate compares", [
  I32EnumAttrCase<"Lt", 0, "lt">, I32EnumAttrCase<"Le", 1, "le">, I32EnumAttrCase<"Gt", 2, "gt">,
  I32EnumAttrCase<"Ge", 3, "ge">, I32EnumAttrCase<"Eq", 4, "eq">, I32EnumAttrCase<"Ne", 5, "ne">
]>;

def KernelSkill_Direction : KernelSkill_Enum<"Direction", "which way a metric should move", [
  I32EnumAttrCase<"Down", 0, "down">, I32EnumAttrCase<"Up", 1, "up">
]>;

def KernelSkill_FeaturesAttr : KernelSkill_Attr<"Features", "features"> {
  let summary = "what is known of a kernel, by feature";
  let description = [{
    Attached as `kernelskill.features` to a dispatch function or a `gpu.func`.
    Absent features are unknown.

    ```mlir
    #kernelskill.features<kind = pointwise, blocks = 128, coalesced_fraction = 0.125>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"::kernelskill::FeatureValue">:$values);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The value, or nothing when it is not known.
    std::optional<double> lookup(Feature feature) const;
  }];
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

def KernelSkill_GateAttr : KernelSkill_Attr<"Gate", "gate"> {
  let summary = "a comparison of a feature with a number";
  let description = [{
    Holds, fails, or is unknown when the feature is. `kind` compares with the name of a kind.

    ```mlir
    #kernelskill.gate<coalesced_fraction, lt, 0.5>
    #kernelskill.gate<kind, eq, reduction>
    ```
  }];
  let parameters = (ins EnumParameter<KernelSkill_Feature>:$feature,
    EnumParameter<KernelSkill_Comparison>:$comparison, "::mlir::FloatAttr":$number);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

class KernelSkill_Condition<string name, string attrMnemonic> : KernelSkill_Attr<name, attrMnemonic> {
  let parameters = (ins ArrayRefParameter<"::mlir::Attribute">:$conditions);
  let assemblyFormat = "`<` `[` $conditions `]` `>`";
  let genVerifyDecl = 1;
}
def KernelSkill_AllAttr : KernelSkill_Condition<"All", "all"> {
  let summary = "holds when every condition holds";
  let description = [{
    ```mlir
    #kernelskill.all<[#kernelskill.gate<blocks, ge, 132>, #kernelskill.gate<barriers, eq, 0>]>
    ```
  }];
}
def KernelSkill_AnyAttr : KernelSkill_Condition<"Any", "any"> {
  let summary = "holds when some condition holds";
  let description = [{
    ```mlir
    #kernelskill.any<[#kernelskill.gate<blocks, lt, 132>, #kernelskill.gate<waves, lt, 0.5>]>
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Skills
//===----------------------------------------------------------------------===//

def KernelSkill_ExpectAttr : KernelSkill_Attr<"Expect", "expect"> {
  let summary = "a metric that a skill should move, and which way";
  let description = [{
    ```mlir
    #kernelskill.expect<coalesced_fraction, up>
    ```
  }];
  let parameters = (ins EnumParameter<KernelSkill_Feature>:$feature, EnumParameter<KernelSkill_Direction>:$direction);
  let assemblyFormat = "`<` $feature `,` $direction `>`";
}

def KernelSkill_SkillAttr : KernelSkill_Attr<"Skill", "skill"> {
  let summary = "what a skill serves, why it works, and when it may be used";
  let description = [{
    Attached as `kernelskill.skill` to a skill's action `@<name>`, beside which
    `@match_<name>` must stand. `serves` ranks it; `when` and `veto` are conditions
    (`gate`, `all`, `any`); `needs` and `excludes` name other skills; `chips` lists where it
    runs (absent: everywhere); `numerics` is the class that its results need.

    ```mlir
    #kernelskill.skill<stage = refine, serves = [uncoalesced_access], numerics = strict,
      why = "…", cue = "…", source = "…",
      when = #kernelskill.gate<coalesced_fraction, lt, 0.5>,
      expects = [#kernelskill.expect<coalesced_fraction, up>]>
    ```
  }];
  let parameters = (ins EnumParameter<KernelSkill_Stage>:$stage,
    ArrayRefParameter<"::kernelskill::Bottleneck">:$serves,
    EnumParameter<KernelSkill_Numerics>:$numerics,
    "::mlir::StringAttr":$why, "::mlir::StringAttr":$cue, "::mlir::StringAttr":$source,
    OptionalParameter<"::mlir::Attribute">:$when, OptionalParameter<"::mlir::Attribute">:$veto,
    OptionalParameter<"::mlir::ArrayAttr">:$excludes, OptionalParameter<"::mlir::ArrayAttr">:$needs,
    OptionalParameter<"::mlir::ArrayAttr">:$chips, OptionalParameter<"::mlir::ArrayAttr">:$expects);
  let assemblyFormat = [{ `<` struct($stage, custom<Bottlenecks>($serves), $numerics, $why, $cue, $source,
    $when, $veto, $excludes, $needs, $chips, $expects) `>` }];
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Diagnoses and plans
//===----------------------------------------------------------------------===//

def KernelSkill_DiagnosisAttr : KernelSkill_Attr<"Diagnosis", "diagnosis"> {
  let summary = "what holds a kernel back, by time";
  let description = [{
    Attached as `kernelskill.diagnosis`: microseconds that each bottleneck holds
    back, greatest first; `time_us` is estimated unless `measured`. A time that is not
    known is `unknown`.

    ```mlir
    #kernelskill.diagnosis<time_us = 80, bound_us = 20, estimated, [uncoalesced_access = 55, memory_latency = 7]>
    ```
  }];
  let parameters = (ins "::mlir::FloatAttr":$timeUs, // null if not known
    "::mlir::FloatAttr":$boundUs, "bool":$measured,
    ArrayRefParameter<"::kernelskill::HeldBack">:$heldBack);
  let hasCustomAssemblyFormat = 1;
}

def KernelSkill_PlanAttr : KernelSkill_Attr<"Plan", "plan"> {
  let summary = "the skill chosen for a dispatch, with the knob settings to try in order";
  let description = [{
    Attached as `kernelskill.plan` to the module. An empty skill name is "none".

    ```mlir
    #kernelskill.plan<"coalesce-threads", "0123456789abcdef", [ {width = 4} ], "serves uncoalesced_access, which holds back 55 us">
    ```
  }];
  let parameters = (ins StringRefParameter<"skill">:$skill, StringRefParameter<"dispatch">:$dispatch,
    "::mlir::ArrayAttr":$knobs, StringRefParameter<"reason">:$reason);
  let assemblyFormat = "`<` $skill `,` $dispatch `,` $knobs `,` $reason `>`";
}

//===----------------------------------------------------------------------===//
// Recipes
//===----------------------------------------------------------------------===//

def KernelSkill_RecipeAttr : KernelSkill_Attr<"Recipe", "recipe"> {
  let summary = "marks a module as a recipe: for which payload and chip, in which numerics class";
  let description = [{
    Attached as `kernelskill.recipe` to the module. An empty payload hash fits any payload.

    ```mlir
    #kernelskill.recipe<version = 1, payload = "0123456789abcdef", chip = "sm_90a", numerics = fp32>
    ```
  }];
  let parameters = (ins "unsigned":$version, StringRefParameter<"payload hash">:$payload,
    StringRefParameter<"chip">:$chip, EnumParameter<KernelSkill_Numerics>:$numerics);
  let assemblyFormat = "`<` struct($version, $payload, $chip, $numerics) `>`";
  let genVerifyDecl = 1;
}

def KernelSkill_StepAttr : KernelSkill_Attr<"Step", "step"> {
  let summary = "one step of a recipe: which skill, on which dispatch";
  let description = [{
    Attached as `kernelskill.step` to a recipe's `@step_<n>`. The target is a dispatch's
    fingerprint, and empty for graph steps.

    ```mlir
    #kernelskill.step<"coalesce-threads", refine, "0123456789abcdef">
    ```
  }];
  let parameters = (ins StringRefParameter<"skill">:$skill, EnumParameter<KernelSkill_Stage>:$stage,
    StringRefParameter<"fingerprint">:$dispatch);
  let assemblyFormat = "`<` $skill `,` $stage `,` $dispatch `>`";
  let genVerifyDecl = 1;
}

#endif // KERNELSKILL_IR_ATTRIBUTES_TD
