// SPDX-License-Identifier: Apache-2.0
//
// What threads do together: barriers, votes, shuffles, matches, reductions.
#include "ptx/FunctionLowering.h"
#include "ptx/Rows.h"

#include <llvm/IR/IntrinsicsNVPTX.h>

namespace heddle::ptx {

using namespace llvm;

namespace {

/// The engine has the barrier of number 0, which all threads of the block come to.
bool isBarrierOfAll(const Operand& operand) {
  return operand.kind == Operand::Kind::Integer && operand.bits == 0;
}

} // namespace

void lowerBar(FunctionLowering& f, const Form& form) {
  if (!isBarrierOfAll(form.operand(0)))
    return f.refuse(form, "only barrier 0 is known");
  f.builder().CreateIntrinsic(Intrinsic::nvvm_barrier0, {}, {});
}

void lowerBarRed(FunctionLowering& f, const Form& form) {
  if (!isBarrierOfAll(form.operand(1)))
    return f.refuse(form, "only barrier 0 is known");
  const Intrinsic::ID id = form.has("popc")  ? Intrinsic::nvvm_barrier0_popc
                           : form.has("and") ? Intrinsic::nvvm_barrier0_and
                                             : Intrinsic::nvvm_barrier0_or;
  Value* vote = f.builder().CreateZExt(f.read(form.operand(2), truth), f.builder().getInt32Ty());
  Value* result = f.builder().CreateIntrinsic(id, {}, {vote});
  f.write(form.operand(0), form.has("popc") ? result : f.builder().CreateIsNotNull(result));
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
