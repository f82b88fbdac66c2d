// SPDX-License-Identifier: Apache-2.0
//
// The body of one function becoming LLVM IR. Registers are variables that become SSA values
// afterwards; what rows of the instruction table do is built from the functions here.
#pragma once

#include "ptx/DebugLocations.h"
#include "ptx/Form.h"
#include "ptx/Symbols.h"

#include <llvm/IR/IRBuilder.h>

#include <set>

namespace heddle::ptx {

struct Row;

/// LLVM's numbers of the address spaces.
unsigned addressSpaceOf(Space space);

class FunctionLowering;

// LowerCluster.cpp
/// The generic address of a short one in the shared memory of any block of the cluster.
llvm::Value* clusterAddress(FunctionLowering& f, llvm::Value* address);
/// And the other way round.
llvm::Value* shortClusterAddress(FunctionLowering& f, llvm::Value* address);
/// Whether the launch asks for clusters, as a word.
llvm::Value* isExplicitCluster(FunctionLowering& f);

class FunctionLowering {
public:
  FunctionLowering(const Function& source, llvm::Function& function, const FileSymbols& symbols,
                   DebugLocations& places);

  /// The function gives back these registers, of the sizes of its result's parts.
  void returnRegisters(const std::vector<std::string>& names) { returned_ = names; }

  /// `exit` becomes a call of this function; who inlines what is made here ends the thread there.
  void exitByCalling(llvm::Function& function) { exit_ = &function; }
  llvm::Function* exitFunction() const { return exit_; }

  void run();

  // For the rows

  llvm::IRBuilder<>& builder() { return builder_; }
  llvm::Function& function() { return function_; }
  const Function& source() const { return source_; }
  const FileSymbols& symbols() const { return symbols_; }
  llvm::Type* typeOf(ScalarType type) const;

  /// An operand's value in the type asked for.
  llvm::Value* read(const Operand& operand, ScalarType type);
  /// To a register; one that is wider is filled with zeros or the sign.
  void write(const Operand& operand, llvm::Value* value, bool isSigned = false);
  /// `[name + offset]` as a pointer to the space.
  llvm::Value* address(const Operand& operand, Space space);
  /// Of a register; 0 for other operands.
  unsigned bitsOf(const Operand& operand) const;

  /// Whether some instruction of the function reads a register, or the function gives it back.
  bool isRead(const Operand& operand) const;

  /// The scalar parameter that a name stands for; nothing for other names.
  llvm::Value* scalarParameter(std::string_view name) const;

  /// A call of an intrinsic, or of a function that the engine knows, by name.
  llvm::Value* call(const llvm::Twine& name, llvm::Type* result,
                    llvm::ArrayRef<llvm::Value*> operands);

  /// `heddle.ptx.small.<operation>.<format>` with some words of the instruction behind it:
  /// arithmetic of numbers of 16 bits and less, which are integers here.
  llvm::Value* small(std::string_view operation, std::string_view format,
                     llvm::ArrayRef<std::string_view> words, llvm::Type* result,
                     llvm::ArrayRef<llvm::Value*> operands);

  /// A float without the numbers that are below the normal ones.
  llvm::Value* flushed(llvm::Value* value);

  llvm::Value* readCarry();
  void writeCarry(llvm::Value* carry);

  llvm::BasicBlock* blockOf(std::string_view label);
  llvm::BasicBlock* freshBlock(const llvm::Twine& name);
  /// Goes on in a block; what came before is ended by the caller.
  void continueIn(llvm::BasicBlock* block);
  const BranchTargets* targetsNamed(std::string_view name) const;
  const Prototype* prototypeNamed(std::string_view name) const;
  llvm::Value* guardOf(const Instruction& instruction);
  void emitReturn();

  /// The instruction cannot be run: the kernel that reaches it is refused, with these words.
  void refuse(const Form& form, std::string_view why = "");

private:
  struct Name {
    llvm::Value* value = nullptr; ///< where a register or variable is, or a scalar parameter
    bool isRegister = false;
    bool isScalarParameter = false;
  };
  using Scope = std::map<std::string, Name, std::less<>>;

  void declareParameters();
  void declareResult();
  void findLabels();
  void noteReads(const Instruction& instruction);
  void lower(const Statement& statement);
  void lowerInstruction(const Instruction& instruction);
  void beginBlock(std::uint32_t line);
  void endBlock();
  llvm::Value* returnedValue();
  void lowerGuarded(const Row& row, const Form& form);
  void lowerRow(const Row& row, const Form& form);
  void declare(const Variable& variable);
  void declareRegisters(const Variable& variable);
  void place(const Location& location);
  const Name* find(std::string_view name) const;
  llvm::Value* readName(const Operand& operand, ScalarType type);
  llvm::Value* readRegister(const Name& name, ScalarType type);
  llvm::Value* gridWorkspace();
  llvm::Value* specialRegister(std::string_view name);
  llvm::Value* warpNumber();
  llvm::Value* constantOf(const Operand& operand, ScalarType type);
  llvm::Value* pointerNamed(std::string_view name);
  llvm::AllocaInst* variable(llvm::Type* type, const llvm::Twine& name);

  const Function& source_;
  llvm::Function& function_;
  const FileSymbols& symbols_;
  DebugLocations& places_;
  llvm::IRBuilder<> builder_;
  llvm::BasicBlock* entry_ = nullptr;
  llvm::AllocaInst* result_ = nullptr;
  llvm::AllocaInst* carry_ = nullptr;
  std::vector<std::string> returned_;          ///< registers
  llvm::Function* exit_ = nullptr;             ///< see exitByCalling
  std::uint32_t line_ = 0;                     ///< of the instruction that is being lowered
  std::uint32_t firstLine_ = 0, lastLine_ = 0; ///< of the block so far
  llvm::Value* guard_ = nullptr;               ///< of the instruction that is being lowered
  std::vector<Scope> scopes_;
  std::vector<int> scopeNumbers_; ///< of the scopes that are open
  int scopesSeen_ = 0;
  std::map<std::pair<int, std::string_view>, llvm::BasicBlock*> labels_;
  std::map<std::string_view, const BranchTargets*> targets_;
  std::set<std::string_view> reads_; ///< names that instructions read
  bool usesSourceLines_ = false;
};

} // namespace heddle::ptx
