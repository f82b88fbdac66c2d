// SPDX-License-Identifier: Apache-2.0
//
// Compiles each basic block of a prepared function to one function over 32-lane vectors:
//
//   uint32_t block(frame, warp, mask)     runs the block for the lanes of the mask; returns those
//                                         that take the first successor of its branch
//
// Values come from and go to the frame only where they cross blocks; a write leaves the other lanes
// as they were. The value of a phi is written by the block it comes from, for the lanes that take
// that edge. Uniform values stay scalar.
#pragma once

#include "engine/AddressGroups.h"
#include "engine/CodeForm.h"
#include "engine/FrameLayout.h"
#include "engine/KernelSites.h"
#include "support/Error.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heddle::engine {

/// What the functions of one kernel share while they are compiled.
struct KernelCompilation {
  llvm::Module& module; ///< the machine code's IR is made here
  const ArgumentLayout& arguments;
  const SharedLayout& shared;
  KernelSites& sites;
  std::map<std::string, const void*> symbols; ///< functions of ours that the code calls
  std::string prefix;                         ///< of the symbols
  bool account = true;                        ///< count what memory instructions move
  bool sumsPrivately = false;                 ///< PrivateSums.h
  CodeForm form = CodeForm::Full;

  std::string blockSymbol(std::size_t function, std::size_t block) const {
    return prefix + ".f" + std::to_string(function) + ".b" + std::to_string(block);
  }
  std::string walkSymbol(std::size_t function) const {
    return prefix + ".f" + std::to_string(function) + ".walk";
  }
};

class BlockCompiler {
public:
  BlockCompiler(llvm::Function& function, const FrameLayout& layout, KernelCompilation& kernel);

  /// Adds a function for each block. Refuses what the engine cannot run, with the place in the
  /// source.
  Expected<void> compile(std::size_t functionNumber);

private:
  using Values = llvm::SmallVector<llvm::Value*, 4>;
  /// Makes one lane's result from its number and its operands; nothing for no result.
  using LaneBody =
      llvm::function_ref<llvm::Value*(llvm::Value* lane, llvm::ArrayRef<llvm::Value*> operands)>;

  void compileBody(std::size_t number);
  llvm::Function* compileFull(std::size_t number, const std::string& symbol);
  void compileBlock(std::size_t number, const std::string& symbol);
  llvm::Function* begin(const llvm::Twine& symbol, std::size_t number);

  // BlockCompilerLanes.cpp
  llvm::Function* compileLanes(std::size_t number, const std::string& symbol);
  void compileForLane(llvm::Instruction& instruction);
  void loadForLane(llvm::LoadInst& load);
  void storeForLane(llvm::StoreInst& store);
  void checkForLane(const llvm::Instruction& instruction,
                    llvm::function_ref<void(llvm::Value*)> use);
  void branchForLane(llvm::BranchInst& branch);
  llvm::Value* loadLane(llvm::Value* slot, llvm::Type* type);
  void storeLane(llvm::Value* slot, llvm::Value* fresh);
  struct Forms {
    llvm::Function *wide, *full, *lanes; ///< any lanes; all; few, one by one
  };
  void dispatch(const std::string& symbol, const Forms& forms);
  void runForm(llvm::Function* form);
  llvm::Value* areFew(llvm::Value* mask);
  void compileInstruction(llvm::Instruction& instruction);
  bool compileControl(llvm::Instruction& instruction);
  void compileArithmetic(llvm::Instruction& instruction);
  llvm::Value* compileSharedAddress(llvm::CastInst& cast);
  void compileDivision(llvm::BinaryOperator& division);
  llvm::Value* addressOf(llvm::GetElementPtrInst& address);
  void compileLocal(llvm::AllocaInst& variable);
  void compileBranch(llvm::BranchInst& branch);
  void compileReturn(llvm::ReturnInst& end);
  struct PhiWrite {
    llvm::PHINode* phi;
    unsigned offset;
    llvm::Value* value;
  };
  using PhiWrites = llvm::SmallVector<PhiWrite, 8>;
  PhiWrites readPhis(const llvm::BasicBlock* from, llvm::BasicBlock* to);
  void writePhis(const PhiWrites& writes, llvm::Value* edgeMask);

  // BlockCompilerParts.cpp
  bool compileParts(llvm::Instruction& instruction);
  void compileBitCast(llvm::CastInst& cast);

  // BlockCompilerCalls.cpp
  void compileCall(llvm::CallInst& call);
  void compileRealCall(llvm::CallInst& call);
  bool compileThreadIdentity(llvm::CallInst& call);
  llvm::Value* readClock(const llvm::CallInst& call);
  void noteVotes(llvm::CallInst& call);
  bool compileCluster(llvm::CallInst& call);
  llvm::Value* shortAddress(llvm::Value* address);
  bool compileHelper(llvm::CallInst& call);
  bool compileTexture(llvm::CallInst& call);
  bool compileSpaceQuery(llvm::CallInst& call);
  bool compileMath(llvm::CallInst& call);

  // BlockCompilerWarp.cpp
  bool compileWarpFunction(llvm::CallInst& call);
  void compileVote(llvm::CallInst& call);
  void compileMatch(llvm::CallInst& call);
  void compileReduction(llvm::CallInst& call);
  void compileShuffle(llvm::CallInst& call);
  void compileMatrix(llvm::CallInst& call);
  llvm::Value* unnamedLanes(llvm::Value* mask);
  void awaitLanes(llvm::CallInst& call, llvm::Value* mask);
  llvm::Value* orOfLanes(llvm::Value* mask);

  // BlockCompilerMemory.cpp
  void compileLoad(llvm::LoadInst& load);
  void compileStore(llvm::StoreInst& store);
  void compileUniformLoad(llvm::LoadInst& load);
  struct Access;
  Access makeAccess(llvm::Instruction& instruction, profile::AccessKind kind);
  llvm::Value* siteState(unsigned number);
  llvm::Value* rangeBegin(const Access& access);
  llvm::Value* rangeLastOffset(const Access& access);
  llvm::Value* lanesInRange(const Access& access);
  llvm::Value* checkedLanes(const Access& access);
  llvm::Value* allZero(llvm::Value* lanes);
  struct NarrowIndex {
    llvm::Value* value;
    unsigned step;
  };
  std::vector<NarrowIndex> narrowIndices(llvm::Value* pointer, unsigned step) const;
  llvm::Value* halvesAgree(llvm::Value* numbers, std::uint64_t step);
  llvm::Value* addressesAgree(llvm::Value* pointer, unsigned step);
  llvm::Value* shapeOf(const Access& access);
  llvm::Value* endsInRange(const Access& access, llvm::Value* shape, unsigned step);
  llvm::Value* chooseWay(const llvm::Instruction& instruction, const Access& access,
                         const AddressGroup& group);
  llvm::Value* pointersOf(const Access& access);
  llvm::Value* addressesOf(const Access& access);
  llvm::Value* pointerOf(const Access& access, unsigned lane);
  void countUniform(const Access& access, llvm::Value* address);
  llvm::Value* callCarefully(const char* helper, const Access& access, llvm::Value* values);
  llvm::Value* loadStrided(llvm::Value* memory, llvm::Type* part, unsigned offset, unsigned stride);
  void storeStrided(llvm::Value* memory, llvm::Value* value, unsigned offset, unsigned stride);
  llvm::Value* stridedPlaces(llvm::Value* memory, unsigned offset, unsigned stride);
  llvm::AllocaInst* helperValues(unsigned bytes);
  struct LaneLoad;
  void gatherParts(const LaneLoad& load);
  void loadCarefully(const LaneLoad& load);
  void loadHalves(const LaneLoad& load, unsigned lanes);
  void choose(llvm::Value* way,
              llvm::ArrayRef<std::pair<std::uint32_t, llvm::function_ref<void()>>> bodies);
  llvm::AllocaInst* stackPlace(llvm::Type* type);
  llvm::AllocaInst* spill(llvm::Value* value);
  llvm::AllocaInst* forHelper(llvm::Value* addresses);
  void ifThenElse(llvm::Value* condition, llvm::function_ref<void()> then,
                  llvm::function_ref<void()> otherwise);
  // BlockCompilerLaunches.cpp
  bool compileDeviceLaunch(llvm::CallInst& call);

  llvm::Value* forEachLane(llvm::Value* lanes, llvm::Type* result,
                           llvm::ArrayRef<llvm::Value*> operands, LaneBody body);

  // BlockCompilerAtomics.cpp
  void compileAtomic(llvm::AtomicRMWInst& atomic);
  void compileExchange(llvm::AtomicCmpXchgInst& exchange);
  llvm::Value* atomicLanes(const Access& access);
  void compileSum(llvm::AtomicRMWInst& sum);
  struct LaneSums;
  void sumHalves(const Access& access, LaneSums& sums);
  void addPlainly(const LaneSums& sums);
  void addLocked(const LaneSums& sums);
  void addPrivately(const Access& access, const LaneSums& sums);
  void awaitTurn();
  void addLater(const Access& access, llvm::AtomicRMWInst::BinOp operation, llvm::Value* values,
                llvm::Value* lanes);

  // Values
  const llvm::DataLayout& types() const { return function_.getParent()->getDataLayout(); }
  std::vector<Part> partsOf(llvm::Type* type) const { return engine::partsOf(type, types()); }
  llvm::Type* laneType(llvm::Type* type) const;
  llvm::Type* vectorType(llvm::Type* type) const;
  llvm::Value* scalar(llvm::Value* value);
  llvm::Value* loadScalar(llvm::Type* type, llvm::Value* where);
  llvm::Value* vector(llvm::Value* value, unsigned part = 0);
  llvm::Value* laneValue(llvm::Value* value, unsigned lane);
  bool isLate(const llvm::Value* value) const;
  llvm::Value* makeLate(llvm::Instruction& instruction);
  llvm::Value* operand(const llvm::Instruction& user, unsigned index);
  llvm::Value* constant(llvm::Constant* value);
  llvm::Value* constantPart(llvm::Constant* value, unsigned part);
  llvm::Value* global(llvm::GlobalVariable& variable);
  llvm::Value* place(llvm::Value* base, unsigned offset);
  llvm::Value* contextField(std::size_t offset, llvm::Type* type);
  llvm::Value* lanesOf(llvm::Value* mask);
  llvm::Value* bits(llvm::Value* lanes);
  llvm::Value* splat(llvm::Value* value);
  llvm::Value* laneNumbers();
  llvm::Value* loadSlot(llvm::Value* place, llvm::Type* type);
  void storeSlot(llvm::Value* place, llvm::Value* fresh, llvm::Value* lanes);
  void define(llvm::Instruction& instruction, llvm::Value* value);
  void defineParts(llvm::Instruction& instruction, llvm::ArrayRef<llvm::Value*> parts);
  llvm::Value* callHelper(const char* name, llvm::Type* result,
                          llvm::ArrayRef<llvm::Value*> arguments);

  void refuse(const llvm::Instruction& instruction, const std::string& what);
  void refuseWith(const llvm::Instruction& instruction, const std::string& message);

  llvm::Function& function_;
  const FrameLayout& layout_;
  KernelCompilation& kernel_;
  llvm::IRBuilder<> builder_;
  llvm::Function* code_ = nullptr; ///< of the block being compiled
  llvm::Value* frame_ = nullptr;
  llvm::Value* warp_ = nullptr;
  llvm::AllocaInst* helperPlace_ = nullptr;                  ///< where helpers find addresses
  llvm::DenseMap<unsigned, llvm::AllocaInst*> helperValues_; ///< and values, by size
  llvm::Value* activeMask_ = nullptr;                        ///< as 32 bits
  llvm::Value* activeLanes_ = nullptr;                       ///< as a vector of 32
  llvm::DenseMap<const llvm::Value*, llvm::Value*> scalars_;
  llvm::DenseMap<std::pair<const llvm::Value*, unsigned>, llvm::Value*> vectors_;
  /// Of code that runs lane by lane: the lane, whether it takes the first successor, and where code
  /// goes that all lanes share.
  llvm::Value* lane_ = nullptr;
  llvm::Value* laneTaken_ = nullptr;
  llvm::BasicBlock* shared_ = nullptr;
  bool inLane_ = false;                 ///< rather than in the shared code
  bool unfit_ = false;                  ///< not all of the block can run lane by lane
  bool separable_ = false;              ///< lanes do not see what the others do in the block
  std::optional<AddressGroups> groups_; ///< of the block being compiled
  /// Of a group, once its first access has been compiled.
  struct GroupState {
    std::int64_t offset = 0;        ///< constant part of the first access's address
    llvm::Value* pointer = nullptr; ///< of the first access, in the source
    llvm::Value* way = nullptr;
  };
  std::vector<GroupState> groupStates_;
  std::optional<Error> error_;
};

} // namespace heddle::engine
