// SPDX-License-Identifier: Apache-2.0
//
// Calls: of the program's own functions, of intrinsics that tell a thread who it is, of what the
// engine provides, of the math library.
#include "engine/BlockCompiler.h"
#include "engine/Helpers.h"
#include "engine/PrepareKernel.h"
#include "engine/ScalarMath.h"
#include "engine/VectorMath.h"
#include "engine/WarpContext.h"
#include "frontend/DeviceModule.h"
#include "ptx/ReadPtx.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

namespace heddle::engine {

using namespace llvm;

namespace {

struct ContextField {
  std::size_t offset;
  bool perLane;
};

std::optional<ContextField> clusterFieldOf(Intrinsic::ID id) {
  constexpr std::size_t word = sizeof(std::int32_t);
  switch (id) {
  case Intrinsic::nvvm_read_ptx_sreg_clusterid_x:
    return ContextField{offsetof(WarpContext, clusterIdx), false};
  case Intrinsic::nvvm_read_ptx_sreg_clusterid_y:
    return ContextField{offsetof(WarpContext, clusterIdx) + word, false};
  case Intrinsic::nvvm_read_ptx_sreg_clusterid_z:
    return ContextField{offsetof(WarpContext, clusterIdx) + 2 * word, false};
  case Intrinsic::nvvm_read_ptx_sreg_nclusterid_x:
    return ContextField{offsetof(WarpContext, clusterGridDim), false};
  case Intrinsic::nvvm_read_ptx_sreg_nclusterid_y:
    return ContextField{offsetof(WarpContext, clusterGridDim) + word, false};
  case Intrinsic::nvvm_read_ptx_sreg_nclusterid_z:
    return ContextField{offsetof(WarpContext, clusterGridDim) + 2 * word, false};
  case Intrinsic::nvvm_read_ptx_sreg_cluster_ctaid_x:
    return ContextField{offsetof(WarpContext, blockInCluster), false};
  case Intrinsic::nvvm_read_ptx_sreg_cluster_ctaid_y:
    return ContextField{offsetof(WarpContext, blockInCluster) + word, false};
  case Intrinsic::nvvm_read_ptx_sreg_cluster_ctaid_z:
    return ContextField{offsetof(WarpContext, blockInCluster) + 2 * word, false};
  case Intrinsic::nvvm_read_ptx_sreg_cluster_nctaid_x:
    return ContextField{offsetof(WarpContext, clusterDim), false};
  case Intrinsic::nvvm_read_ptx_sreg_cluster_nctaid_y:
    return ContextField{offsetof(WarpContext, clusterDim) + word, false};
  case Intrinsic::nvvm_read_ptx_sreg_cluster_nctaid_z:
    return ContextField{offsetof(WarpContext, clusterDim) + 2 * word, false};
  case Intrinsic::nvvm_read_ptx_sreg_cluster_ctarank:
    return ContextField{offsetof(WarpContext, clusterRank), false};
  case Intrinsic::nvvm_read_ptx_sreg_cluster_nctarank:
    return ContextField{offsetof(WarpContext, clusterSize), false};
  default:
    return std::nullopt;
  }
}

std::optional<ContextField> fieldOf(Intrinsic::ID id) {
  constexpr std::size_t axis = sizeof(std::int32_t) * warpSize;
  constexpr std::size_t word = sizeof(std::int32_t);
  switch (id) {
  case Intrinsic::nvvm_read_ptx_sreg_tid_x:
    return ContextField{offsetof(WarpContext, threadIdx), true};
  case Intrinsic::nvvm_read_ptx_sreg_tid_y:
    return ContextField{offsetof(WarpContext, threadIdx) + axis, true};
  case Intrinsic::nvvm_read_ptx_sreg_tid_z:
    return ContextField{offsetof(WarpContext, threadIdx) + 2 * axis, true};
  case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
    return ContextField{offsetof(WarpContext, blockDim), false};
  case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
    return ContextField{offsetof(WarpContext, blockDim) + word, false};
  case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
    return ContextField{offsetof(WarpContext, blockDim) + 2 * word, false};
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
    return ContextField{offsetof(WarpContext, blockIdx), false};
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
    return ContextField{offsetof(WarpContext, blockIdx) + word, false};
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
    return ContextField{offsetof(WarpContext, blockIdx) + 2 * word, false};
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
    return ContextField{offsetof(WarpContext, gridDim), false};
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
    return ContextField{offsetof(WarpContext, gridDim) + word, false};
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
    return ContextField{offsetof(WarpContext, gridDim) + 2 * word, false};
  case Intrinsic::nvvm_read_ptx_sreg_smid:
    return ContextField{offsetof(WarpContext, multiprocessor), false};
  case Intrinsic::nvvm_read_ptx_sreg_nsmid:
    return ContextField{offsetof(WarpContext, multiprocessors), false};
  case Intrinsic::nvvm_read_ptx_sreg_gridid:
    return ContextField{offsetof(WarpContext, grid), false};
  default:
    return clusterFieldOf(id);
  }
}

/// Intrinsics that only speak to a compiler or a scheduler.
bool doesNothing(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::nvvm_membar_cta:
  case Intrinsic::nvvm_membar_gl:
  case Intrinsic::nvvm_membar_sys:
  case Intrinsic::nvvm_nanosleep:
  case Intrinsic::assume:
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::invariant_start:
  case Intrinsic::invariant_end:
  case Intrinsic::experimental_noalias_scope_decl:
  case Intrinsic::prefetch:
  case Intrinsic::sideeffect:
  case Intrinsic::stacksave:
  case Intrinsic::stackrestore:
    return true;
  default:
    return false;
  }
}

/// What a person would call the thing that is missing.
std::string featureName(const CallInst& call) {
  if (call.isInlineAsm())
    return "inline PTX ('" + cast<InlineAsm>(call.getCalledOperand())->getAsmString() + "')";
  const std::string name = call.getCalledFunction()->getName().str();
  const auto begins = [&](const char* prefix) { return StringRef(name).starts_with(prefix); };
  if (begins("llvm.nvvm.tex") || begins("llvm.nvvm.suld") || begins("llvm.nvvm.sust") ||
      begins("llvm.nvvm.tld4"))
    return fmt::format("textures and surfaces ('{}')", name);
  if (begins("llvm.nvvm.wmma") || begins("llvm.nvvm.mma"))
    return fmt::format("tensor core instructions ('{}')", name);
  if (begins("cudaLaunchDevice") || begins("cudaGetParameterBuffer"))
    return fmt::format("launches by kernels in the form before CUDA 12 ('{}')", name);
  if (begins("__cudaCDP2"))
    return fmt::format("'cuda{}' of device code", name.substr(std::size("__cudaCDP2") - 1));
  return fmt::format("'{}'", name);
}

} // namespace

void BlockCompiler::compileCall(CallInst& call) {
  if (lane_ != nullptr && kernel_.form == CodeForm::LaneByLane) {
    if (call.getMetadata(plainMetadata) != nullptr) // a barrier, for which no code need run
      return;
    if (isRealCall(call))
      return compileRealCall(call);
  }
  if (lane_ != nullptr) {
    unfit_ =
        isRealCall(call) || call.isInlineAsm() ||
        !(doesNothing(call.getIntrinsicID()) || compileThreadIdentity(call) || compileMath(call));
    return;
  }
  if (isRealCall(call))
    return compileRealCall(call);
  if (call.isInlineAsm())
    return refuse(call, featureName(call));
  if (doesNothing(call.getIntrinsicID()) || compileThreadIdentity(call) ||
      compileWarpFunction(call) || compileHelper(call) || compileCluster(call) ||
      compileTexture(call) || compileDeviceLaunch(call) || compileSpaceQuery(call) ||
      compileMath(call))
    return;
  const Function& callee = *call.getCalledFunction();
  if (const MDNode* refused = call.getMetadata(ptx::refusedName))
    return refuse(call, cast<MDString>(refused->getOperand(0))->getString().str());
  if (callee.getName() == "cudaDeviceSynchronize")
    return refuseWith(call, "device code cannot wait for its children since CUDA 12; launch what "
                            "comes behind them into cudaStreamTailLaunch");
  if (callee.isIntrinsic() || callee.getName().starts_with("__cudaCDP2") ||
      callee.getName().starts_with("cuda"))
    return refuse(call, featureName(call));
  refuseWith(call, fmt::format("no file of the program defines '{}' for the device",
                               demangle(callee.getName().str())));
}

/// The last thing its block does: leaves arguments and targets for the run of the warp, which
/// calls.
void BlockCompiler::compileRealCall(CallInst& call) {
  if (call.getFunctionType()->isVarArg())
    return refuse(call, "functions with a variable number of arguments");
  Value* outgoing = contextField(offsetof(WarpContext, outgoing), builder_.getPtrTy());
  unsigned offset = 0;
  for (Value* argument : call.args()) {
    const std::vector<Part> parts = partsOf(argument->getType());
    for (unsigned part = 0; part < parts.size(); ++part) {
      Value* value = vector(argument, part);
      Value* where = place(outgoing, offset + parts[part].offset);
      if (lane_ != nullptr)
        storeLane(where, value);
      else if (parts[part].type->isIntegerTy(1))
        builder_.CreateStore(bits(value), where);
      else
        builder_.CreateAlignedStore(value, where, Align(slotAlignment));
    }
    offset += slotSize(argument->getType(), types());
  }
  if (isa<Function>(call.getCalledOperand()->stripPointerCasts()))
    return;
  Value* targets =
      builder_.CreatePtrToInt(vector(call.getCalledOperand()), vectorType(builder_.getInt64Ty()));
  Value* where = place(warp_, offsetof(WarpContext, callTargets));
  if (lane_ != nullptr)
    storeLane(where, targets);
  else
    builder_.CreateAlignedStore(targets, where, Align(8));
}

bool BlockCompiler::compileThreadIdentity(CallInst& call) {
  const Intrinsic::ID id = call.getIntrinsicID();
  if (const auto field = fieldOf(id)) {
    Type* type = field->perLane ? vectorType(call.getType()) : call.getType();
    Value* where = place(warp_, unsigned(field->offset));
    if (field->perLane && lane_ != nullptr)
      where = builder_.CreateGEP(type, where, lane_);
    define(call, builder_.CreateAlignedLoad(type, where, Align(4)));
    return true;
  }
  switch (id) {
  case Intrinsic::nvvm_read_ptx_sreg_warpsize:
    define(call, splat(builder_.getInt32(warpSize)));
    return true;
  case Intrinsic::nvvm_read_ptx_sreg_laneid:
    define(call, laneNumbers());
    return true;
  case Intrinsic::nvvm_read_ptx_sreg_lanemask_eq:
    define(call, builder_.CreateShl(splat(builder_.getInt32(1)), laneNumbers()));
    return true;
  case Intrinsic::nvvm_read_ptx_sreg_lanemask_lt:
    define(call, builder_.CreateNot(
                     builder_.CreateShl(splat(builder_.getInt32(allLanes)), laneNumbers())));
    return true;
  case Intrinsic::nvvm_read_ptx_sreg_clock:
  case Intrinsic::nvvm_read_ptx_sreg_clock64:
  case Intrinsic::nvvm_read_ptx_sreg_globaltimer:
    if (lane_ != nullptr)
      return false;
    define(call, builder_.CreateTrunc(readClock(call), vectorType(call.getType())));
    return true;
  default:
    return false;
  }
}

/// Instructions of this warp so far stand for cycles, unless the clock is fixed.
Value* BlockCompiler::readClock(const CallInst& call) {
  std::uint64_t before = 0;
  for (const Instruction& other : *call.getParent()) {
    if (&other == &call)
      break;
    ++before;
  }
  Value* now =
      builder_.CreateAdd(contextField(offsetof(WarpContext, instructions), builder_.getInt64Ty()),
                         builder_.getInt64(before));
  AllocaInst* values = spill(splat(now));
  Value* fixed = contextField(offsetof(WarpContext, fixedClock), builder_.getInt32Ty());
  ifThenElse(
      builder_.CreateIsNull(fixed), [] {},
      [&] {
        callHelper("heddleReadFixedClock", builder_.getVoidTy(), {warp_, activeMask_, values});
      });
  return builder_.CreateLoad(vectorType(builder_.getInt64Ty()), values);
}

/// What the lanes here say at a barrier, beside what others have said.
void BlockCompiler::noteVotes(CallInst& call) {
  Type* word = builder_.getInt32Ty();
  Value* yes = builder_.CreateICmpNE(vector(call.getArgOperand(0)),
                                     Constant::getNullValue(vectorType(word)));
  Value* where = place(warp_, offsetof(WarpContext, barrierVotes));
  Value* others =
      builder_.CreateAnd(builder_.CreateLoad(word, where), builder_.CreateNot(activeMask_));
  builder_.CreateStore(builder_.CreateOr(others, builder_.CreateAnd(bits(yes), activeMask_)),
                       where);
}

/// What a block asks about the others of its cluster.
bool BlockCompiler::compileCluster(CallInst& call) {
  Type* word = builder_.getInt32Ty();
  Type* wide = builder_.getInt64Ty();
  const StringRef name = call.getCalledFunction()->getName();
  if (name == ptx::isClusterName) {
    define(call, splat(contextField(offsetof(WarpContext, asksForClusters), word)));
    return true;
  }
  if (name != ptx::mapSharedName && name != ptx::sharedRankName)
    return false;
  Values operands;
  for (Value* argument : call.args())
    operands.push_back(vector(argument));
  define(call,
         forEachLane(activeMask_, call.getType(), operands, [&](Value*, ArrayRef<Value*> values) {
           return name == ptx::sharedRankName
                      ? callHelper("heddleSharedRank", word, {warp_, values[0]})
                      : callHelper("heddleMapShared", wide, {warp_, values[0], values[1]});
         }));
  return true;
}

/// The number of an address in the shared memory of any block of the cluster.
Value* BlockCompiler::shortAddress(Value* address) {
  Type* wide = builder_.getInt64Ty();
  const auto ofOne = [&](Value*, ArrayRef<Value*> values) {
    return callHelper("heddleShortAddress", wide, {warp_, values[0]});
  };
  if (!address->getType()->isVectorTy())
    return ofOne(nullptr, {address});
  return forEachLane(activeMask_, wide, {address}, ofOne);
}

/// What the engine does for a kernel: barriers, printing, stopping.
bool BlockCompiler::compileHelper(CallInst& call) {
  Type* word = builder_.getInt32Ty();
  Type* nothing = builder_.getVoidTy();
  const StringRef name = call.getCalledFunction()->getName();
  const auto operands = [&] {
    Values values;
    for (Value* argument : call.args())
      values.push_back(vector(argument));
    return values;
  };
  if (name == barrierName && call.getMetadata(plainMetadata) != nullptr) {
    // Nobody reads the votes of a plain barrier.
  } else if (name == barrierName) {
    noteVotes(call);
  } else if (name == barrierNumberName || name == ptx::arriveName) {
    callHelper("heddleNameBarrier", nothing,
               {warp_, builder_.getInt32(kernel_.sites.add(call)), activeMask_,
                spill(vector(call.getArgOperand(0))), spill(vector(call.getArgOperand(1))),
                builder_.getInt32(name == barrierNumberName ? 1 : 0)});
  } else if (name == barrierCountName) {
    define(call, splat(contextField(offsetof(WarpContext, barrierCount), word)));
  } else if (name == barrierAllName) {
    define(call, splat(contextField(offsetof(WarpContext, barrierAll), word)));
  } else if (call.getIntrinsicID() == Intrinsic::nvvm_bar_warp_sync) {
    builder_.CreateStore(orOfLanes(call.getArgOperand(0)),
                         place(warp_, offsetof(WarpContext, warpSyncMask)));
  } else if (name == "vprintf") {
    define(call,
           forEachLane(activeMask_, word, operands(), [&](Value* lane, ArrayRef<Value*> values) {
             return callHelper("heddlePrint", word, {warp_, lane, values[0], values[1]});
           }));
  } else if (name == "__assertfail") {
    forEachLane(activeMask_, nothing, operands(),
                [&](Value* lane, ArrayRef<Value*> values) -> Value* {
                  return callHelper("heddleAssert", nothing,
                                    {warp_, lane, values[0], values[1], values[2], values[3]});
                });
  } else if (name == "malloc") {
    define(call, forEachLane(activeMask_, builder_.getPtrTy(), operands(),
                             [&](Value*, ArrayRef<Value*> values) {
                               return callHelper("heddleMalloc", builder_.getPtrTy(),
                                                 {warp_, values[0]});
                             }));
  } else if (name == "free") {
    forEachLane(activeMask_, nothing, operands(),
                [&](Value* lane, ArrayRef<Value*> values) -> Value* {
                  return callHelper("heddleFree", nothing, {warp_, lane, values[0]});
                });
  } else if (call.getIntrinsicID() == Intrinsic::trap ||
             call.getIntrinsicID() == Intrinsic::debugtrap) {
    callHelper("heddleTrap", nothing,
               {warp_, builder_.getInt32(kernel_.sites.add(call)), activeMask_});
  } else {
    return false;
  }
  return true;
}

bool BlockCompiler::compileSpaceQuery(CallInst& call) {
  const Intrinsic::ID id = call.getIntrinsicID();
  if (id != Intrinsic::nvvm_isspacep_shared && id != Intrinsic::nvvm_isspacep_global &&
      id != Intrinsic::nvvm_isspacep_local && id != Intrinsic::nvvm_isspacep_const &&
      id != Intrinsic::nvvm_isspacep_shared_cluster)
    return false;
  if (const auto* variable = dyn_cast<GlobalVariable>(getUnderlyingObject(call.getArgOperand(0)))) {
    constexpr unsigned constantAddressSpace = 4;
    if (variable->getAddressSpace() == constantAddressSpace) {
      define(call, splat(builder_.getInt1(id == Intrinsic::nvvm_isspacep_const)));
      return true;
    }
  }
  Value* addresses =
      builder_.CreatePtrToInt(vector(call.getArgOperand(0)), vectorType(builder_.getInt64Ty()));
  Value* space = forEachLane(
      activeMask_, builder_.getInt32Ty(), {addresses}, [&](Value*, ArrayRef<Value*> lane) {
        return callHelper("heddleSpaceOf", builder_.getInt32Ty(), {warp_, lane[0]});
      });
  const auto is = [&](profile::MemorySpace wanted) {
    return builder_.CreateICmpEQ(space, ConstantInt::get(space->getType(), unsigned(wanted)));
  };
  if (id == Intrinsic::nvvm_isspacep_const)
    define(call, splat(builder_.getFalse()));
  else if (id == Intrinsic::nvvm_isspacep_shared_cluster)
    define(call, builder_.CreateOr(is(profile::MemorySpace::Shared),
                                   builder_.CreateICmpEQ(
                                       space, ConstantInt::get(space->getType(), othersShared))));
  else
    define(call, is(id == Intrinsic::nvvm_isspacep_shared   ? profile::MemorySpace::Shared
                    : id == Intrinsic::nvvm_isspacep_global ? profile::MemorySpace::Global
                                                            : profile::MemorySpace::Local));
  return true;
}

bool BlockCompiler::compileMath(CallInst& call) {
  if (call.getType()->isVoidTy())
    return false;
  const bool uniform = layout_.isUniform(&call);
  Values operands;
  for (Value* operand : call.args())
    operands.push_back(uniform ? scalar(operand) : vector(operand));
  if (isa<WithOverflowInst>(call)) {
    Value* pair =
        builder_.CreateIntrinsic(call.getIntrinsicID(), {operands[0]->getType()}, operands);
    defineParts(call, {builder_.CreateExtractValue(pair, 0), builder_.CreateExtractValue(pair, 1)});
    return true;
  }
  Type* type = uniform ? laneType(call.getType()) : vectorType(call.getType());
  const StringRef name = call.getCalledFunction()->getName();
  if (Value* made = buildVectorMath(builder_, name, operands, type)) {
    define(call, made);
    return true;
  }
  if (const void* address = scalarMath(name)) {
    const std::string symbol = "heddle.math." + name.str();
    kernel_.symbols[symbol] = address;
    const FunctionCallee function =
        kernel_.module.getOrInsertFunction(symbol, call.getFunctionType());
    const auto callOnce = [&](Value*, ArrayRef<Value*> lane) -> Value* {
      return builder_.CreateCall(function, lane);
    };
    define(call, uniform || lane_ != nullptr
                     ? callOnce(nullptr, operands)
                     : forEachLane(activeMask_, call.getType(), operands, callOnce));
    return true;
  }
  const Intrinsic::ID id = call.getIntrinsicID();
  if (id == Intrinsic::not_intrinsic || !isTriviallyVectorizable(id))
    return false;
  SmallVector<Type*, 2> overloads;
  if (isVectorIntrinsicWithOverloadTypeAtArg(id, -1))
    overloads.push_back(type);
  for (unsigned index = 0; index < call.arg_size(); ++index) {
    if (isVectorIntrinsicWithScalarOpAtArg(id, index)) // a constant; powi is in ScalarMath
      operands[index] = scalar(call.getArgOperand(index));
    if (isVectorIntrinsicWithOverloadTypeAtArg(id, int(index)))
      overloads.push_back(operands[index]->getType());
  }
  define(call, builder_.CreateIntrinsic(id, overloads, operands));
  return true;
}

} // namespace heddle::engine
