// SPDX-License-Identifier: Apache-2.0
#include "ptx/InstructionTable.h"

#include "ptx/Rows.h"

#include <algorithm>
#include <array>

namespace heddle::ptx {
namespace {

#define HEDDLE_COMPARISONS                                                                         \
  "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan and or xor ftz"
#define HEDDLE_ORDERS                                                                              \
  "relaxed acquire release acq_rel sc weak volatile cta cluster gpu sys global shared "            \
  "shared::cta shared::cluster "
#define HEDDLE_HINTS                                                                               \
  "L1::evict_normal L1::evict_first L1::evict_last L1::evict_unchanged L1::no_allocate "           \
  "L2::64B L2::128B L2::256B L2::cache_hint L2::evict_normal L2::evict_first L2::evict_last "      \
  "ca cg cs lu cv wb wt nc unified mmio "

#define HEDDLE_SHAPES "m16n16k16 m32n8k16 m8n32k16 m16n16k8 m8n8k4 "
#define HEDDLE_SMALL "f16 f16x2 bf16 bf16x2"

#define HEDDLE_PAIRS "u16x2 s16x2"
#define HEDDLE_POLICIES "L2::evict_normal L2::evict_first L2::evict_last L2::evict_unchanged "

/// What a video instruction may do with its result.
#define HEDDLE_SECOND "sat add min max"

constexpr auto none = Effect::None;
constexpr auto acts = Effect::Acts;

/// Sorted by opcode. Of several rows of one opcode the first that fits is taken.
constexpr Row rows[] = {
    {"abs", "", "s16 s32 s64", 2, 2, none, lowerIntegerAbs},
    {"abs", "ftz", "f32 f64", 2, 2, none, lowerFloatAbs},
    {"abs", "ftz", HEDDLE_SMALL, 2, 2, none, lowerSmall},
    {"activemask", "", "b32", 1, 1, acts, lowerActivemask},
    {"add", "", "u16 u32 u64 s16 s32 s64", 3, 3, none, lowerIntegerAdd},
    {"add", "sat", "s32", 3, 3, none, lowerIntegerAdd},
    {"add", "cc", "u32 u64 s32 s64", 3, 3, none, lowerAddCarry},
    {"add", "", HEDDLE_PAIRS, 3, 3, none, lowerPairs},
    {"add", "rn rz rm rp ftz sat", "f32 f64", 3, 3, none, lowerFloatAdd},
    {"add", "rn ftz sat", HEDDLE_SMALL, 3, 3, none, lowerSmall},
    {"addc", "cc", "u32 u64 s32 s64", 3, 3, none, lowerAddCarry},
    {"and", "", "pred b16 b32 b64", 3, 3, none, lowerLogic},
    {"applypriority", "global L2::evict_normal", "-", 2, 2, acts, lowerNothing},
    {"atom", HEDDLE_ORDERS "add min max inc dec and or xor exch cas noftz L2::cache_hint",
     "b32 b64 u32 u64 s32 s64 f32 f64", 3, 5, acts, lowerAtom},
    {"atom", HEDDLE_ORDERS "add min max noftz v2 v4 v8 L2::cache_hint", HEDDLE_SMALL " f32", 3, 4,
     acts, lowerAtom},
    {"atom", HEDDLE_ORDERS "cas exch L2::cache_hint", "b16 b128", 3, 5, acts, lowerAtom},
    {"bar", "sync cta", "-", 1, 2, acts, lowerBar},
    {"bar", "arrive cta", "-", 2, 2, acts, lowerBarArrive},
    {"bar", "red popc cta", "u32", 3, 4, acts, lowerBarRed},
    {"bar", "red and or cta", "pred", 3, 4, acts, lowerBarRed},
    {"bar", "warp sync", "-", 1, 1, acts, lowerWarpSync},
    {"barrier", "cluster arrive release relaxed aligned", "-", 0, 0, acts, lowerClusterArrive},
    {"barrier", "cluster wait acquire aligned", "-", 0, 0, acts, lowerClusterWait},
    {"barrier", "sync cta aligned", "-", 1, 2, acts, lowerBar},
    {"barrier", "arrive cta aligned", "-", 2, 2, acts, lowerBarArrive},
    {"barrier", "red popc cta aligned", "u32", 3, 4, acts, lowerBarRed},
    {"barrier", "red and or cta aligned", "pred", 3, 4, acts, lowerBarRed},
    {"bfe", "", "u32 u64 s32 s64", 4, 4, none, lowerBfe},
    {"bfi", "", "b32 b64", 5, 5, none, lowerBfi},
    {"bfind", "shiftamt", "u32 u64 s32 s64", 2, 2, none, lowerBfind},
    {"bmsk", "clamp wrap", "b32", 3, 3, none, lowerBmsk},
    {"bra", "uni", "-", 1, 1, acts, lowerBra},
    {"brev", "", "b32 b64", 2, 2, none, lowerBrev},
    {"brkpt", "", "-", 0, 0, acts, lowerTrap},
    {"brx", "idx uni", "-", 2, 2, acts, lowerBrx},
    {"call", "uni", "-", 1, 4, acts, lowerCall},
    {"clz", "", "b32 b64", 2, 2, none, lowerClz},
    {"cnot", "", "b16 b32 b64", 2, 2, none, lowerCnot},
    {"copysign", "", "f32 f64", 3, 3, none, lowerCopysign},
    {"cos", "approx ftz", "f32", 2, 2, none, lowerApproximate},
    {"cp", "async ca cg shared shared::cta global L2::64B L2::128B L2::256B L2::cache_hint", "-", 3,
     5, acts, lowerCpAsync},
    {"cp", "async commit_group wait_all", "-", 0, 0, acts, lowerNothing},
    {"cp", "async wait_group", "-", 1, 1, acts, lowerNothing},
    {"cp", "async mbarrier arrive shared shared::cta", "b64", 1, 1, acts, lowerNothing},
    {"cp", "async mbarrier arrive noinc shared shared::cta", "b64", 1, 1, acts, lowerCopiesArrive},
    {"createpolicy", "fractional range cvt global L2 " HEDDLE_POLICIES, "b64", 1, 4, none,
     lowerCreatepolicy},
    {"cvt", "rn rz rm rp rni rzi rmi rpi rna ftz sat relu satfinite",
     "u8 u16 u32 u64 s8 s16 s32 s64 f16 f32 f64 b8 b16 b32 b64 bf16", 2, 2, none, lowerCvt},
    {"cvt", "pack sat", "s32", 3, 3, none, lowerPack},
    {"cvt", "pack sat", "b32", 4, 4, none, lowerPack},
    {"cvt", "rn rz relu satfinite", "f32", 3, 3, none, lowerPackedCvt},
    {"cvt", "rn relu satfinite", "f16x2 bf16x2 e4m3x2 e5m2x2", 2, 2, none, lowerPackedCvt},
    {"cvta", "to global shared shared::cta shared::cluster local const param", "u32 u64", 2, 2,
     none, lowerCvta},
    {"discard", "global L2", "-", 2, 2, acts, lowerNothing},
    {"div", "", "u16 u32 u64 s16 s32 s64", 3, 3, none, lowerDiv},
    {"div", "rn rz rm rp approx full ftz", "f32 f64", 3, 3, none, lowerFloatDiv},
    {"dp2a", "lo hi", "u32 s32", 4, 4, none, lowerDot},
    {"dp4a", "", "u32 s32", 4, 4, none, lowerDot},
    {"elect", "sync", "-", 2, 2, acts, lowerElect},
    {"ex2", "approx ftz", "f32", 2, 2, none, lowerApproximate},
    {"ex2", "approx ftz", HEDDLE_SMALL, 2, 2, none, lowerSmallApproximate},
    {"exit", "", "-", 0, 0, acts, lowerExit},
    {"fence", "sc acq_rel acquire release cta cluster gpu sys", "-", 0, 0, acts, lowerFence},
    {"fence", "proxy alias async global shared::cta", "-", 0, 0, acts, lowerNothing},
    {"fma", "rn rz rm rp ftz sat", "f32 f64", 4, 4, none, lowerFma},
    {"fma", "rn ftz sat relu", HEDDLE_SMALL, 4, 4, none, lowerSmall},
    {"fns", "", "b32", 4, 4, none, lowerFns},
    {"getctarank", "shared::cluster", "u32 u64", 2, 2, none, lowerGetctarank},
    {"griddepcontrol", "wait launch_dependents", "-", 0, 0, acts, lowerNothing},
    {"isspacep", "global shared shared::cta shared::cluster local const", "-", 2, 2, none,
     lowerIsspacep},
    {"ld", HEDDLE_ORDERS HEDDLE_HINTS "local const param param::entry param::func v2 v4 v8",
     "b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f16 f32 f64", 2, 3, acts, lowerLd},
    {"ldmatrix", "sync aligned m8n8 x1 x2 x4 trans shared shared::cta", "b16", 2, 2, acts,
     lowerLdmatrix},
    {"ldu", "global v2 v4", "b8 b16 b32 b64 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64", 2, 2, acts,
     lowerLd},
    {"lg2", "approx ftz", "f32", 2, 2, none, lowerApproximate},
    {"lop3", "", "b32", 5, 5, none, lowerLop3},
    {"lop3", "and or", "b32", 6, 6, none, lowerLop3Joined},
    {"mad", "lo hi wide", "u16 u32 u64 s16 s32 s64", 4, 4, none, lowerIntegerMad},
    {"mad", "hi sat", "s32", 4, 4, none, lowerIntegerMad},
    {"mad", "lo hi cc", "u32 u64 s32 s64", 4, 4, none, lowerMadCarry},
    {"mad", "rn rz rm rp ftz sat", "f32 f64", 4, 4, none, lowerFma},
    {"mad24", "lo hi", "u32 s32", 4, 4, none, lowerMad24},
    {"mad24", "hi sat", "s32", 4, 4, none, lowerMad24},
    {"madc", "lo hi cc", "u32 u64 s32 s64", 4, 4, none, lowerMadCarry},
    {"mapa", "shared::cluster", "u32 u64", 3, 3, none, lowerMapa},
    {"match", "any all sync", "b32 b64", 3, 3, acts, lowerMatch},
    {"max", "", "u16 u32 u64 s16 s32 s64", 3, 3, none, lowerIntegerMinMax},
    {"max", "relu", "s32", 3, 3, none, lowerIntegerMinMax},
    {"max", "", "u16x2", 3, 3, none, lowerPairs},
    {"max", "relu", "s16x2", 3, 3, none, lowerPairs},
    {"max", "ftz NaN xorsign abs", "f32 f64", 3, 3, none, lowerFloatMinMax},
    {"max", "ftz NaN xorsign abs", HEDDLE_SMALL, 3, 3, none, lowerSmall},
    {"mbarrier", "init shared shared::cta", "b64", 2, 2, acts, lowerMbarrierInit},
    {"mbarrier", "inval shared shared::cta", "b64", 1, 1, acts, lowerNothing},
    {"mbarrier", "arrive noComplete release relaxed cta shared shared::cta", "b64", 2, 3, acts,
     lowerMbarrierArrive},
    {"mbarrier", "test_wait try_wait parity acquire relaxed cta shared shared::cta", "b64", 3, 4,
     acts, lowerMbarrierWait},
    {"membar", "cta gl sys", "-", 0, 0, acts, lowerFence},
    {"membar", "proxy alias", "-", 0, 0, acts, lowerNothing},
    {"min", "", "u16 u32 u64 s16 s32 s64", 3, 3, none, lowerIntegerMinMax},
    {"min", "relu", "s32", 3, 3, none, lowerIntegerMinMax},
    {"min", "", "u16x2", 3, 3, none, lowerPairs},
    {"min", "relu", "s16x2", 3, 3, none, lowerPairs},
    {"min", "ftz NaN xorsign abs", "f32 f64", 3, 3, none, lowerFloatMinMax},
    {"min", "ftz NaN xorsign abs", HEDDLE_SMALL, 3, 3, none, lowerSmall},
    {"mma",
     "sync aligned m16n8k4 m16n8k8 m16n8k16 m16n8k32 m8n8k4 m8n8k16 row col satfinite e4m3 e5m2",
     "f16 f32 f64 s32", 4, 4, acts, lowerMma},
    {"mov", "", "pred b16 b32 b64 b128 u16 u32 u64 s16 s32 s64 f32 f64", 2, 2, none, lowerMov},
    {"mul", "lo hi wide", "u16 u32 u64 s16 s32 s64", 3, 3, none, lowerIntegerMul},
    {"mul", "rn rz rm rp ftz sat", "f32 f64", 3, 3, none, lowerFloatMul},
    {"mul", "rn ftz sat", HEDDLE_SMALL, 3, 3, none, lowerSmall},
    {"mul24", "lo hi", "u32 s32", 3, 3, none, lowerMul24},
    {"nanosleep", "", "u32", 1, 1, acts, lowerNanosleep},
    {"neg", "", "s16 s32 s64", 2, 2, none, lowerIntegerNeg},
    {"neg", "ftz", "f32 f64", 2, 2, none, lowerFloatNeg},
    {"neg", "ftz", HEDDLE_SMALL, 2, 2, none, lowerSmall},
    {"not", "", "pred b16 b32 b64", 2, 2, none, lowerNot},
    {"or", "", "pred b16 b32 b64", 3, 3, none, lowerLogic},
    {"pmevent", "", "-", 1, 1, acts, lowerNothing},
    {"popc", "", "b32 b64", 2, 2, none, lowerPopc},
    {"prefetch", "global local L1 L2 L2::evict_normal L2::evict_last", "-", 1, 1, acts,
     lowerNothing},
    {"prefetchu", "L1", "-", 1, 1, acts, lowerNothing},
    {"prmt", "f4e b4e rc8 ecl ecr rc16", "b32", 4, 4, none, lowerPrmt},
    {"rcp", "rn rz rm rp approx ftz", "f32 f64", 2, 2, none, lowerRcp},
    {"red", HEDDLE_ORDERS "add min max inc dec and or xor noftz L2::cache_hint",
     "b32 b64 u32 u64 s32 s64 f32 f64", 2, 3, acts, lowerRed},
    {"red", HEDDLE_ORDERS "add min max noftz v2 v4 v8 L2::cache_hint", HEDDLE_SMALL " f32", 2, 3,
     acts, lowerRed},
    {"redux", "sync add min max", "u32 s32", 3, 3, acts, lowerRedux},
    {"redux", "sync min max abs NaN", "f32", 3, 3, acts, lowerFloatRedux},
    {"redux", "sync and or xor", "b32", 3, 3, acts, lowerRedux},
    {"rem", "", "u16 u32 u64 s16 s32 s64", 3, 3, none, lowerRem},
    {"ret", "uni", "-", 0, 0, acts, lowerRet},
    {"rsqrt", "approx ftz", "f32 f64", 2, 2, none, lowerApproximate},
    {"sad", "", "u16 u32 u64 s16 s32 s64", 4, 4, none, lowerSad},
    {"selp", "", "b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64", 4, 4, none, lowerSelp},
    {"set", HEDDLE_COMPARISONS, "b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64", 3, 4, none,
     lowerSet},
    {"set", HEDDLE_COMPARISONS, HEDDLE_SMALL, 3, 4, none, lowerSmallSet},
    {"setp", HEDDLE_COMPARISONS, "b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64", 3, 4, none,
     lowerSetp},
    {"setp", HEDDLE_COMPARISONS, HEDDLE_SMALL, 3, 4, none, lowerSmallSetp},
    {"shf", "l r wrap clamp", "b32", 4, 4, none, lowerFunnelShift},
    {"shfl", "sync up down bfly idx", "b32", 5, 5, acts, lowerShfl},
    {"shl", "", "b16 b32 b64", 3, 3, none, lowerShift},
    {"shr", "", "b16 b32 b64 u16 u32 u64 s16 s32 s64", 3, 3, none, lowerShift},
    {"sin", "approx ftz", "f32", 2, 2, none, lowerApproximate},
    {"slct", "ftz", "s32 f32", 4, 4, none, lowerSlct},
    {"sqrt", "rn rz rm rp approx ftz", "f32 f64", 2, 2, none, lowerSqrt},
    {"st", HEDDLE_ORDERS HEDDLE_HINTS "local param param::func v2 v4 v8",
     "b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f16 f32 f64", 2, 3, acts, lowerSt},
    {"sub", "", "u16 u32 u64 s16 s32 s64", 3, 3, none, lowerIntegerSub},
    {"sub", "sat", "s32", 3, 3, none, lowerIntegerSub},
    {"sub", "cc", "u32 u64 s32 s64", 3, 3, none, lowerSubCarry},
    {"sub", "rn rz rm rp ftz sat", "f32 f64", 3, 3, none, lowerFloatSub},
    {"sub", "rn ftz sat", HEDDLE_SMALL, 3, 3, none, lowerSmall},
    {"subc", "cc", "u32 u64 s32 s64", 3, 3, none, lowerSubCarry},
    {"suld", "b 1d 2d 3d a1d a2d trap clamp zero v2 v4", "b8 b16 b32 b64", 2, 2, acts, lowerSuld},
    {"sust", "b 1d 2d 3d a1d a2d trap clamp zero v2 v4", "b8 b16 b32 b64", 2, 2, acts, lowerSust},
    {"szext", "clamp wrap", "u32 s32", 3, 3, none, lowerSzext},
    {"tanh", "approx", "f32", 2, 2, none, lowerApproximate},
    {"tanh", "approx", HEDDLE_SMALL, 2, 2, none, lowerSmallApproximate},
    {"testp", "finite infinite number notanumber normal subnormal", "f32 f64", 2, 2, none,
     lowerTestp},
    {"tex", "1d 2d 3d a1d a2d cube acube base level grad v2 v4", "f32 s32 u32", 2, 4, acts,
     lowerTex},
    {"tld4", "r g b a 2d a2d v4", "f32 s32 u32", 2, 2, acts, lowerTld4},
    {"trap", "", "-", 0, 0, acts, lowerTrap},
    {"txq", "width height depth", "b32", 2, 2, acts, lowerTextureQuery},
    {"vabsdiff", HEDDLE_SECOND, "u32 s32", 3, 4, none, lowerVideo},
    {"vabsdiff2", "add", "u32", 4, 4, none, lowerApart},
    {"vabsdiff4", "add", "u32", 4, 4, none, lowerApart},
    {"vadd", HEDDLE_SECOND, "u32 s32", 3, 4, none, lowerVideo},
    {"vmax", HEDDLE_SECOND, "u32 s32", 3, 4, none, lowerVideo},
    {"vmin", HEDDLE_SECOND, "u32 s32", 3, 4, none, lowerVideo},
    {"vote", "sync all any uni", "pred", 3, 3, acts, lowerVote},
    {"vote", "sync ballot", "b32", 3, 3, acts, lowerVote},
    {"vshl", "clamp wrap " HEDDLE_SECOND, "u32 s32", 3, 4, none, lowerVideo},
    {"vshr", "clamp wrap " HEDDLE_SECOND, "u32 s32", 3, 4, none, lowerVideo},
    {"vsub", HEDDLE_SECOND, "u32 s32", 3, 4, none, lowerVideo},
    {"wmma", "load a b c sync aligned row col " HEDDLE_SHAPES "global shared shared::cta",
     "f16 bf16 tf32 s8 u8 f32 s32 f64", 2, 3, acts, lowerWmmaLoad},
    {"wmma", "store d sync aligned row col " HEDDLE_SHAPES "global shared shared::cta",
     "f16 f32 s32 f64", 2, 3, acts, lowerWmmaStore},
    {"wmma", "mma sync aligned row col " HEDDLE_SHAPES "satfinite rn", "f16 f32 s32 f64", 4, 4,
     acts, lowerWmmaMultiply},
    {"xor", "", "pred b16 b32 b64", 3, 3, none, lowerLogic},
};

bool lists(std::string_view list, std::string_view word) {
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find(' ', at), list.size());
    if (list.substr(at, end - at) == word)
      return true;
    at = end + 1;
  }
  return false;
}

bool fits(const Row& row, const Form& form) {
  if (form.size() < row.least || form.size() > row.most)
    return false;
  if (!lists(row.types, form.type() ? nameOf(form.type()) : "-"))
    return false;
  return std::ranges::all_of(
      form.modifiers(), [&](std::string_view modifier) { return lists(row.modifiers, modifier); });
}

} // namespace

std::span<const Row> instructionRows() {
  return rows;
}

const Row* findRow(const Form& form) {
  const auto known = std::ranges::equal_range(rows, form.instruction().opcode, {}, &Row::opcode);
  const auto found = std::ranges::find_if(known, [&](const Row& row) { return fits(row, form); });
  return found == known.end() ? nullptr : &*found;
}

} // namespace heddle::ptx
