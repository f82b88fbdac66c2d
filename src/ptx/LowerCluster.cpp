// SPDX-License-Identifier: Apache-2.0
//
// Clusters of blocks: their barrier, and addresses in the shared memory of another block.
//
// A short address, as of `mapa.shared::cluster.u32`, has the rank of its block in its upper bits:
//
//   0x00000120   0x120 in the block's own shared memory
//   0x03000120   the same in that of the block of rank 2: 0 would mean none, so it is one more
#include "ptx/FunctionLowering.h"
#include "ptx/ReadPtx.h"
#include "ptx/Rows.h"

#include <llvm/IR/IntrinsicsNVPTX.h>

namespace heddle::ptx {

using namespace llvm;

namespace {

constexpr std::uint32_t offsetMask = (1U << rankShift) - 1;
constexpr std::uint32_t mostRank = (1U << (32 - rankShift)) - 2; ///< that an address can hold

/// A function of the engine that changes nothing.
FunctionCallee pureFunction(FunctionLowering& f, const char* name, Type* result,
                            ArrayRef<Type*> operands) {
  FunctionCallee callee = f.function().getParent()->getOrInsertFunction(
      name, FunctionType::get(result, operands, false));
  auto* made = cast<llvm::Function>(callee.getCallee());
  made->setDoesNotThrow();
  made->setWillReturn();
  made->setDoesNotAccessMemory();
  return callee;
}

Value* mapped(FunctionLowering& f, Value* address, Value* rank) {
  Type* wide = f.builder().getInt64Ty();
  return f.builder().CreateCall(
      pureFunction(f, mapSharedName, wide, {wide, f.builder().getInt32Ty()}), {address, rank});
}

Value* blockRankOf(FunctionLowering& f, Value* address) {
  return f.builder().CreateCall(
      pureFunction(f, sharedRankName, f.builder().getInt32Ty(), {f.builder().getInt64Ty()}),
      {address});
}

Value* ownRank(FunctionLowering& f) {
  return f.builder().CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_cluster_ctarank, {}, {});
}

/// Of a short address.
Value* rankIn(FunctionLowering& f, Value* address) {
  Value* upper = f.builder().CreateLShr(address, rankShift);
  return f.builder().CreateSelect(f.builder().CreateIsNull(upper), ownRank(f),
                                  f.builder().CreateSub(upper, f.builder().getInt32(1)));
}

/// A short address with a rank.
Value* withRank(FunctionLowering& f, Value* address, Value* rank) {
  IRBuilder<>& builder = f.builder();
  // No cluster has so many blocks: an access by one that has no room says so.
  rank = builder.CreateBinaryIntrinsic(Intrinsic::umin, rank, builder.getInt32(mostRank));
  Value* upper = builder.CreateShl(builder.CreateAdd(rank, builder.getInt32(1)), rankShift);
  return builder.CreateOr(upper, builder.CreateAnd(address, offsetMask));
}

/// With the number of the barrier and zeros: for all threads, without a vote.
void callClusterBarrier(FunctionLowering& f, const std::string& name, std::size_t operands) {
  IRBuilder<>& builder = f.builder();
  const SmallVector<Type*, 3> types(operands, builder.getInt32Ty());
  SmallVector<Value*, 3> values(operands, builder.getInt32(0));
  values.front() = builder.getInt32(clusterBarrier);
  FunctionCallee callee = f.function().getParent()->getOrInsertFunction(
      name, FunctionType::get(builder.getVoidTy(), types, false));
  auto* made = cast<llvm::Function>(callee.getCallee());
  made->setConvergent();
  made->setDoesNotThrow();
  builder.CreateCall(callee, values);
}

} // namespace

Value* clusterAddress(FunctionLowering& f, Value* address) {
  IRBuilder<>& builder = f.builder();
  address = builder.CreateTrunc(address, builder.getInt32Ty());
  Value* own = builder.CreateIntToPtr(
      builder.CreateZExt(builder.CreateAnd(address, offsetMask), builder.getInt64Ty()),
      builder.getPtrTy(addressSpaceOf(Space::Shared)));
  own = builder.CreateAddrSpaceCast(own, builder.getPtrTy());
  return mapped(f, builder.CreatePtrToInt(own, builder.getInt64Ty()), rankIn(f, address));
}

Value* shortClusterAddress(FunctionLowering& f, Value* address) {
  IRBuilder<>& builder = f.builder();
  address = builder.CreateZExt(address, builder.getInt64Ty());
  Value* rank = blockRankOf(f, address);
  Value* own = builder.CreateIntToPtr(mapped(f, address, ownRank(f)), builder.getPtrTy());
  own = builder.CreateAddrSpaceCast(own, builder.getPtrTy(addressSpaceOf(Space::Shared)));
  return withRank(f, builder.CreatePtrToInt(own, builder.getInt32Ty()), rank);
}

/// `barrier.cluster.arrive;`
void lowerClusterArrive(FunctionLowering& f, const Form&) {
  callClusterBarrier(f, arriveName, 2);
}

/// `barrier.cluster.wait;`
void lowerClusterWait(FunctionLowering& f, const Form&) {
  callClusterBarrier(f, barrierPrefix + std::string("sync"), 3);
}

/// `mapa{.shared::cluster}.u32 d, a, rank;`
void lowerMapa(FunctionLowering& f, const Form& form) {
  IRBuilder<>& builder = f.builder();
  Value* rank = f.read(form.operand(2), word);
  Value* address = f.read(form.operand(1), form.type());
  if (!form.has("shared::cluster"))
    return f.write(
        form.operand(0),
        builder.CreateTrunc(mapped(f, builder.CreateZExt(address, builder.getInt64Ty()), rank),
                            f.typeOf(form.type())));
  address = withRank(f, builder.CreateTrunc(address, builder.getInt32Ty()), rank);
  f.write(form.operand(0), builder.CreateZExt(address, f.typeOf(form.type())));
}

/// `getctarank{.shared::cluster}.u64 d, a;`
void lowerGetctarank(FunctionLowering& f, const Form& form) {
  IRBuilder<>& builder = f.builder();
  Value* address = f.read(form.operand(1), form.type());
  if (form.has("shared::cluster"))
    return f.write(form.operand(0), rankIn(f, builder.CreateTrunc(address, builder.getInt32Ty())));
  f.write(form.operand(0), blockRankOf(f, builder.CreateZExt(address, builder.getInt64Ty())));
}

Value* isExplicitCluster(FunctionLowering& f) {
  return f.builder().CreateCall(pureFunction(f, isClusterName, f.builder().getInt32Ty(), {}));
}

} // namespace heddle::ptx
