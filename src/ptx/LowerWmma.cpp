// SPDX-License-Identifier: Apache-2.0
//
// wmma.load, wmma.store and wmma.mma. PTX does not say which lane holds which element of a
// fragment, only that the three agree. Here a fragment is dealt out in the order of memory, so that
// a lane loads neighbours:
//
//   A, B   element s of a warp is lane * P + i, for i below the P elements of a lane; it is element
//          s % elements of the matrix in the order of its layout. Halves have 16 elements in a lane
//          whatever the shape, so that several lanes hold the same.
//   C, D   the same in the order of rows, whatever the layout.
#include "ptx/FunctionLowering.h"
#include "ptx/Rows.h"
#include "ptx/WarpCall.h"

#include <bit>

namespace heddle::ptx {

using namespace llvm;

namespace {

/// One of the matrices of a shape.
struct Tile {
  unsigned major = 0, minor = 0; ///< rows and columns, or the other way round in columns
  bool contiguous = true;        ///< a lane's elements are neighbours in memory
  ScalarType type;
  unsigned perLane = 0;

  unsigned bytes() const { return type.bytes(); }
  unsigned words() const { return perLane * type.bits / 32; }
  /// Elements that one load brings.
  unsigned chunk() const { return contiguous ? std::min({perLane, minor, 16 / bytes()}) : 1; }
};

std::string_view shapeIn(const Form& form) {
  return form.oneOf({"m16n16k16", "m32n8k16", "m8n32k16", "m16n16k8", "m8n8k4"});
}

unsigned elementsInLane(ScalarType type, unsigned elements) {
  const bool isHalf = type == ScalarType{'f', 16};
  return isHalf ? 16 : elements / 32;
}

/// The matrix that a load or store is of; nothing where there is no such.
std::optional<Tile> tileOf(const Form& form) {
  const auto shape = shapeOf(shapeIn(form));
  const bool isRow = form.has("row");
  if (!shape || isRow == form.has("col"))
    return std::nullopt;
  const auto [m, n, k] = *shape;
  Tile tile;
  tile.type = form.type();
  if (form.has("a") || form.has("b")) {
    const unsigned rows = form.has("a") ? m : k, columns = form.has("a") ? k : n;
    tile.major = isRow ? rows : columns;
    tile.minor = isRow ? columns : rows;
    tile.perLane = elementsInLane(tile.type, rows * columns);
    return tile;
  }
  tile.major = m;
  tile.minor = n;
  tile.contiguous = isRow;
  tile.perLane = m * n / 32;
  return tile;
}

/// Addresses of the parts of a tile that the lane holds.
class Places {
public:
  Places(FunctionLowering& f, const Form& form, const Tile& tile, const Operand& where,
         const Operand* stride)
      : f_(f), tile_(tile), base_(f.address(where, form.space())) {
    Operand lane;
    lane.name = "%laneid";
    IRBuilder<>& builder = f.builder();
    first_ = builder.CreateMul(f.read(lane, word), builder.getInt32(tile.perLane));
    const unsigned usual = tile.contiguous ? tile.minor : tile.major;
    stride_ = stride != nullptr ? f.read(*stride, word) : builder.getInt32(usual);
  }

  /// Of element `i` of the lane.
  Value* at(unsigned i) {
    IRBuilder<>& builder = f_.builder();
    Value* element = builder.CreateAnd(builder.CreateAdd(first_, builder.getInt32(i)),
                                       tile_.major * tile_.minor - 1);
    Value* major = builder.CreateLShr(element, unsigned(std::countr_zero(tile_.minor)));
    Value* minor = builder.CreateAnd(element, tile_.minor - 1);
    if (!tile_.contiguous)
      std::swap(major, minor);
    Value* offset = builder.CreateAdd(builder.CreateMul(major, stride_), minor);
    Value* wide = builder.CreateMul(builder.CreateSExt(offset, builder.getInt64Ty()),
                                    builder.getInt64(tile_.bytes()));
    return builder.CreateGEP(builder.getInt8Ty(), base_, wide);
  }

private:
  FunctionLowering& f_;
  const Tile& tile_;
  Value* base_;
  Value* first_ = nullptr;
  Value* stride_ = nullptr;
};

bool isFragment(const Operand& operand, const Tile& tile) {
  const std::size_t registers = operand.kind == Operand::Kind::Vector ? operand.parts.size() : 1;
  return registers * (tile.type.bits == 64 ? 2 : 1) == tile.words();
}

/// A number of the chunk's size, in memory a vector of words.
Type* chunkType(IRBuilder<>& builder, const Tile& tile) {
  const unsigned bits = tile.chunk() * tile.type.bits;
  return bits <= 32 ? static_cast<Type*>(builder.getIntNTy(bits))
                    : FixedVectorType::get(builder.getInt32Ty(), bits / 32);
}

/// The words of a loaded chunk; one of less than a word is put where it belongs.
void takeChunk(IRBuilder<>& builder, const Tile& tile, unsigned at, Value* loaded, Words& words) {
  const unsigned bits = tile.chunk() * tile.type.bits, first = at * tile.type.bits;
  if (bits > 32) {
    for (unsigned i = 0; i < bits / 32; ++i)
      words[first / 32 + i] = builder.CreateExtractElement(loaded, std::uint64_t{i});
    return;
  }
  Value* part = builder.CreateShl(builder.CreateZExt(loaded, builder.getInt32Ty()), first % 32);
  Value*& word = words[first / 32];
  word = word == nullptr ? part : builder.CreateOr(word, part);
}

Value* giveChunk(IRBuilder<>& builder, const Tile& tile, unsigned at, const Words& words) {
  const unsigned bits = tile.chunk() * tile.type.bits, first = at * tile.type.bits;
  if (bits <= 32)
    return builder.CreateTrunc(builder.CreateLShr(words[first / 32], first % 32),
                               builder.getIntNTy(bits));
  Value* whole = PoisonValue::get(chunkType(builder, tile));
  for (unsigned i = 0; i < bits / 32; ++i)
    whole = builder.CreateInsertElement(whole, words[first / 32 + i], std::uint64_t{i});
  return whole;
}

/// D, A, B and C of a multiplication. With two types the factors are halves.
std::vector<std::string_view> factorTypes(const Form& form) {
  std::vector<std::string_view> types;
  std::string_view rest = form.instruction().modifiers;
  while (!rest.empty()) {
    const std::size_t dot = rest.rfind('.');
    const std::string_view each = rest.substr(dot + 1);
    if (typeNamed(each))
      types.insert(types.begin(), each);
    rest = rest.substr(0, dot);
  }
  if (types.size() == 2)
    return {types[0], "f16", "f16", types[1]};
  return types;
}

/// The order of `row` and `col`: that of A, that of B.
std::optional<std::array<bool, 2>> layoutsOf(const Form& form) {
  std::vector<bool> rows;
  for (const std::string_view each : form.modifiers())
    if (each == "row" || each == "col")
      rows.push_back(each == "row");
  return rows.size() == 2 ? std::optional(std::array{bool(rows[0]), bool(rows[1])}) : std::nullopt;
}

} // namespace

/// `wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {r, ...}, [p], stride;`
void lowerWmmaLoad(FunctionLowering& f, const Form& form) {
  const auto tile = tileOf(form);
  const Operand& to = form.operand(0);
  const Operand& from = form.operand(1);
  if (!tile || from.kind != Operand::Kind::Memory || !isFragment(to, *tile))
    return f.refuse(form);
  IRBuilder<>& builder = f.builder();
  Places places(f, form, *tile, from, form.size() > 2 ? &form.operand(2) : nullptr);
  Words words(tile->words(), nullptr);
  const Align alignment(std::uint64_t{tile->chunk()} * tile->bytes());
  for (unsigned i = 0; i < tile->perLane; i += tile->chunk())
    takeChunk(builder, *tile, i,
              builder.CreateAlignedLoad(chunkType(builder, *tile), places.at(i), alignment), words);
  writeWords(f, to, tile->type.bits == 64, words);
}

/// `wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [p], {r, ...}, stride;`
void lowerWmmaStore(FunctionLowering& f, const Form& form) {
  const auto tile = tileOf(form);
  const Operand& to = form.operand(0);
  const Operand& from = form.operand(1);
  Words words;
  if (!tile || to.kind != Operand::Kind::Memory || !isFragment(from, *tile) ||
      !readFragment(f, from, tile->words(), tile->type.bits == 64, words))
    return f.refuse(form);
  IRBuilder<>& builder = f.builder();
  Places places(f, form, *tile, to, form.size() > 2 ? &form.operand(2) : nullptr);
  const Align alignment(std::uint64_t{tile->chunk()} * tile->bytes());
  for (unsigned i = 0; i < tile->perLane; i += tile->chunk())
    builder.CreateAlignedStore(giveChunk(builder, *tile, i, words), places.at(i), alignment);
}

/// `wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 d, a, b, c;`
void lowerWmmaMultiply(FunctionLowering& f, const Form& form) {
  const auto shape = shapeOf(shapeIn(form));
  const auto types = factorTypes(form);
  const auto rows = layoutsOf(form);
  if (!shape || types.size() != 4 || !rows)
    return f.refuse(form);
  const auto [m, n, k] = *shape;
  const auto words = [&](std::string_view name, unsigned elements, bool isFactor) {
    const ScalarType type = typeNamed(name);
    return (isFactor ? elementsInLane(type, elements) : elements / 32) * type.bits / 32;
  };
  const bool isDouble = types[0] == "f64";
  Words operands;
  if (!readFragment(f, form.operand(1), words(types[1], m * k, true), isDouble, operands) ||
      !readFragment(f, form.operand(2), words(types[2], k * n, true), isDouble, operands) ||
      !readFragment(f, form.operand(3), words(types[3], m * n, false), isDouble, operands))
    return f.refuse(form, "its fragments are of another size");
  const unsigned results = words(types[0], m * n, false);
  const Operand& to = form.operand(0);
  if ((to.kind == Operand::Kind::Vector ? to.parts.size() : 1) * (isDouble ? 2 : 1) != results)
    return f.refuse(form, "its fragments are of another size");
  const std::string name = fmt::format("wmma.{}.{}.{}.{}.{}.{}{}", m, n, k, fmt::join(types, "."),
                                       (*rows)[0] ? "row" : "col", (*rows)[1] ? "row" : "col",
                                       form.has("satfinite") ? ".satfinite" : "");
  writeFragment(f, to, isDouble, callWarp(f, name, results, operands));
}

} // namespace heddle::ptx
