// SPDX-License-Identifier: Apache-2.0
#include "analysis/LaneShape.h"

#include <llvm/ADT/APInt.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace heddle::analysis {
namespace {

using Values = std::vector<std::int64_t>;
using llvm::APInt;
using llvm::Instruction;

constexpr std::int64_t mostMultiple = std::int64_t{1} << 32;
constexpr std::int64_t mostOffset = std::int64_t{1} << 24; ///< beyond, 32 bits may wrap around

Values tabulate(auto&& of) {
  Values values(mostThreads);
  for (int thread = 0; thread < mostThreads; ++thread)
    values[std::size_t(thread)] = of(std::size_t(thread));
  return values;
}

std::int64_t powerIn(std::int64_t value) {
  if (value == 0)
    return mostMultiple;
  return std::min(mostMultiple, std::int64_t{1} << std::countr_zero(std::uint64_t(value)));
}

bool isPower(std::int64_t value) {
  return value > 0 && std::has_single_bit(std::uint64_t(value));
}

std::int64_t floorDivide(std::int64_t a, std::int64_t power) {
  return a >> std::countr_zero(std::uint64_t(power));
}

bool isConstantPerWarp(const Values& values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] != values[i - i % warpSize])
      return false;
  return true;
}

/// Whether at most one lane of each warp differs from the others.
bool hasOneOddLane(const Values& values) {
  for (std::size_t warp = 0; warp < values.size(); warp += warpSize) {
    const auto first = values.begin() + std::ptrdiff_t(warp);
    const auto end = first + warpSize;
    const std::int64_t usual = first[0] == first[1] ? first[0] : first[2];
    if (std::count(first, end, usual) < warpSize - 1)
      return false;
  }
  return true;
}

Spread spreadOf(const Values& values) {
  if (std::ranges::all_of(values, [&](std::int64_t value) { return value == values.front(); }))
    return Spread::Uniform;
  if (isConstantPerWarp(values))
    return Spread::Warp;
  const bool ordered =
      std::ranges::is_sorted(values) || std::ranges::is_sorted(values, std::ranges::greater());
  return ordered || hasOneOddLane(values) ? Spread::Few : Spread::Lanes;
}

bool differInEachWarp(const Values& values) {
  for (std::size_t warp = 0; warp < values.size(); warp += warpSize) {
    Values lanes(values.begin() + std::ptrdiff_t(warp),
                 values.begin() + std::ptrdiff_t(warp) + warpSize);
    std::ranges::sort(lanes);
    if (std::ranges::adjacent_find(lanes) != lanes.end())
      return false;
  }
  return true;
}

/// Nothing where the result is undefined.
std::optional<APInt> fold(unsigned opcode, const APInt& a, const APInt& b) {
  const bool divides = opcode == Instruction::UDiv || opcode == Instruction::SDiv ||
                       opcode == Instruction::URem || opcode == Instruction::SRem;
  if (divides && b.isZero())
    return std::nullopt;
  switch (opcode) {
  case Instruction::Add:
    return a + b;
  case Instruction::Sub:
    return a - b;
  case Instruction::Mul:
    return a * b;
  case Instruction::UDiv:
    return a.udiv(b);
  case Instruction::SDiv:
    return a.sdiv(b);
  case Instruction::URem:
    return a.urem(b);
  case Instruction::SRem:
    return a.srem(b);
  case Instruction::And:
    return a & b;
  case Instruction::Or:
    return a | b;
  case Instruction::Xor:
    return a ^ b;
  case Instruction::Shl:
    return a.shl(b);
  case Instruction::LShr:
    return a.lshr(b);
  case Instruction::AShr:
    return a.ashr(b);
  default:
    return std::nullopt;
  }
}

/// Whether an operation on an ordered value and a uniform one leaves it ordered.
bool keepsOrder(unsigned opcode, unsigned bits) {
  switch (opcode) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::Mul:
  case Instruction::FMul:
  case Instruction::Shl:
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::FDiv:
  case Instruction::LShr:
  case Instruction::AShr:
    return true;
  default:
    return bits == 1; // a condition of conditions
  }
}

bool isAddition(unsigned opcode) {
  return opcode == Instruction::Add || opcode == Instruction::Sub || opcode == Instruction::FAdd ||
         opcode == Instruction::FSub;
}

Spread binarySpread(unsigned opcode, Spread a, Spread b, unsigned bits) {
  const Spread most = std::max(a, b);
  if (most != Spread::Few)
    return most;
  const bool bothVary = std::min(a, b) == Spread::Few;
  const bool ordered = keepsOrder(opcode, bits) && (!bothVary || isAddition(opcode) || bits == 1);
  return ordered ? Spread::Few : Spread::Lanes;
}

} // namespace

LaneShape LaneShape::constant(std::int64_t value) {
  LaneShape shape = uniform(powerIn(value));
  shape.exact_ = value;
  return shape;
}

LaneShape LaneShape::of(Spread spread) {
  if (spread == Spread::Uniform)
    return uniform();
  if (spread == Spread::Warp)
    return warp();
  LaneShape shape = uniform();
  shape.isTable_ = false;
  shape.spread_ = spread;
  return shape;
}

LaneShape LaneShape::uniform(std::int64_t multiple) {
  LaneShape shape;
  shape.multiple_ = std::min(multiple, mostMultiple);
  return shape;
}

LaneShape LaneShape::warp(std::int64_t multiple) {
  LaneShape shape = uniform(multiple);
  shape.spread_ = Spread::Warp;
  return shape;
}

LaneShape LaneShape::threadIndex() {
  return fromValues(tabulate([](std::size_t thread) { return std::int64_t(thread); }));
}

LaneShape LaneShape::laneIndex() {
  return fromValues(tabulate([](std::size_t thread) { return std::int64_t(thread % warpSize); }));
}

LaneShape LaneShape::fromValues(Values values) {
  const LaneShape base = constant(values.front());
  for (std::int64_t& value : values)
    value -= *base.exact_;
  return fromOffsets(std::move(values), base);
}

LaneShape LaneShape::fromOffsets(Values offsets, const LaneShape& base) {
  LaneShape shape = base;
  const std::int64_t first = offsets.front();
  if (first != 0) {
    for (std::int64_t& offset : offsets)
      offset -= first;
    shape.exact_ = base.exact_ ? std::optional(*base.exact_ + first) : std::nullopt;
    shape.multiple_ = std::min(base.multiple_, powerIn(first));
  }
  const bool mayWrap = !shape.exact_ && std::ranges::any_of(offsets, [](std::int64_t offset) {
    return std::abs(offset) > mostOffset;
  });
  if (mayWrap)
    return of(Spread::Lanes);
  shape.offsets_ = nullptr;
  if (std::ranges::any_of(offsets, [](std::int64_t offset) { return offset != 0; }))
    shape.offsets_ = std::make_shared<const Values>(std::move(offsets));
  return shape;
}

Spread LaneShape::spread() const {
  if (!isTable_ || !offsets_)
    return spread_;
  return std::max(spread_, spreadOf(*offsets_));
}

std::optional<Values> LaneShape::offsets() const {
  if (!isTable_)
    return std::nullopt;
  return offsets_ ? *offsets_ : Values(mostThreads, 0);
}

std::optional<Values> LaneShape::values() const {
  if (!isTable_ || !exact_)
    return std::nullopt;
  Values values = *offsets();
  for (std::int64_t& value : values)
    value += *exact_;
  return values;
}

bool LaneShape::operator==(const LaneShape& other) const {
  const bool sameTable =
      offsets_ == other.offsets_ || (offsets_ && other.offsets_ && *offsets_ == *other.offsets_);
  return isTable_ == other.isTable_ && spread_ == other.spread_ && exact_ == other.exact_ &&
         multiple_ == other.multiple_ && sameTable;
}

LaneShape LaneShape::joined(const LaneShape& other) const {
  if (*this == other)
    return *this;
  const bool sameOffsets =
      isTable_ && other.isTable_ &&
      (offsets_ == other.offsets_ || (offsets_ && other.offsets_ && *offsets_ == *other.offsets_));
  if (!sameOffsets)
    return of(std::max(spread(), other.spread()));
  LaneShape shape = *this;
  shape.exact_ = exact_ == other.exact_ ? exact_ : std::nullopt;
  shape.multiple_ = std::min(multiple_, other.multiple_);
  shape.spread_ = std::max(spread_, other.spread_);
  return shape;
}

LaneShape LaneShape::raised(Spread least) const {
  return spread() >= least ? *this : of(least);
}

/// By a power of two that divides the value of thread 0.
LaneShape LaneShape::quotient(const LaneShape& a, std::int64_t power) {
  LaneShape base = a;
  base.exact_.reset();
  base.multiple_ = a.multiple_ / power;
  const Values offsets = *a.offsets();
  return fromOffsets(tabulate([&](std::size_t i) { return floorDivide(offsets[i], power); }), base);
}

LaneShape LaneShape::remainder(const LaneShape& a, std::int64_t power) {
  const Values offsets = *a.offsets();
  return fromOffsets(
      tabulate([&](std::size_t i) { return offsets[i] - floorDivide(offsets[i], power) * power; }),
      constant(0));
}

/// Where both are known for every thread.
std::optional<LaneShape> LaneShape::folded(unsigned opcode, const LaneShape& a, const LaneShape& b,
                                           unsigned bits) {
  const auto left = a.values(), right = b.values();
  if (!left || !right)
    return std::nullopt;
  Values values(mostThreads);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto result = fold(opcode, APInt(bits, std::uint64_t((*left)[i]), true),
                             APInt(bits, std::uint64_t((*right)[i]), true));
    if (!result)
      return std::nullopt;
    values[i] = result->getSExtValue();
  }
  return fromValues(std::move(values));
}

LaneShape LaneShape::sum(const LaneShape& a, const LaneShape& b, std::int64_t sign) {
  LaneShape base = a.spread_ > b.spread_ ? a : b;
  base.exact_.reset();
  base.multiple_ = std::min(a.multiple_, b.multiple_);
  const Values left = *a.offsets(), right = *b.offsets();
  return fromOffsets(tabulate([&](std::size_t i) { return left[i] + sign * right[i]; }), base);
}

/// By a constant, or of values that are the same for the warp.
LaneShape LaneShape::product(const LaneShape& a, const LaneShape& b) {
  LaneShape base = a.spread_ > b.spread_ ? a : b;
  base.exact_.reset();
  base.multiple_ =
      mostMultiple / a.multiple_ > b.multiple_ ? a.multiple_ * b.multiple_ : mostMultiple;
  const Values left = *a.offsets();
  const std::int64_t factor = b.exact_.value_or(0);
  return fromOffsets(tabulate([&](std::size_t i) { return left[i] * factor; }), base);
}

LaneShape LaneShape::binary(unsigned opcode, const LaneShape& a, const LaneShape& b,
                            unsigned bits) {
  if (Instruction::isCommutative(opcode) && a.isConstant() && !b.isConstant())
    return binary(opcode, b, a, bits);
  const LaneShape otherwise = of(binarySpread(opcode, a.spread(), b.spread(), bits));
  if (!a.isTable_ || !b.isTable_ || bits == 0 || bits > 64)
    return otherwise;
  if (const auto known = folded(opcode, a, b, bits))
    return *known;
  if (opcode == Instruction::Add || opcode == Instruction::Sub)
    return sum(a, b, opcode == Instruction::Add ? 1 : -1);
  if (opcode == Instruction::Mul && !a.offsets_ && !b.offsets_)
    return product(a, b);
  return b.isConstant() ? byConstant(opcode, a, *b.exact_, bits) : otherwise;
}

LaneShape LaneShape::byConstant(unsigned opcode, const LaneShape& a, std::int64_t number,
                                unsigned bits) {
  const auto power = [&] { return std::int64_t{1} << number; };
  const bool divides = isPower(number) && a.multiple_ >= number;
  const bool shifts = number >= 0 && number < 24;
  switch (opcode) {
  case Instruction::Mul:
    return product(a, constant(number));
  case Instruction::Shl:
    if (shifts)
      return product(a, constant(power()));
    break;
  case Instruction::LShr:
  case Instruction::AShr:
    if (shifts)
      return byConstant(Instruction::UDiv, a, power(), bits);
    break;
  case Instruction::UDiv:
  case Instruction::SDiv:
    if (divides)
      return quotient(a, number);
    break;
  case Instruction::URem:
  case Instruction::SRem:
    if (divides)
      return remainder(a, number);
    break;
  case Instruction::And:
    if (isPower(number + 1) && a.multiple_ > number)
      return remainder(a, number + 1);
    if (isPower(-number) && a.multiple_ >= -number)
      return sum(a, remainder(a, -number), -1);
    if (const std::int64_t lowest = number & -number; lowest > 1 && a.multiple_ >= lowest) {
      const LaneShape above = sum(a, remainder(a, lowest), -1); // i & 32 is one bit of i / 32
      return of(binarySpread(opcode, above.spread(), Spread::Uniform, bits));
    }
    break;
  default:
    break;
  }
  return of(binarySpread(opcode, a.spread(), Spread::Uniform, bits));
}

LaneShape LaneShape::compare(llvm::CmpInst::Predicate predicate, const LaneShape& a,
                             const LaneShape& b, unsigned bits) {
  const LaneShape otherwise = of(std::max(a.spread(), b.spread()));
  if (!a.isTable_ || !b.isTable_ || bits == 0 || bits > 64)
    return otherwise;
  const Values left = *a.offsets(), right = *b.offsets();
  if (a.exact_ && b.exact_)
    return fromValues(tabulate([&](std::size_t i) {
      return -std::int64_t{llvm::ICmpInst::compare(
          APInt(bits, std::uint64_t(left[i] + *a.exact_), true),
          APInt(bits, std::uint64_t(right[i] + *b.exact_), true), predicate)};
    }));
  const Values difference = tabulate([&](std::size_t i) { return left[i] - right[i]; });
  const Spread base = std::max(a.spread_, b.spread_);
  const Spread apart = std::max(base, spreadOf(difference));
  if (apart == Spread::Lanes && llvm::ICmpInst::isEquality(predicate) &&
      differInEachWarp(difference))
    return of(Spread::Few); // lane == k
  return of(apart);
}

LaneShape LaneShape::cast(unsigned opcode, const LaneShape& a, unsigned from, unsigned to) {
  const auto values = a.values();
  const bool folds = from > 0 && to > 0 && from <= 64 && to <= 64;
  if (!folds || !a.isTable_)
    return of(a.spread());
  if (!values) // indices are not as large as to change
    return to >= 32 ? a : of(binarySpread(Instruction::And, a.spread(), Spread::Uniform, to));
  return fromValues(tabulate([&](std::size_t i) {
    const APInt value(from, std::uint64_t((*values)[i]), true);
    const APInt result = opcode == Instruction::ZExt   ? value.zext(to)
                         : opcode == Instruction::SExt ? value.sext(to)
                                                       : value.trunc(to);
    return result.getSExtValue();
  }));
}

LaneShape LaneShape::select(const LaneShape& condition, const LaneShape& a, const LaneShape& b) {
  const auto chosen = condition.values();
  const auto first = a.values(), second = b.values();
  if (!chosen || !first || !second)
    return a.joined(b).raised(condition.spread());
  return fromValues(
      tabulate([&](std::size_t i) { return (*chosen)[i] != 0 ? (*first)[i] : (*second)[i]; }));
}

} // namespace heddle::analysis
