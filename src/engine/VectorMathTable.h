// SPDX-License-Identifier: Apache-2.0
//
// What the parts of VectorMath share: the shape of a table entry, and types like another's.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <span>

namespace heddle::engine {

/// Rounding to nearest even, to zero, down, up.
enum class Rounding { Nearest, Zero, Down, Up };

struct MathCall {
  llvm::IRBuilder<>& builder;
  llvm::ArrayRef<llvm::Value*> operands;
  llvm::Type* result; ///< vector or scalar, as the operands are
};

struct MathEntry {
  llvm::StringLiteral name;
  llvm::Value* (*build)(const MathCall&);
};

/// The four entries of a function with a rounding mode, under the names of libdevice and of nvvm.
#define HEDDLE_LIBDEVICE_MODES(prefix, build)                                                      \
  MathEntry{prefix "rn", build<Rounding::Nearest>}, MathEntry{prefix "rz", build<Rounding::Zero>}, \
      MathEntry{prefix "rd", build<Rounding::Down>}, MathEntry {                                   \
    prefix "ru", build<Rounding::Up>                                                               \
  }
#define HEDDLE_NVVM_MODES(prefix, suffix, build)                                                   \
  MathEntry{"llvm.nvvm." prefix ".rn" suffix, build<Rounding::Nearest>},                           \
      MathEntry{"llvm.nvvm." prefix ".rz" suffix, build<Rounding::Zero>},                          \
      MathEntry{"llvm.nvvm." prefix ".rm" suffix, build<Rounding::Down>}, MathEntry {              \
    "llvm.nvvm." prefix ".rp" suffix, build<Rounding::Up>                                          \
  }

std::span<const MathEntry> floatMath();    ///< VectorMath.cpp
std::span<const MathEntry> integerMath();  ///< VectorMathInteger.cpp
std::span<const MathEntry> convertMath();  ///< VectorMathConvert.cpp
std::span<const MathEntry> roundingMath(); ///< VectorMathRounding.cpp
std::span<const MathEntry> ptxMath();      ///< VectorMathPtx.cpp

/// lop3, of three operands and a table of 8 bits.
llvm::Value* buildAnyLogic(llvm::IRBuilder<>& builder, unsigned table,
                           llvm::ArrayRef<llvm::Value*> operands);

/// Numbers of 16 bits and less; the name without "heddle.ptx.small." (VectorMathSmall.cpp). Null
/// where it is not known.
llvm::Value* buildSmallMath(llvm::IRBuilder<>& builder, llvm::StringRef name,
                            llvm::ArrayRef<llvm::Value*> operands, llvm::Type* result);

/// For functions whose result is their operand.
inline llvm::Value* unchanged(const MathCall& call) {
  return call.operands[0];
}

/// The scalar type, or a vector of it as long as `shape`.
inline llvm::Type* shapedLike(llvm::Type* scalar, llvm::Type* shape) {
  const auto* vector = llvm::dyn_cast<llvm::VectorType>(shape);
  return vector == nullptr ? scalar : llvm::VectorType::get(scalar, vector->getElementCount());
}

/// The integer type of the same bits.
inline llvm::Type* bitsType(llvm::Type* type) {
  return shapedLike(llvm::Type::getIntNTy(type->getContext(), type->getScalarSizeInBits()), type);
}

/// A double rounded to float; exact where `value` is.
llvm::Value* roundToFloat(llvm::IRBuilder<>& builder, llvm::Value* value, Rounding rounding);

/// An integer of 64 bits as a double in which every rounding to float is right.
llvm::Value* oddDoubleOf(llvm::IRBuilder<>& builder, llvm::Value* integer, bool isSigned);

/// An integer of 64 bits, rounded to double.
llvm::Value* roundToDouble(llvm::IRBuilder<>& builder, llvm::Value* integer, bool isSigned,
                           Rounding rounding);

} // namespace heddle::engine
