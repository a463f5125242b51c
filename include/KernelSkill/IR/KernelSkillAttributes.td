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
  I32EnumAttrCase<"Buffer", 2, "buffer">
]>;

def KernelSkill_Draw : KernelSkill_Enum<"Draw", "how the program draws an argument's values", [
  I32EnumAttrCase<"Uniform", 0, "uniform">,   // [0, 1), torch.rand
  I32EnumAttrCase<"Normal", 1, "normal">,     // mean 0, variance 1, torch.randn
  I32EnumAttrCase<"Zeros", 2, "zeros">,
  I32EnumAttrCase<"Ones", 3, "ones">,
  I32EnumAttrCase<"Integer", 4, "integer">    // integers in [low, high)
]>;

def KernelSkill_ArgumentAttr : KernelSkill_Attr<"Argument", "argument"> {
  let summary = "name, role and distribution of a payload argument";
  let description = [{
    Attached as `kernelskill.argument` to an argument of the payload's public
    function, or of a hand-written `gpu.func`. The verifier draws the values
    accordingly: `scale * draw + shift`. For `integer` draws the values are the
    integers of `[shift, shift + scale)`.

    ```mlir
    func.func @forward(%x: tensor<16x32xf32>
        {kernelskill.argument = #kernelskill.argument<"x", input, uniform>})
    ```
  }];
  let parameters = (ins StringRefParameter<"name in the program it came from">:$name,
    EnumParameter<KernelSkill_Role>:$role, EnumParameter<KernelSkill_Draw>:$draw,
    OptionalParameter<"::mlir::FloatAttr", "1 when absent">:$scale,
    OptionalParameter<"::mlir::FloatAttr", "0 when absent">:$shift);
  let assemblyFormat = [{ `<` $name `,` $role `,` $draw (`,` `scale` `=` $scale^)? (`,` `shift` `=` $shift^)? `>` }];
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
  I32EnumAttrCase<"Kernel", 6, "kernel">      // a hand-written gpu.func
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

#endif // KERNELSKILL_IR_ATTRIBUTES_TD
