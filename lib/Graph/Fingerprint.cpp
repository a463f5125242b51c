// The canonical text of an operation, and its hash.
#include "KernelSkill/Graph/Fingerprint.h"

#include "llvm/Support/xxhash.h"

using namespace mlir;

namespace {

/// Writes operations so that only their structure shows: values are numbered in
/// the order of definition, symbols stand for what they refer to.
class CanonicalWriter {
public:
  explicit CanonicalWriter(raw_ostream &os, ArrayRef<Operation *> enclosing)
      : os(os), enclosing(enclosing.begin(), enclosing.end()) {}

  void write(Operation *op);

private:
  void write(Region &region);
  void write(Attribute attribute, Operation *user);
  void writeSymbols(Block &block);
  void write(Value value) {
    auto [it, isNew] = numbers.try_emplace(value, numbers.size());
    (void)isNew; // A value from outside gets its number where it is met first.
    os << '%' << it->second;
  }

  raw_ostream &os;
  llvm::DenseMap<Value, unsigned> numbers;
  /// Operations being written, to end recursion through symbols.
  SmallVector<Operation *> enclosing;
};

} // namespace

void CanonicalWriter::write(Operation *op) {
  os << op->getName().getStringRef() << '(';
  llvm::interleave(
      op->getOperands(), os, [&](Value value) { write(value); }, ",");
  os << ")->(";
  llvm::interleave(
      op->getResults(), os,
      [&](Value value) {
        write(value);
        os << ':' << value.getType();
      },
      ",");
  os << ')';
  bool isSymbol = isa<SymbolOpInterface>(op);
  // Attribute dictionaries are sorted by name.
  for (NamedAttribute attribute : op->getAttrDictionary()) {
    StringRef name = attribute.getName();
    if (name.starts_with("kernelskill.") || name == "arg_attrs" ||
        name == "res_attrs")
      continue;
    if (isSymbol && (name == SymbolTable::getSymbolAttrName() ||
                     name == SymbolTable::getVisibilityAttrName()))
      continue;
    os << ' ' << name << '=';
    write(attribute.getValue(), op);
  }
  enclosing.push_back(op);
  for (Region &region : op->getRegions())
    write(region);
  enclosing.pop_back();
  for (Block *successor : op->getSuccessors()) {
    unsigned index = std::distance(successor->getParent()->begin(),
                                   successor->getIterator());
    os << " ^" << index;
  }
  os << '\n';
}

void CanonicalWriter::write(Region &region) {
  os << " {\n";
  for (Block &block : region) {
    os << '^';
    for (Value argument : block.getArguments()) {
      write(argument);
      os << ':' << argument.getType() << ' ';
    }
    os << '\n';
    Operation *parent = region.getParentOp();
    if (parent->hasTrait<OpTrait::SymbolTable>()) {
      writeSymbols(block);
      continue;
    }
    for (Operation &op : block)
      write(&op);
  }
  os << '}';
}

void CanonicalWriter::writeSymbols(Block &block) {
  // Functions have no order, so their texts are sorted.
  SmallVector<std::string> texts;
  for (Operation &op : block) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    CanonicalWriter(stream, enclosing).write(&op);
    texts.push_back(std::move(text));
  }
  llvm::sort(texts);
  for (StringRef text : texts)
    os << text;
}

void CanonicalWriter::write(Attribute attribute, Operation *user) {
  if (auto array = dyn_cast<ArrayAttr>(attribute)) {
    os << '[';
    for (Attribute element : array) {
      write(element, user);
      os << ',';
    }
    os << ']';
    return;
  }
  if (auto dense = dyn_cast<DenseElementsAttr>(attribute)) {
    // The printer may shorten large constants, so write their bytes.
    os << dense.getType() << (dense.isSplat() ? "splat" : "dense")
       << llvm::toHex(ArrayRef<uint8_t>(
              reinterpret_cast<const uint8_t *>(dense.getRawData().data()),
              dense.getRawData().size()));
    return;
  }
  if (auto symbol = dyn_cast<SymbolRefAttr>(attribute)) {
    Operation *target = SymbolTable::lookupNearestSymbolFrom(user, symbol);
    if (target && !llvm::is_contained(enclosing, target)) {
      os << "@{";
      CanonicalWriter(os, enclosing).write(target);
      os << '}';
      return;
    }
  }
  attribute.print(os);
}

std::string kernelskill::canonicalTextOf(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  CanonicalWriter(os, {}).write(op);
  return text;
}

std::string kernelskill::fingerprintOf(Operation *op) {
  std::string text = canonicalTextOf(op);
  return llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true,
                         /*Width=*/16);
}
