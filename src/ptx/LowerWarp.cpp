// SPDX-License-Identifier: Apache-2.0
//
// What threads do together: barriers, votes, shuffles, matches, reductions.
#include "ptx/FunctionLowering.h"
#include "ptx/ReadPtx.h"
#include "ptx/Rows.h"

#include <llvm/IR/IntrinsicsNVPTX.h>

namespace heddle::ptx {

using namespace llvm;

namespace {

/// Barrier 0 for all threads of the block is what __syncthreads() is.
bool isBarrierOfAll(const Form& form, std::size_t at, bool counted) {
  const Operand& number = form.operand(at);
  return number.kind == Operand::Kind::Integer && number.bits == 0 && !counted;
}

/// A call of `heddle.bar.<what>` with the number, the count and what else there is.
Value* callBarrier(FunctionLowering& f, const Form& form, std::size_t at, bool counted,
                   std::string_view what, Value* vote) {
  IRBuilder<>& builder = f.builder();
  Type* word32 = builder.getInt32Ty();
  SmallVector<Value*, 3> operands = {f.read(form.operand(at), word),
                                     counted ? f.read(form.operand(at + 1), word)
                                             : builder.getInt32(0)};
  if (vote != nullptr)
    operands.push_back(vote);
  const bool gives = what == "popc" || what == "and" || what == "or";
  const SmallVector<Type*, 3> types(operands.size(), word32);
  FunctionCallee callee = f.function().getParent()->getOrInsertFunction(
      barrierPrefix + std::string(what),
      FunctionType::get(gives ? word32 : builder.getVoidTy(), types, false));
  auto* made = cast<llvm::Function>(callee.getCallee());
  made->setConvergent();
  made->setDoesNotThrow();
  return builder.CreateCall(callee, operands);
}

} // namespace

/// `bar.sync a{, b};`
void lowerBar(FunctionLowering& f, const Form& form) {
  const bool counted = form.size() > 1;
  if (isBarrierOfAll(form, 0, counted))
    f.builder().CreateIntrinsic(Intrinsic::nvvm_barrier0, {}, {});
  else
    callBarrier(f, form, 0, counted, "sync", f.builder().getInt32(0));
}

/// `bar.arrive a, b;`
void lowerBarArrive(FunctionLowering& f, const Form& form) {
  callBarrier(f, form, 0, true, "arrive", nullptr);
}

/// `bar.red.popc.u32 d, a{, b}, p;`
void lowerBarRed(FunctionLowering& f, const Form& form) {
  const bool counted = form.size() > 3;
  const std::string_view what = form.oneOf({"popc", "and", "or"});
  if (what.empty())
    return f.refuse(form);
  Value* vote = f.builder().CreateZExt(f.read(form.operand(form.size() - 1), truth),
                                       f.builder().getInt32Ty());
  Value* result = nullptr;
  if (isBarrierOfAll(form, 1, counted)) {
    const Intrinsic::ID id = what == "popc"  ? Intrinsic::nvvm_barrier0_popc
                             : what == "and" ? Intrinsic::nvvm_barrier0_and
                                             : Intrinsic::nvvm_barrier0_or;
    result = f.builder().CreateIntrinsic(id, {}, {vote});
  } else {
    result = callBarrier(f, form, 1, counted, what, vote);
  }
  f.write(form.operand(0), what == "popc" ? result : f.builder().CreateIsNotNull(result));
}

void lowerWarpSync(FunctionLowering& f, const Form& form) {
  f.builder().CreateIntrinsic(Intrinsic::nvvm_bar_warp_sync, {}, {f.read(form.operand(0), word)});
}

/// `shfl.sync.idx.b32 d|p, a, b, c, mask`
void lowerShfl(FunctionLowering& f, const Form& form) {
  const std::string_view mode = form.oneOf({"up", "down", "bfly", "idx"});
  if (mode.empty() || !form.has("sync"))
    return f.refuse(form);
  static const std::map<std::string_view, Intrinsic::ID> modes = {
      {"up", Intrinsic::nvvm_shfl_sync_up_i32p},
      {"down", Intrinsic::nvvm_shfl_sync_down_i32p},
      {"bfly", Intrinsic::nvvm_shfl_sync_bfly_i32p},
      {"idx", Intrinsic::nvvm_shfl_sync_idx_i32p}};
  static const std::map<std::string_view, Intrinsic::ID> plain = {
      {"up", Intrinsic::nvvm_shfl_sync_up_i32},
      {"down", Intrinsic::nvvm_shfl_sync_down_i32},
      {"bfly", Intrinsic::nvvm_shfl_sync_bfly_i32},
      {"idx", Intrinsic::nvvm_shfl_sync_idx_i32}};
  const Operand& to = form.operand(0);
  Value* operands[] = {f.read(form.operand(4), word), f.read(form.operand(1), word),
                       f.read(form.operand(2), word), f.read(form.operand(3), word)};
  if (to.kind != Operand::Kind::Pair || !f.isRead(to.parts[1]))
    return f.write(to.kind == Operand::Kind::Pair ? to.parts[0] : to,
                   f.builder().CreateIntrinsic(plain.at(mode), {}, operands));
  Value* both = f.builder().CreateIntrinsic(modes.at(mode), {}, operands);
  f.write(to.parts[0], f.builder().CreateExtractValue(both, 0));
  f.write(to.parts[1], f.builder().CreateExtractValue(both, 1));
}

void lowerVote(FunctionLowering& f, const Form& form) {
  if (!form.has("sync"))
    return f.refuse(form);
  const Intrinsic::ID id = form.has("ballot") ? Intrinsic::nvvm_vote_ballot_sync
                           : form.has("all")  ? Intrinsic::nvvm_vote_all_sync
                           : form.has("any")  ? Intrinsic::nvvm_vote_any_sync
                                              : Intrinsic::nvvm_vote_uni_sync;
  f.write(form.operand(0),
          f.builder().CreateIntrinsic(
              id, {}, {f.read(form.operand(2), word), f.read(form.operand(1), truth)}));
}

void lowerMatch(FunctionLowering& f, const Form& form) {
  const bool wide = form.type().bits == 64;
  Value* operands[] = {f.read(form.operand(2), word), f.read(form.operand(1), form.type())};
  const Operand& to = form.operand(0);
  if (form.has("any"))
    return f.write(to, f.builder().CreateIntrinsic(wide ? Intrinsic::nvvm_match_any_sync_i64
                                                        : Intrinsic::nvvm_match_any_sync_i32,
                                                   {}, operands));
  Value* both = f.builder().CreateIntrinsic(wide ? Intrinsic::nvvm_match_all_sync_i64p
                                                 : Intrinsic::nvvm_match_all_sync_i32p,
                                            {}, operands);
  f.write(to.kind == Operand::Kind::Pair ? to.parts[0] : to,
          f.builder().CreateExtractValue(both, 0));
  if (to.kind == Operand::Kind::Pair)
    f.write(to.parts[1], f.builder().CreateExtractValue(both, 1));
}

void lowerRedux(FunctionLowering& f, const Form& form) {
  const bool isSigned = form.type().isSigned();
  const Intrinsic::ID id =
      form.has("add")   ? Intrinsic::nvvm_redux_sync_add
      : form.has("and") ? Intrinsic::nvvm_redux_sync_and
      : form.has("or")  ? Intrinsic::nvvm_redux_sync_or
      : form.has("xor") ? Intrinsic::nvvm_redux_sync_xor
      : form.has("min")
          ? (isSigned ? Intrinsic::nvvm_redux_sync_min : Intrinsic::nvvm_redux_sync_umin)
          : (isSigned ? Intrinsic::nvvm_redux_sync_max : Intrinsic::nvvm_redux_sync_umax);
  f.write(form.operand(0),
          f.builder().CreateIntrinsic(
              id, {}, {f.read(form.operand(1), form.type()), f.read(form.operand(2), word)}));
}

/// Minimum and maximum of floats as those of integers in the same order. A NaN is the last of all
/// that could be chosen, or the first with `.NaN`.
void lowerFloatRedux(FunctionLowering& f, const Form& form) {
  IRBuilder<>& builder = f.builder();
  const bool isMin = form.has("min");
  if (!isMin && !form.has("max"))
    return f.refuse(form);
  Value* bits = f.read(form.operand(1), word);
  Value* size = builder.CreateAnd(bits, 0x7fffffff);
  if (form.has("abs"))
    bits = size;
  const auto ordered = [&](Value* value) { // its own inverse
    return builder.CreateXor(value, builder.CreateLShr(builder.CreateAShr(value, 31), 1));
  };
  const bool highest = isMin != form.has("NaN");
  Value* key =
      builder.CreateSelect(builder.CreateICmpUGT(size, builder.getInt32(0x7f800000)),
                           builder.getInt32(highest ? 0x7fffffff : 0x80000000), ordered(bits));
  Value* found = ordered(builder.CreateIntrinsic(isMin ? Intrinsic::nvvm_redux_sync_min
                                                       : Intrinsic::nvvm_redux_sync_max,
                                                 {}, {key, f.read(form.operand(2), word)}));
  Value* isNan =
      builder.CreateICmpUGT(builder.CreateAnd(found, 0x7fffffff), builder.getInt32(0x7f800000));
  f.write(form.operand(0), builder.CreateSelect(isNan, builder.getInt32(0x7fffffff), found));
}

/// The lowest lane of the mask leads: `elect.sync d|p, mask`.
void lowerElect(FunctionLowering& f, const Form& form) {
  const Operand& to = form.operand(0);
  if (to.kind != Operand::Kind::Pair)
    return f.refuse(form);
  IRBuilder<>& builder = f.builder();
  Value* there = builder.CreateIntrinsic(Intrinsic::nvvm_vote_ballot_sync, {},
                                         {f.read(form.operand(1), word), builder.getTrue()});
  Value* leader = builder.CreateBinaryIntrinsic(Intrinsic::cttz, there, builder.getFalse());
  Operand lane;
  lane.name = "%laneid";
  f.write(to.parts[0], leader);
  f.write(to.parts[1], builder.CreateICmpEQ(leader, f.read(lane, word)));
}

void lowerActivemask(FunctionLowering& f, const Form& form) {
  f.write(form.operand(0), f.builder().CreateIntrinsic(Intrinsic::nvvm_activemask, {}, {}));
}

void lowerNanosleep(FunctionLowering& f, const Form& form) {
  f.builder().CreateIntrinsic(Intrinsic::nvvm_nanosleep, {}, {f.read(form.operand(0), word)});
}

} // namespace heddle::ptx
