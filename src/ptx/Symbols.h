// SPDX-License-Identifier: Apache-2.0
//
// Variables and functions of a file in an LLVM module.
#pragma once

#include "ptx/Syntax.h"
#include "support/Error.h"

#include <llvm/IR/Module.h>

namespace heddle::ptx {

/// By the names that the file has for them.
struct FileSymbols {
  std::map<std::string_view, llvm::GlobalVariable*> variables;
  std::map<std::string_view, llvm::Function*> functions;
};

/// Declares everything, and gives variables their first values.
Expected<FileSymbols> declareSymbols(const File& file, llvm::Module& module);

/// A variable in a module; its first value is not set.
llvm::GlobalVariable* declareVariable(const Variable& variable, llvm::Module& module);

llvm::Type* typeOf(ScalarType type, llvm::LLVMContext& context);

/// What a function takes for a parameter and gives as a result. Arrays are taken as pointers to
/// copies, and given as numbers of the size of their alignment.
llvm::Type* parameterType(const Variable& parameter, llvm::LLVMContext& context);
llvm::Type* resultType(const std::vector<Variable>& results, llvm::LLVMContext& context);
llvm::FunctionType* functionType(const std::vector<Variable>& results,
                                 const std::vector<Variable>& parameters,
                                 llvm::LLVMContext& context);

/// Whether a parameter is an array, passed by value.
bool isByValue(const Variable& parameter);
void markByValue(llvm::AttributeList& attributes, const std::vector<Variable>& parameters,
                 llvm::LLVMContext& context);

/// A symbol as clang would name it: nvcc writes the file into the names of what is in a namespace
/// without a name, and does not mark what is static. Both have to agree for the host code, which is
/// clang's, to find it. Of variables nobody can tell: none is visible (withoutStaticMark).
///
///   _ZN35_GLOBAL__N__009b43b0_7_name_cu_main1kEPi      _ZN12_GLOBAL__N_11kEPi
///   _Z1kPi, not visible to others                      _ZL1kPi
std::string commonName(std::string_view symbol, bool isVisible = true);

} // namespace heddle::ptx
