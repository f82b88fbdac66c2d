// SPDX-License-Identifier: Apache-2.0
//
// Textures and surfaces. A texture's texel is a call for each channel that is read; a surface's
// address is a call, and the rest a plain access.
//
//   tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}];
//   suld.b.2d.v2.b32.trap {%r1, %r2}, [%rd1, {%r3, %r4}];
#include "ptx/FunctionLowering.h"
#include "ptx/ReadPtx.h"
#include "ptx/Rows.h"

namespace heddle::ptx {

using namespace llvm;

namespace {

constexpr ScalarType wide{'u', 64};

/// As engine::TextureQuery has it.
constexpr unsigned cubeShape = 4, layeredShape = 16, integerShape = 32, gatherShape = 64;

struct Geometry {
  unsigned shape = 0;
  unsigned coordinates = 0;
};

/// Without coordinates where the instruction names no geometry, as only a broken file does.
Geometry geometryOf(const Form& form) {
  const std::string_view word = form.oneOf({"1d", "2d", "3d", "a1d", "a2d", "cube", "acube"});
  if (word.empty())
    return {};
  const bool layered = word.starts_with('a');
  if (word.ends_with("cube"))
    return {cubeShape | (layered ? layeredShape : 0), 3};
  const unsigned dimensions = unsigned(word[layered ? 1 : 0] - '0');
  return {dimensions | (layered ? layeredShape : 0), dimensions};
}

struct Coordinates {
  std::vector<Value*> at; ///< three, as words
  Value* layer = nullptr;
};

/// The layer comes first.
Coordinates coordinatesOf(FunctionLowering& f, const Operand& where, const Geometry& geometry) {
  const bool layered = (geometry.shape & layeredShape) != 0;
  Coordinates result;
  result.layer = layered ? f.read(where.parts[0], word) : f.builder().getInt32(0);
  for (unsigned i = 0; i < 3; ++i)
    result.at.push_back(i < geometry.coordinates ? f.read(where.parts[i + (layered ? 1 : 0)], word)
                                                 : f.builder().getInt32(0));
  return result;
}

bool isComplete(const Operand& where, const Geometry& geometry) {
  return where.kind == Operand::Kind::Memory && geometry.coordinates > 0 &&
         where.parts.size() >=
             geometry.coordinates + ((geometry.shape & layeredShape) != 0 ? 1 : 0);
}

Value* objectOf(FunctionLowering& f, const Operand& where) {
  Operand name;
  name.name = where.name;
  return f.read(name, wide);
}

std::vector<const Operand*> partsOf(const Operand& operand) {
  if (operand.kind != Operand::Kind::Vector)
    return {&operand};
  std::vector<const Operand*> parts;
  for (const Operand& part : operand.parts)
    parts.push_back(&part);
  return parts;
}

void readChannels(FunctionLowering& f, const Form& form, const Geometry& geometry,
                  unsigned channelBase) {
  const Operand& where = form.operand(1);
  if (!isComplete(where, geometry))
    return f.refuse(form);
  const Coordinates coordinates = coordinatesOf(f, where, geometry);
  Value* object = objectOf(f, where);
  IRBuilder<>& builder = f.builder();
  const auto results = partsOf(form.operand(0));
  const bool isFloat = form.types().front().isFloat();
  for (unsigned i = 0; i < results.size(); ++i) {
    if (!f.isRead(*results[i]))
      continue;
    Value* bits =
        f.call(textureName, builder.getInt32Ty(),
               {object, builder.getInt32(geometry.shape), coordinates.at[0], coordinates.at[1],
                coordinates.at[2], coordinates.layer, builder.getInt32(channelBase | i)});
    f.write(*results[i], isFloat ? builder.CreateBitCast(bits, builder.getFloatTy()) : bits);
  }
}

struct Surface {
  Value* pointer; ///< null outside
  Type* type;     ///< of an element
  unsigned bytes; ///< of all elements
};

Surface surfaceOf(FunctionLowering& f, const Form& form, const Operand& where,
                  const Geometry& geometry) {
  IRBuilder<>& builder = f.builder();
  const Coordinates coordinates = coordinatesOf(f, where, geometry);
  const bool layered = (geometry.shape & layeredShape) != 0;
  const unsigned bytes = form.type().bytes() * form.elements();
  const unsigned outside = form.has("zero") ? 0 : form.has("clamp") ? 1 : 2;
  Value* address = f.call(surfaceName, builder.getInt64Ty(),
                          {objectOf(f, where), coordinates.at[0], coordinates.at[1],
                           layered ? coordinates.layer : coordinates.at[2], builder.getInt32(bytes),
                           builder.getInt32(outside)});
  return {builder.CreateIntToPtr(address, builder.getPtrTy(addressSpaceOf(Space::Global))),
          builder.getIntNTy(form.type().bits), bytes};
}

} // namespace

void lowerTex(FunctionLowering& f, const Form& form) {
  Geometry geometry = geometryOf(form);
  if (form.types().size() == 2 && !form.types().back().isFloat())
    geometry.shape |= integerShape;
  readChannels(f, form, geometry, 0);
}

void lowerTld4(FunctionLowering& f, const Form& form) {
  const std::string_view channels = "rgba";
  const std::string_view name = form.oneOf({"r", "g", "b", "a"});
  const Geometry geometry = geometryOf(form);
  if (name.empty() || geometry.coordinates == 0)
    return f.refuse(form);
  readChannels(f, form, {geometry.shape | gatherShape, 2}, unsigned(channels.find(name)) << 8);
}

/// Outside, where the instruction says `zero`, zeros are read.
void lowerSuld(FunctionLowering& f, const Form& form) {
  const Geometry geometry = geometryOf(form);
  if (!isComplete(form.operand(1), geometry))
    return f.refuse(form);
  IRBuilder<>& builder = f.builder();
  const Surface surface = surfaceOf(f, form, form.operand(1), geometry);
  BasicBlock* inside = f.freshBlock("inside");
  BasicBlock* after = f.freshBlock("after");
  BasicBlock* before = builder.GetInsertBlock();
  Value* wanted =
      form.has("zero") ? builder.CreateIsNotNull(surface.pointer) : cast<Value>(builder.getTrue());
  builder.CreateCondBr(wanted, inside, after);
  f.continueIn(inside);
  std::vector<Value*> loaded;
  for (unsigned i = 0; i < form.elements(); ++i)
    loaded.push_back(builder.CreateAlignedLoad(
        surface.type, builder.CreateConstGEP1_32(surface.type, surface.pointer, i),
        Align(form.type().bytes())));
  builder.CreateBr(after);
  f.continueIn(after);
  const auto results = partsOf(form.operand(0));
  for (unsigned i = 0; i < loaded.size() && i < results.size(); ++i) {
    PHINode* value = builder.CreatePHI(surface.type, 2);
    value->addIncoming(loaded[i], inside);
    value->addIncoming(Constant::getNullValue(surface.type), before);
    loaded[i] = value;
  }
  for (unsigned i = 0; i < loaded.size() && i < results.size(); ++i)
    f.write(*results[i], loaded[i]);
}

void lowerSust(FunctionLowering& f, const Form& form) {
  const Geometry geometry = geometryOf(form);
  if (!isComplete(form.operand(0), geometry))
    return f.refuse(form);
  IRBuilder<>& builder = f.builder();
  const Surface surface = surfaceOf(f, form, form.operand(0), geometry);
  const auto values = partsOf(form.operand(1));
  std::vector<Value*> stored;
  for (const Operand* value : values)
    stored.push_back(f.read(*value, form.type()));
  BasicBlock* inside = f.freshBlock("inside");
  BasicBlock* after = f.freshBlock("after");
  builder.CreateCondBr(form.has("zero") ? builder.CreateIsNotNull(surface.pointer)
                                        : cast<Value>(builder.getTrue()),
                       inside, after);
  f.continueIn(inside);
  for (unsigned i = 0; i < stored.size(); ++i)
    builder.CreateAlignedStore(stored[i],
                               builder.CreateConstGEP1_32(surface.type, surface.pointer, i),
                               Align(form.type().bytes()));
  builder.CreateBr(after);
  f.continueIn(after);
}

/// `txq.width.b32 %r1, [%rd1];`
void lowerTextureQuery(FunctionLowering& f, const Form& form) {
  const unsigned axis = form.has("width") ? 0 : form.has("height") ? 1 : 2;
  IRBuilder<>& builder = f.builder();
  f.write(form.operand(0), f.call(textureSizeName, builder.getInt32Ty(),
                                  {objectOf(f, form.operand(1)), builder.getInt32(axis)}));
}

} // namespace heddle::ptx
