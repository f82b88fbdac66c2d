// SPDX-License-Identifier: Apache-2.0
//
// Copies that go on beside the program, and the barriers that count them. Here a copy is made at
// once, so that waiting for groups of them is nothing.
//
// An mbarrier is two words of shared memory: how many have arrived since it was made, and how many
// a phase needs. The number of the phase is one divided by the other.
#include "ptx/FunctionLowering.h"
#include "ptx/Rows.h"

namespace heddle::ptx {

using namespace llvm;

namespace {

/// The first bytes of a value, zeros behind them. No byte is read that is not wanted.
Value* loadPart(FunctionLowering& f, Type* type, Value* pointer, unsigned bytes, Value* wanted) {
  IRBuilder<>& builder = f.builder();
  Type* whole = builder.getIntNTy(8 * bytes);
  Value* value = Constant::getNullValue(whole);
  for (unsigned i = 0; i < bytes; ++i) {
    Value* isWanted = builder.CreateICmpULT(builder.getInt32(i), wanted);
    Value* at = builder.CreateSelect(isWanted, builder.getInt64(i), builder.getInt64(0));
    Value* byte = builder.CreateAlignedLoad(
        builder.getInt8Ty(), builder.CreateGEP(builder.getInt8Ty(), pointer, at), Align(1));
    Value* kept = builder.CreateSelect(isWanted, byte, builder.getInt8(0));
    value = builder.CreateOr(value, builder.CreateShl(builder.CreateZExt(kept, whole), 8 * i));
  }
  return builder.CreateBitCast(value, type);
}

/// A copy of fewer bytes than the whole: the rest is zeros.
Value* loadOrZeros(FunctionLowering& f, Type* type, Value* pointer, unsigned bytes, Value* wanted) {
  IRBuilder<>& builder = f.builder();
  BasicBlock* all = f.freshBlock("copied");
  BasicBlock* fewer = f.freshBlock("fewer");
  BasicBlock* odd = f.freshBlock("part");
  BasicBlock* after = f.freshBlock("after");
  builder.CreateCondBr(builder.CreateICmpUGE(wanted, builder.getInt32(bytes)), all, fewer);
  f.continueIn(all);
  Value* loaded = builder.CreateAlignedLoad(type, pointer, Align(bytes));
  builder.CreateBr(after);
  f.continueIn(fewer);
  builder.CreateCondBr(builder.CreateIsNull(wanted), after, odd);
  f.continueIn(odd);
  Value* part = loadPart(f, type, pointer, bytes, wanted);
  builder.CreateBr(after);
  f.continueIn(after);
  PHINode* value = builder.CreatePHI(type, 3);
  value->addIncoming(loaded, all);
  value->addIncoming(Constant::getNullValue(type), fewer);
  value->addIncoming(part, odd);
  return value;
}

struct Barrier {
  Value* arrived; ///< pointers
  Value* needed;
};

Barrier barrierAt(FunctionLowering& f, const Operand& where) {
  Value* pointer = f.address(where, Space::Shared);
  return {pointer, f.builder().CreateConstGEP1_64(f.builder().getInt8Ty(), pointer, 4)};
}

/// The phase that a number of arrivals is in.
Value* phaseOf(FunctionLowering& f, const Barrier& barrier, Value* arrivals) {
  IRBuilder<>& builder = f.builder();
  Value* needed = builder.CreateAlignedLoad(builder.getInt32Ty(), barrier.needed, Align(4));
  return builder.CreateUDiv(arrivals, needed);
}

} // namespace

/// The bytes that are wanted: a number, or a predicate that says that none are.
static Value* wantedBytes(FunctionLowering& f, const Operand& operand, std::uint64_t bytes) {
  IRBuilder<>& builder = f.builder();
  if (f.bitsOf(operand) != 1)
    return f.read(operand, word);
  return builder.CreateSelect(f.read(operand, truth), builder.getInt32(0),
                              builder.getInt32(unsigned(bytes)));
}

/// `cp.async.cg.shared.global [to], [from], 16, wanted;`
void lowerCpAsync(FunctionLowering& f, const Form& form) {
  const Operand& to = form.operand(0);
  const Operand& from = form.operand(1);
  const std::uint64_t bytes = form.operand(2).bits;
  const std::size_t size = form.sizeWithoutHint();
  if (size < 3 || size > 4 || to.kind != Operand::Kind::Memory ||
      from.kind != Operand::Kind::Memory || form.operand(2).kind != Operand::Kind::Integer ||
      (bytes != 4 && bytes != 8 && bytes != 16))
    return f.refuse(form);
  IRBuilder<>& builder = f.builder();
  Type* type = builder.getInt32Ty();
  if (bytes > 4)
    type = FixedVectorType::get(type, unsigned(bytes / 4));
  Value* pointer = f.address(from, Space::Global);
  Value* value = size > 3 ? loadOrZeros(f, type, pointer, unsigned(bytes),
                                        wantedBytes(f, form.operand(3), bytes))
                          : builder.CreateAlignedLoad(type, pointer, Align(bytes));
  builder.CreateAlignedStore(value, f.address(to, Space::Shared), Align(bytes));
}

void lowerMbarrierInit(FunctionLowering& f, const Form& form) {
  const Barrier barrier = barrierAt(f, form.operand(0));
  Value* count = f.read(form.operand(1), word);
  f.builder().CreateAlignedStore(f.builder().getInt32(0), barrier.arrived, Align(4));
  f.builder().CreateAlignedStore(count, barrier.needed, Align(4));
}

/// The state that is given back is the number of the phase.
void lowerMbarrierArrive(FunctionLowering& f, const Form& form) {
  if (form.operand(1).kind != Operand::Kind::Memory)
    return f.refuse(form);
  IRBuilder<>& builder = f.builder();
  const Barrier barrier = barrierAt(f, form.operand(1));
  Value* count = form.size() > 2 ? f.read(form.operand(2), word) : builder.getInt32(1);
  Value* before = builder.CreateAtomicRMW(AtomicRMWInst::Add, barrier.arrived, count, Align(4),
                                          AtomicOrdering::AcquireRelease);
  f.write(form.operand(0), builder.CreateZExt(phaseOf(f, barrier, before), builder.getInt64Ty()));
}

/// `cp.async.mbarrier.arrive.noinc.shared.b64 [barrier];`: the copies of the thread are made, so it
/// arrives. Without .noinc one more is waited for, which is this one: nothing changes.
void lowerCopiesArrive(FunctionLowering& f, const Form& form) {
  if (form.operand(0).kind != Operand::Kind::Memory)
    return f.refuse(form);
  f.builder().CreateAtomicRMW(AtomicRMWInst::Add, barrierAt(f, form.operand(0)).arrived,
                              f.builder().getInt32(1), Align(4), AtomicOrdering::AcquireRelease);
}

/// Whether the phase of a state, or the one of that parity, is over.
void lowerMbarrierWait(FunctionLowering& f, const Form& form) {
  if (form.operand(1).kind != Operand::Kind::Memory)
    return f.refuse(form);
  IRBuilder<>& builder = f.builder();
  const Barrier barrier = barrierAt(f, form.operand(1));
  LoadInst* arrivals = builder.CreateAlignedLoad(builder.getInt32Ty(), barrier.arrived, Align(4));
  arrivals->setAtomic(AtomicOrdering::Acquire);
  Value* phase = phaseOf(f, barrier, arrivals);
  Value* asked = form.has("parity")
                     ? f.read(form.operand(2), word)
                     : builder.CreateTrunc(f.read(form.operand(2), {'b', 64}), phase->getType());
  if (form.has("parity"))
    phase = builder.CreateAnd(phase, 1);
  f.write(form.operand(0), builder.CreateICmpNE(phase, asked));
}

} // namespace heddle::ptx
