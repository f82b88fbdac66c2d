// SPDX-License-Identifier: Apache-2.0
//
// Structs and small vectors, kept as their scalars. What is left of them after the compiler and our
// preparation: wide loads and stores, results of calls, pairs of intrinsics.
#include "engine/BlockCompiler.h"

namespace heddle::engine {

using namespace llvm;

namespace {

bool hasParts(const Type* type) {
  return type->isAggregateType() || type->isVectorTy();
}

} // namespace

/// The first part of an element of a struct, array or vector, and how many parts it has.
static std::pair<unsigned, unsigned> partRange(Type* type, ArrayRef<unsigned> indices,
                                               const DataLayout& types) {
  unsigned first = 0;
  for (const unsigned index : indices) {
    for (unsigned before = 0; before < index; ++before) {
      Type* element =
          isa<StructType>(type) ? type->getStructElementType(before) : type->getContainedType(0);
      first += unsigned(partsOf(element, types).size());
    }
    type = isa<StructType>(type) ? type->getStructElementType(index) : type->getContainedType(0);
  }
  return {first, unsigned(partsOf(type, types).size())};
}

// NOLINTNEXTLINE(readability-function-size): one case for each instruction
bool BlockCompiler::compileParts(Instruction& instruction) {
  const auto partOf = [&](Value* value, unsigned part) { return vector(value, part); };
  const auto allParts = [&](Value* value) {
    Values parts;
    for (unsigned part = 0; part < partsOf(value->getType()).size(); ++part)
      parts.push_back(partOf(value, part));
    return parts;
  };
  const auto replaced = [&](Value* whole, Value* piece, unsigned first) {
    Values parts = allParts(whole);
    const Values pieces = allParts(piece);
    std::copy(pieces.begin(), pieces.end(), parts.begin() + first);
    defineParts(instruction, parts);
  };
  if (auto* extract = dyn_cast<ExtractValueInst>(&instruction)) {
    Value* whole = extract->getAggregateOperand();
    const auto [first, count] = partRange(whole->getType(), extract->getIndices(), types());
    Values parts;
    for (unsigned part = first; part < first + count; ++part)
      parts.push_back(partOf(whole, part));
    defineParts(instruction, parts);
    return true;
  }
  if (auto* insert = dyn_cast<InsertValueInst>(&instruction)) {
    replaced(insert->getAggregateOperand(), insert->getInsertedValueOperand(),
             partRange(insert->getType(), insert->getIndices(), types()).first);
    return true;
  }
  if (auto* extract = dyn_cast<ExtractElementInst>(&instruction))
    if (auto* index = dyn_cast<ConstantInt>(extract->getIndexOperand())) {
      defineParts(instruction,
                  {partOf(extract->getVectorOperand(), unsigned(index->getZExtValue()))});
      return true;
    }
  if (isa<InsertElementInst>(instruction))
    if (auto* index = dyn_cast<ConstantInt>(instruction.getOperand(2))) {
      replaced(instruction.getOperand(0), instruction.getOperand(1),
               unsigned(index->getZExtValue()));
      return true;
    }
  if (auto* shuffle = dyn_cast<ShuffleVectorInst>(&instruction)) {
    const auto width = unsigned(partsOf(shuffle->getOperand(0)->getType()).size());
    Values parts;
    for (const int from : shuffle->getShuffleMask()) // of both operands, one behind the other
      parts.push_back(
          from < 0 ? Constant::getNullValue(vectorType(shuffle->getType()->getElementType()))
          : unsigned(from) < width ? partOf(shuffle->getOperand(0), unsigned(from))
                                   : partOf(shuffle->getOperand(1), unsigned(from) - width));
    defineParts(instruction, parts);
    return true;
  }
  if (auto* cast = dyn_cast<BitCastInst>(&instruction);
      cast != nullptr && (hasParts(cast->getType()) || hasParts(cast->getSrcTy()))) {
    compileBitCast(*cast);
    return true;
  }
  if (isa<FreezeInst>(instruction) && hasParts(instruction.getType())) {
    defineParts(instruction, allParts(instruction.getOperand(0)));
    return true;
  }
  if (isa<SelectInst>(instruction) && hasParts(instruction.getType())) {
    Values parts;
    for (unsigned part = 0; part < partsOf(instruction.getType()).size(); ++part)
      parts.push_back(builder_.CreateSelect(vector(instruction.getOperand(0)),
                                            partOf(instruction.getOperand(1), part),
                                            partOf(instruction.getOperand(2), part)));
    defineParts(instruction, parts);
    return true;
  }
  return false;
}

/// Between a vector and a scalar of the same size: through one integer, the first part lowest.
void BlockCompiler::compileBitCast(CastInst& cast) {
  const std::vector<Part> from = partsOf(cast.getSrcTy());
  const std::vector<Part> to = partsOf(cast.getType());
  const unsigned size = unsigned(types().getTypeSizeInBits(cast.getType()));
  Type* whole = vectorType(builder_.getIntNTy(size));
  const auto widthOf = [&](Type* type) { return unsigned(types().getTypeSizeInBits(type)); };
  Value* all = Constant::getNullValue(whole);
  unsigned shift = 0;
  for (unsigned part = 0; part < from.size(); ++part) {
    const unsigned width = widthOf(from[part].type);
    Value* piece = builder_.CreateBitCast(vector(cast.getOperand(0), part),
                                          vectorType(builder_.getIntNTy(width)));
    piece = builder_.CreateShl(builder_.CreateZExt(piece, whole), shift);
    all = builder_.CreateOr(all, piece);
    shift += width;
  }
  Values parts;
  shift = 0;
  for (const Part& part : to) {
    const unsigned width = widthOf(part.type);
    Value* piece = builder_.CreateTrunc(builder_.CreateLShr(all, shift),
                                        vectorType(builder_.getIntNTy(width)));
    parts.push_back(builder_.CreateBitCast(piece, vectorType(part.type)));
    shift += width;
  }
  defineParts(cast, parts);
}

} // namespace heddle::engine
