// SPDX-License-Identifier: Apache-2.0
//
// Every entry of VectorMath, compiled over 32 lanes and over one, against plain C++ for each tuple
// of edge cases. What a GPU does with NaN, zeros and numbers out of range was read off an H200.
#include "engine/VectorMath.h"

#include "MathReference.h"

#include <gtest/gtest.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/TargetSelect.h>

#include <cstring>

namespace heddle::engine {
namespace {

constexpr unsigned lanes = 32;

llvm::Type* typeOf(Kind kind, llvm::LLVMContext& context) {
  switch (kind) {
  case Kind::Float:
    return llvm::Type::getFloatTy(context);
  case Kind::Double:
    return llvm::Type::getDoubleTy(context);
  default:
    return llvm::Type::getIntNTy(context, unsigned(8 * sizeOf(kind)));
  }
}

/// `void name(operands, result)` over pointers to vectors, or to scalars.
bool buildFunction(llvm::Module& module, llvm::StringRef symbol, llvm::StringRef name,
                   const Reference& reference, bool vector) {
  llvm::LLVMContext& context = module.getContext();
  llvm::IRBuilder<> builder(context);
  const auto shaped = [&](Kind kind) -> llvm::Type* {
    llvm::Type* type = typeOf(kind, context);
    return vector ? llvm::FixedVectorType::get(type, lanes) : type;
  };
  auto* type =
      llvm::FunctionType::get(builder.getVoidTy(), {builder.getPtrTy(), builder.getPtrTy()}, false);
  auto* function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, symbol, module);
  builder.SetInsertPoint(llvm::BasicBlock::Create(context, "", function));
  std::vector<llvm::Value*> operands;
  for (std::size_t index = 0; index < reference.operands.size(); ++index) {
    llvm::Value* place =
        builder.CreateConstGEP1_64(builder.getInt64Ty(), function->getArg(0), index * lanes);
    operands.push_back(
        builder.CreateAlignedLoad(shaped(reference.operands[index]), place, llvm::Align(8)));
  }
  llvm::Value* value = buildVectorMath(builder, name, operands, shaped(reference.result));
  if (value == nullptr)
    return false;
  builder.CreateAlignedStore(value, function->getArg(1), llvm::Align(8));
  builder.CreateRetVoid();
  return true;
}

using Code = void (*)(const std::uint64_t* operands, std::uint64_t* result);

std::unique_ptr<llvm::orc::LLJIT> compile(const std::map<std::string, Reference>& references) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto context = std::make_unique<llvm::LLVMContext>();
  auto module = std::make_unique<llvm::Module>("math", *context);
  for (const auto& [name, reference] : references) {
    EXPECT_TRUE(buildFunction(*module, "vector " + name, name, reference, true)) << name;
    EXPECT_TRUE(buildFunction(*module, "scalar " + name, name, reference, false)) << name;
  }
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  EXPECT_FALSE(llvm::verifyModule(*module, &stream)) << problem;
  auto jit = llvm::cantFail(llvm::orc::LLJITBuilder().create());
  llvm::cantFail(
      jit->addIRModule(llvm::orc::ThreadSafeModule(std::move(module), std::move(context))));
  return jit;
}

/// Elements of operands, each in 64 bits, packed as vectors of their types.
void runBatch(Code code, const Reference& reference, const std::vector<Tuple>& tuples,
              std::vector<std::uint64_t>& results) {
  std::uint64_t memory[3 * lanes] = {};
  for (std::size_t operand = 0; operand < reference.operands.size(); ++operand)
    for (std::size_t lane = 0; lane < tuples.size(); ++lane)
      std::memcpy(reinterpret_cast<char*>(memory + operand * lanes) +
                      lane * sizeOf(reference.operands[operand]),
                  &tuples[lane][operand], sizeOf(reference.operands[operand]));
  std::uint64_t packed[lanes] = {};
  code(memory, packed);
  for (std::size_t lane = 0; lane < tuples.size(); ++lane) {
    std::uint64_t result = 0;
    std::memcpy(&result, reinterpret_cast<char*>(packed) + lane * sizeOf(reference.result),
                sizeOf(reference.result));
    results.push_back(result);
  }
}

void expectSame(const std::string& what, const Reference& reference, Code code, std::size_t width,
                const std::vector<Tuple>& tuples) {
  std::vector<std::uint64_t> results;
  for (std::size_t first = 0; first < tuples.size(); first += width) {
    const std::size_t last = std::min(first + width, tuples.size());
    runBatch(code, reference, {tuples.begin() + long(first), tuples.begin() + long(last)}, results);
  }
  int reported = 0;
  for (std::size_t index = 0; index < tuples.size() && reported < 5; ++index) {
    const std::uint64_t expected = reference.call(tuples[index]);
    if (!isClose(reference, results[index], expected)) {
      ADD_FAILURE() << what << describe(reference, tuples[index], results[index], expected);
      ++reported;
    }
  }
}

TEST(VectorMath, EveryEntryIsWhatPlainCodeComputes) {
  const auto references = vectorReferences();
  for (const llvm::StringRef name : vectorMathNames())
    EXPECT_TRUE(name.contains(".bfi.") || references.contains(name.str()))
        << "no reference for " << name.str();
  const auto jit = compile(references);
  for (const auto& [name, reference] : references) {
    const auto tuples = edgeCases(reference.operands);
    const auto find = [&](const std::string& symbol) {
      return llvm::cantFail(jit->lookup(symbol)).toPtr<Code>();
    };
    expectSame(name, reference, find("vector " + name), lanes, tuples);
    const std::vector<Tuple> some(tuples.begin(), tuples.begin() + 200);
    expectSame(name + " of scalars", reference, find("scalar " + name), 1, some);
  }
}

TEST(VectorMath, UnknownNamesAreLeftAlone) {
  llvm::LLVMContext context;
  llvm::IRBuilder<> builder(context);
  llvm::Type* type = builder.getFloatTy();
  llvm::Value* one = llvm::ConstantFP::get(type, 1.0);
  for (const char* name : {"__nv_sinf", "__nv_", "", "llvm.nvvm.unknown.ftz.f", "fabsf"})
    EXPECT_EQ(buildVectorMath(builder, name, {one}, type), nullptr) << name;
}

} // namespace
} // namespace heddle::engine
