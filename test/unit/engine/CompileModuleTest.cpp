// SPDX-License-Identifier: Apache-2.0
#include "engine/CompileModule.h"

#include "engine/HostTarget.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <llvm/AsmParser/Parser.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/TargetSelect.h>

#include <set>
#include <stdexcept>

namespace heddle::engine {
namespace {

/// Functions `block0`, `block1`, ... of some length each, which call `block0.wide` and so on.
std::string sourceOf(int blocks, int length) {
  std::string text;
  for (int block = 0; block < blocks; ++block) {
    text += fmt::format("define internal i32 @block{0}.wide(i32 %v0) noinline {{\n", block);
    for (int i = 0; i < length; ++i)
      text += fmt::format("  %v{} = mul i32 %v{}, {}\n", i + 1, i, 2 * block + 3);
    text += fmt::format("  ret i32 %v{}\n}}\n", length);
    text += fmt::format("define i32 @block{0}(i32 %v) {{\n  %r = call i32 @block{0}.wide(i32 %v)\n"
                        "  ret i32 %r\n}}\n",
                        block);
  }
  return text;
}

struct WrittenModule {
  WrittenModule(int blocks, int length) {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::SMDiagnostic problem;
    module = llvm::parseAssemblyString(sourceOf(blocks, length), problem, context);
    if (module == nullptr)
      throw std::runtime_error(problem.getMessage().str());
    llvm::raw_svector_ostream stream(bitcode);
    llvm::WriteBitcodeToFile(*module, stream);
  }

  /// The functions that are in a part's object code for others to call.
  std::set<std::string> definedBy(unsigned part, Effort effort) {
    const llvm::orc::JITTargetMachineBuilder target = hostTarget().value();
    const std::string object =
        compilePart({bitcode.data(), bitcode.size()}, parts, part, {target, effort, false}).value();
    const auto file = llvm::cantFail(llvm::object::ObjectFile::createObjectFile({object, "part"}));
    std::set<std::string> names;
    for (const llvm::object::SymbolRef& symbol : file->symbols()) {
      const auto flags = llvm::cantFail(symbol.getFlags());
      if ((flags & llvm::object::SymbolRef::SF_Global) != 0 &&
          (flags & llvm::object::SymbolRef::SF_Undefined) == 0)
        names.insert(llvm::cantFail(symbol.getName()).str());
    }
    return names;
  }

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  llvm::SmallVector<char, 0> bitcode;
  ModuleParts parts;
};

TEST(CompileModule, TakesASmallOneAsAWhole) {
  WrittenModule small(3, 100);
  small.parts = divide(*small.module);
  EXPECT_EQ(small.parts.count, 1u);
  EXPECT_EQ(small.definedBy(0, Effort::Most),
            (std::set<std::string>{"block0", "block1", "block2"}));
}

TEST(CompileModule, DividesALargeOneSoThatEachFunctionIsInOnePart) {
  WrittenModule large(40, 500);
  large.parts = divide(*large.module);
  ASSERT_GT(large.parts.count, 2u);
  for (const Effort effort : {Effort::Most, Effort::Least}) {
    std::set<std::string> all;
    for (unsigned part = 0; part < large.parts.count; ++part) {
      const std::set<std::string> names = large.definedBy(part, effort);
      EXPECT_GT(names.size(), 5u);
      EXPECT_LT(names.size(), 20u);
      for (const std::string& name : names)
        EXPECT_TRUE(all.insert(name).second) << name;
    }
    EXPECT_EQ(all.size(), 40u);
  }
}

} // namespace
} // namespace heddle::engine
