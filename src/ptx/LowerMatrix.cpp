// SPDX-License-Identifier: Apache-2.0
//
// Tensor cores: mma.sync and ldmatrix. The whole warp makes one call of a function that the engine
// has (MatrixMultiply.h), of registers of 32 bits.
#include "ptx/FunctionLowering.h"
#include "ptx/ReadPtx.h"
#include "ptx/Rows.h"
#include "ptx/WarpCall.h"

namespace heddle::ptx {

using namespace llvm;

namespace {

unsigned bitsIn(std::string_view type) {
  const ScalarType known = typeNamed(type);
  return known ? known.bits : 8; // e4m3, e5m2
}

/// The four types at the end, as they are written.
std::vector<std::string_view> typesOf(const Form& form) {
  std::vector<std::string_view> words;
  std::string_view rest = form.instruction().modifiers;
  while (!rest.empty()) {
    const std::size_t dot = rest.rfind('.');
    words.insert(words.begin(), rest.substr(dot + 1));
    rest = rest.substr(0, dot);
  }
  if (words.size() > 4)
    words.erase(words.begin(), words.end() - 4);
  return words;
}

} // namespace

void lowerMma(FunctionLowering& f, const Form& form) {
  const auto shape =
      shapeOf(form.oneOf({"m16n8k16", "m16n8k8", "m16n8k4", "m16n8k32", "m8n8k4", "m8n8k16"}));
  const auto types = typesOf(form);
  if (!shape || types.size() != 4 || !form.has("row") || !form.has("col"))
    return f.refuse(form);
  const auto [m, n, k] = *shape;
  const bool isDouble = types[0] == "f64";
  if (m == 8 && !isDouble && k == 4)
    return f.refuse(form, "of the layout that only Volta has");
  const auto words = [&](unsigned elements, std::string_view type) {
    return elements * bitsIn(type) / 32 / 32;
  };
  Words operands;
  if (!readFragment(f, form.operand(1), words(m * k, types[1]), isDouble, operands) ||
      !readFragment(f, form.operand(2), words(k * n, types[2]), isDouble, operands) ||
      !readFragment(f, form.operand(3), words(m * n, types[3]), isDouble, operands))
    return f.refuse(form, "its fragments are of another size");
  const unsigned results = words(m * n, types[0]);
  const Operand& to = form.operand(0);
  if ((to.kind == Operand::Kind::Vector ? to.parts.size() : 1) * (isDouble ? 2 : 1) != results)
    return f.refuse(form, "its fragments are of another size");
  const std::string name = fmt::format("mma.{}.{}.{}.{}{}", m, n, k, fmt::join(types, "."),
                                       form.has("satfinite") ? ".satfinite" : "");
  writeFragment(f, to, isDouble, callWarp(f, name, results, operands));
}

/// The first lanes each load a row of 16 bytes; then the warp exchanges them.
void lowerLdmatrix(FunctionLowering& f, const Form& form) {
  const std::string_view count = form.oneOf({"x1", "x2", "x4"});
  const Operand& to = form.operand(0);
  const Operand& from = form.operand(1);
  const unsigned matrices = count.empty() ? 0 : unsigned(count[1] - '0');
  const std::size_t registers = to.kind == Operand::Kind::Vector ? to.parts.size() : 1;
  if (matrices == 0 || registers != matrices || from.kind != Operand::Kind::Memory ||
      !form.has("m8n8"))
    return f.refuse(form);
  IRBuilder<>& builder = f.builder();
  Type* row = FixedVectorType::get(builder.getInt32Ty(), 4);
  const auto load = [&] {
    return builder.CreateAlignedLoad(row, f.address(from, Space::Shared), Align(16));
  };
  Value* own = nullptr;
  if (matrices == 4) {
    own = load();
  } else {
    Operand lane;
    lane.name = "%laneid";
    Value* brings = builder.CreateICmpULT(f.read(lane, word), builder.getInt32(8 * matrices));
    BasicBlock* before = builder.GetInsertBlock();
    BasicBlock* then = f.freshBlock("rows");
    BasicBlock* after = f.freshBlock("exchange");
    BranchInst* branch = builder.CreateCondBr(brings, then, after);
    branch->setMetadata(predicatedMetadata, MDNode::get(f.function().getContext(), {}));
    f.continueIn(then);
    Value* loaded = load();
    builder.CreateBr(after);
    f.continueIn(after);
    PHINode* both = builder.CreatePHI(row, 2);
    both->addIncoming(loaded, then);
    both->addIncoming(Constant::getNullValue(row), before);
    own = both;
  }
  Words words;
  for (unsigned i = 0; i < 4; ++i)
    words.push_back(builder.CreateExtractElement(own, std::uint64_t{i}));
  writeFragment(f, to, false,
                callWarp(f,
                         fmt::format("ldmatrix.{}{}", matrices, form.has("trans") ? ".trans" : ""),
                         matrices, words));
}

} // namespace heddle::ptx
