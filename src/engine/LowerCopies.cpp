// SPDX-License-Identifier: Apache-2.0
//
// nvcc 13 on sm_90 makes of them, as counted on an H200:
//   - a copy of a struct, and memset of a local array, trust the alignment of the type; memcpy and
//     memset through a pointer go byte by byte, whatever the pointer's type
//   - a constant size costs one access for each piece and next to nothing else
//   - a variable size goes byte by byte in a loop that ptxas unrolls by 4
// memmove, which nvcc does not have in device code, is done likewise, from the end where the
// destination lies behind the source.
#include "engine/LowerCopies.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>
#include <vector>

namespace heddle::engine {
namespace {

using llvm::BasicBlock;
using llvm::Value;

constexpr unsigned widest = 16;
constexpr std::uint64_t mostInARow = 64; ///< accesses of each kind
constexpr std::uint64_t inARowOfLoop = 32;
constexpr std::uint64_t inARowOfVariable = 4;
constexpr std::size_t loadsAtOnce = 16; ///< before the first of them is stored

/// One access: bytes from the beginning of what a row covers.
struct Piece {
  std::uint64_t offset;
  unsigned width;
};

std::vector<Piece> piecesOf(std::uint64_t size, unsigned width) {
  std::vector<Piece> pieces;
  for (std::uint64_t at = 0; at < size; at += width) {
    while (width > size - at)
      width /= 2;
    pieces.push_back({at, width});
  }
  return pieces;
}

class Lowering {
public:
  explicit Lowering(llvm::MemIntrinsic& copy)
      : copy_(copy), types_(copy.getModule()->getDataLayout()), builder_(&copy),
        to_(copy.getRawDest()) {
    if (auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(&copy))
      from_ = transfer->getRawSource();
    else
      byte_ = llvm::cast<llvm::MemSetInst>(copy).getValue();
  }

  void run() {
    builder_.SetCurrentDebugLocation(copy_.getDebugLoc());
    const auto* size = llvm::dyn_cast<llvm::ConstantInt>(copy_.getLength());
    if (size == nullptr)
      copyVariable();
    else if (!size->isZero())
      copyConstant(size->getZExtValue(), width());
    copy_.eraseFromParent();
  }

private:
  /// What is known of a pointer without the word of a memcpy. Local arrays of words may be moved to
  /// where wide accesses can reach them.
  unsigned alignmentOf(Value* pointer, llvm::MaybeAlign stated) {
    const bool isStructCopy = copy_.getMetadata(llvm::LLVMContext::MD_tbaa_struct) != nullptr;
    llvm::Align known = llvm::getKnownAlignment(pointer, types_, &copy_);
    if (isStructCopy)
      known = std::max(known, stated.valueOrOne());
    const bool isLocal = llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer));
    if (isLocal && known >= 4)
      known = llvm::getOrEnforceKnownAlignment(pointer, llvm::Align(widest), types_, &copy_);
    return unsigned(known.value());
  }

  unsigned width() {
    unsigned result = std::min(widest, alignmentOf(to_, copy_.getDestAlign()));
    if (auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(&copy_))
      result = std::min(result, alignmentOf(from_, transfer->getSourceAlign()));
    return result;
  }

  llvm::Type* typeOf(unsigned width) {
    return width == widest ? static_cast<llvm::Type*>(
                                 llvm::FixedVectorType::get(builder_.getInt32Ty(), widest / 4))
                           : builder_.getIntNTy(8 * width);
  }

  /// The byte of a memset, as often as it takes.
  Value* filled(unsigned width) {
    const unsigned scalar = std::min(width, width == widest ? 4u : 8u);
    llvm::IntegerType* type = builder_.getIntNTy(8 * scalar);
    const llvm::APInt ones = llvm::APInt::getSplat(8 * scalar, llvm::APInt(8, 1));
    Value* value = builder_.CreateMul(builder_.CreateZExt(byte_, type),
                                      llvm::ConstantInt::get(type, ones), "filled");
    return width == widest ? builder_.CreateVectorSplat(widest / 4, value) : value;
  }

  void copyInARow(std::uint64_t size, unsigned width) {
    const std::vector<Piece> pieces = piecesOf(size, width);
    const std::size_t atOnce = llvm::isa<llvm::MemMoveInst>(copy_) ? pieces.size() : loadsAtOnce;
    for (std::size_t i = 0; i < pieces.size(); i += atOnce)
      copyPieces(to_, from_, llvm::ArrayRef(pieces).slice(i).take_front(atOnce));
  }

  /// Loads come before the stores, so that the pieces may overlap.
  void copyPieces(Value* to, Value* from, llvm::ArrayRef<Piece> pieces) {
    const bool isVolatile = copy_.isVolatile();
    std::vector<Value*> values;
    for (const Piece& piece : pieces)
      values.push_back(from == nullptr ? filled(piece.width)
                                       : builder_.CreateAlignedLoad(
                                             typeOf(piece.width),
                                             builder_.CreateConstInBoundsGEP1_64(
                                                 builder_.getInt8Ty(), from, piece.offset),
                                             llvm::Align(piece.width), isVolatile));
    for (std::size_t i = 0; i < pieces.size(); ++i)
      builder_.CreateAlignedStore(
          values[i],
          builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), to, pieces[i].offset),
          llvm::Align(pieces[i].width), isVolatile);
  }

  Value* at(Value* base, Value* offset) {
    return base == nullptr ? nullptr : builder_.CreateInBoundsPtrAdd(base, offset);
  }

  /// Copies rows from `begin` to before `end`, which is rows away, upwards or downwards. The
  /// builder stands behind the loop afterwards.
  void addLoop(Value* begin, Value* end, std::uint64_t row, unsigned width, bool upwards,
               bool isUnrolled, bool mayBeEmpty) {
    llvm::LLVMContext& context = copy_.getContext();
    BasicBlock* before = builder_.GetInsertBlock();
    BasicBlock* after = before->splitBasicBlock(builder_.GetInsertPoint(), "copied");
    BasicBlock* loop = BasicBlock::Create(context, "copy", before->getParent(), after);
    before->getTerminator()->eraseFromParent();
    goTo(before, before->end());
    if (mayBeEmpty)
      builder_.CreateCondBr(builder_.CreateICmpNE(begin, end), loop, after);
    else
      builder_.CreateBr(loop);
    goTo(loop, loop->end());
    llvm::PHINode* offset = builder_.CreatePHI(begin->getType(), 2, "offset");
    Value* step = llvm::ConstantInt::get(begin->getType(), row);
    Value* next = upwards ? builder_.CreateAdd(offset, step) : builder_.CreateSub(offset, step);
    Value* here = upwards ? offset : next;
    copyPieces(at(to_, here), at(from_, here), piecesOf(row, width));
    llvm::BranchInst* again = builder_.CreateCondBr(builder_.CreateICmpNE(next, end), loop, after);
    again->setMetadata(copyLoopMetadata, llvm::MDNode::get(context, {}));
    if (isUnrolled)
      again->setMetadata(copyUnrolledMetadata, llvm::MDNode::get(context, {}));
    offset->addIncoming(begin, before);
    offset->addIncoming(next, loop);
    goTo(after, after->begin());
  }

  void copyRest(std::uint64_t begin, std::uint64_t size, unsigned width) {
    if (begin < size)
      copyPieces(at(to_, length(begin)), at(from_, length(begin)), piecesOf(size - begin, width));
  }

  void copyConstant(std::uint64_t size, unsigned width) {
    if (piecesOf(size, width).size() <= mostInARow)
      return copyInARow(size, width);
    const std::uint64_t row = inARowOfLoop * width;
    const std::uint64_t inLoop = size / row * row;
    forBothWays(
        [&] {
          addLoop(length(0), length(inLoop), row, width, true, true, false);
          copyRest(inLoop, size, width);
        },
        [&] {
          copyRest(inLoop, size, width);
          addLoop(length(inLoop), length(0), row, width, false, true, false);
        });
  }

  void copyVariable() {
    Value* size = copy_.getLength();
    Value* inRows = builder_.CreateAnd(
        size, llvm::ConstantInt::getSigned(size->getType(), -std::int64_t(inARowOfVariable)));
    forBothWays(
        [&] {
          addLoop(length(0), inRows, inARowOfVariable, 1, true, false, true);
          addLoop(inRows, size, 1, 1, true, false, true);
        },
        [&] {
          addLoop(size, inRows, 1, 1, false, false, true);
          addLoop(inRows, length(0), inARowOfVariable, 1, false, false, true);
        });
  }

  /// Downwards only for a memmove whose destination is behind its source.
  template <class Up, class Down> void forBothWays(Up up, Down down) {
    if (!llvm::isa<llvm::MemMoveInst>(copy_))
      return up();
    Value* isBehind = builder_.CreateICmpUGT(generic(to_), generic(from_));
    llvm::Instruction *downEnd = nullptr, *upEnd = nullptr;
    llvm::SplitBlockAndInsertIfThenElse(isBehind, &copy_, &downEnd, &upEnd);
    downEnd->getParent()->getSinglePredecessor()->getTerminator()->setDebugLoc(copy_.getDebugLoc());
    goTo(downEnd->getParent(), downEnd->getIterator());
    down();
    goTo(upEnd->getParent(), upEnd->getIterator());
    up();
  }

  /// The builder takes the place of what it stands in front of, which is not ours.
  void goTo(BasicBlock* block, BasicBlock::iterator where) {
    builder_.SetInsertPoint(block, where);
    builder_.SetCurrentDebugLocation(copy_.getDebugLoc());
  }

  Value* generic(Value* pointer) {
    return builder_.CreateAddrSpaceCast(pointer, builder_.getPtrTy());
  }
  Value* length(std::uint64_t bytes) {
    return llvm::ConstantInt::get(copy_.getLength()->getType(), bytes);
  }

  llvm::MemIntrinsic& copy_;
  const llvm::DataLayout& types_;
  llvm::IRBuilder<> builder_;
  Value* to_;
  Value* from_ = nullptr; ///< not of a memset
  Value* byte_ = nullptr; ///< of a memset
};

/// Local memory is made where the function begins, in front of any loop.
void moveVariablesUp(llvm::Function& function) {
  BasicBlock& entry = function.getEntryBlock();
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(entry))
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        variable != nullptr && variable->isStaticAlloca())
      variable->moveBefore(entry, entry.begin());
}

} // namespace

llvm::PreservedAnalyses LowerCopies::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  std::vector<llvm::MemIntrinsic*> copies;
  for (BasicBlock& block : function)
    for (llvm::Instruction& instruction : block)
      if (auto* copy = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction))
        copies.push_back(copy);
  if (copies.empty())
    return llvm::PreservedAnalyses::all();
  moveVariablesUp(function);
  for (llvm::MemIntrinsic* copy : copies)
    Lowering(*copy).run();
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::engine
