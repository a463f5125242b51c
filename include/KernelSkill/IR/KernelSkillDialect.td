//===- KernelSkillDialect.td - the dialect ---------------------------------===//
#ifndef KERNELSKILL_IR_DIALECT_TD
#define KERNELSKILL_IR_DIALECT_TD

include "mlir/IR/DialectBase.td"

def KernelSkill_Dialect : Dialect {
  let name = "kernelskill";
  let summary = "what KernelSkill knows about a program, as verified attributes";
  let description = [{
    The dialect holds attributes, and the few operations of payloads that linalg
    can't say (KernelSkillOps.td). The attributes project what the compiler found or decided onto the IR (a dispatch's kind and fingerprint, features, skills,
    recipes), and are verified, so that a misspelt name is an error with a
    location and not a silently ignored string.
  }];
  let cppNamespace = "::kernelskill";
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerOperations();
  }];
}

#endif // KERNELSKILL_IR_DIALECT_TD
