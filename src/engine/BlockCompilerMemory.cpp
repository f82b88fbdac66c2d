// SPDX-License-Identifier: Apache-2.0
//
// Loads and stores. Every access is checked. Accesses whose addresses differ by constants
// are checked together: the check finds out whether all lanes are fine, and how their addresses
// lie, and each access takes the way that follows from it:
//
//   Careful     some lane is in no live memory, or this warp counts: lane by lane
//   Scattered   gather or scatter
//   Rows        each half of the warp touches neighbouring addresses in order: two wide accesses
//   Points      each half of the warp touches one address: two scalar accesses
//
// The halves are for blocks that are 16 threads wide; a warp in a row is two halves in a row.
#include "analysis/BlockOrder.h"
#include "engine/BlockCompilerAccess.h"
#include "engine/Helpers.h"
#include "engine/WarpContext.h"

#include <llvm/Analysis/ValueTracking.h>

#include <functional>

namespace heddle::engine {

using namespace llvm;

namespace {

/// Lanes of single bits do not lie apart in memory.
bool hasBits(const std::vector<Part>& parts) {
  return any_of(parts, [](const Part& part) { return part.type->isIntegerTy(1); });
}

/// Whether a value in memory is nothing but n scalars of one type side by side.
bool isDense(Type* type, const std::vector<Part>& parts, const DataLayout& types) {
  for (const Part& part : parts)
    if (part.type != parts.front().type || part.type->isIntegerTy(1))
      return false;
  return types.getTypeStoreSize(type) ==
             types.getTypeStoreSize(parts.front().type) * parts.size() &&
         types.getTypeStoreSize(parts.front().type) == types.getTypeAllocSize(parts.front().type);
}

} // namespace

/// Volatile accesses keep their generic pointers, so the variable counts too.
profile::MemorySpace memorySpaceOf(const Value* pointer) {
  const Value* object = getUnderlyingObject(pointer);
  if (pointer->getType()->getPointerAddressSpace() == sharedAddressSpace ||
      object->getType()->getPointerAddressSpace() == sharedAddressSpace)
    return profile::MemorySpace::Shared;
  constexpr unsigned localAddressSpace = 5; // of addresses that are computed as numbers
  if (pointer->getType()->getPointerAddressSpace() == localAddressSpace)
    return profile::MemorySpace::Local;
  return isa<AllocaInst>(object) ? profile::MemorySpace::Local : profile::MemorySpace::Global;
}

/// Offset of each part of a value in memory.
std::vector<unsigned> memoryOffsets(Type* type, const DataLayout& types) {
  std::vector<unsigned> offsets;
  const std::function<void(Type*, unsigned)> visit = [&](Type* inner, unsigned offset) {
    if (auto* structure = dyn_cast<StructType>(inner)) {
      for (unsigned i = 0; i < structure->getNumElements(); ++i)
        visit(structure->getElementType(i),
              offset + unsigned(types.getStructLayout(structure)->getElementOffset(i)));
    } else if (inner->isArrayTy() || inner->isVectorTy()) {
      Type* element = inner->getContainedType(0);
      const std::uint64_t count = inner->isArrayTy()
                                      ? inner->getArrayNumElements()
                                      : cast<FixedVectorType>(inner)->getNumElements();
      for (std::uint64_t i = 0; i < count; ++i)
        visit(element, offset + unsigned(i * types.getTypeAllocSize(element)));
    } else {
      offsets.push_back(offset);
    }
  };
  visit(type, 0);
  return offsets;
}

/// Whether ptxas lets lanes that do this to one word put together what they have before: sums in
/// any case, others where nobody asks what was there.
static bool actsAsOne(const Instruction& instruction) {
  const auto* atomic = dyn_cast<AtomicRMWInst>(&instruction);
  if (atomic == nullptr || !atomic->getType()->isIntegerTy(32))
    return false;
  switch (atomic->getOperation()) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
    return true;
  case AtomicRMWInst::And:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::Xor:
  case AtomicRMWInst::Max:
  case AtomicRMWInst::Min:
  case AtomicRMWInst::UMax:
  case AtomicRMWInst::UMin:
    return atomic->use_empty();
  default:
    return false;
  }
}

/// Whether a value follows from what the kernel was launched with: ptxas knows that it is the same
/// for all lanes.
static bool isOfTheLaunch(const Value* value, const FrameLayout& layout, int depth = 0) {
  constexpr int deepest = 16;
  if (isa<Constant, Argument>(value))
    return layout.isUniform(value);
  const auto* instruction = dyn_cast<Instruction>(value);
  if (instruction == nullptr || depth == deepest)
    return false;
  if (const auto* load = dyn_cast<LoadInst>(instruction)) {
    const auto* argument = dyn_cast<Argument>(getUnderlyingObject(load->getPointerOperand()));
    if (argument == nullptr || !argument->hasByValAttr())
      return false;
  } else if (!isa<GetElementPtrInst, BinaryOperator>(instruction) && !instruction->isCast()) {
    return false;
  }
  return all_of(instruction->operands(),
                [&](const Use& use) { return isOfTheLaunch(use.get(), layout, depth + 1); });
}

BlockCompiler::Access BlockCompiler::makeAccess(Instruction& instruction,
                                                profile::AccessKind kind) {
  const MemoryOperand operand = memoryOperand(instruction);
  const auto bytes = unsigned(types().getTypeStoreSize(operand.type));
  const profile::MemorySpace space = memorySpaceOf(operand.pointer);
  const unsigned number =
      kernel_.sites.addAccess(instruction, *operand.pointer, kind, space, bytes);
  FaultSite& site = kernel_.sites.faults[number];
  site.isFloat = operand.type->isFloatingPointTy();
  site.isTogether = actsAsOne(instruction) &&
                    (layout_.isUniform(operand.pointer) || isOfTheLaunch(operand.pointer, layout_));
  Access access{number, bytes, operand.alignment, space, siteState(number)};
  if (layout_.isUniform(&instruction))
    return access;
  const AddressGroups::Member member = groups_->find(&instruction);
  GroupState& state = groupStates_[member.group];
  access.group = &state;
  if (state.way == nullptr) {
    state.offset = member.offset;
    state.pointer = operand.pointer;
    if (space == profile::MemorySpace::Local)
      vector(operand.pointer); // all of them are needed
    state.way = chooseWay(instruction, access, groups_->group(member.group));
  }
  access.delta = member.offset - state.offset;
  return access;
}

Value* BlockCompiler::pointersOf(const Access& access) {
  return builder_.CreateConstGEP1_64(builder_.getInt8Ty(), vector(access.group->pointer),
                                     std::uint64_t(access.delta));
}

Value* BlockCompiler::addressesOf(const Access& access) {
  Value* addresses =
      builder_.CreatePtrToInt(vector(access.group->pointer), vectorType(builder_.getInt64Ty()));
  return builder_.CreateAdd(addresses, ConstantInt::getSigned(addresses->getType(), access.delta));
}

/// The pointer of one lane.
Value* BlockCompiler::pointerOf(const Access& access, unsigned lane) {
  Value* first = laneValue(access.group->pointer, lane);
  return builder_.CreateConstGEP1_64(builder_.getInt8Ty(), first, std::uint64_t(access.delta));
}

Value* BlockCompiler::siteState(unsigned number) {
  Value* sites = contextField(offsetof(WarpContext, sites), builder_.getPtrTy());
  return place(sites, number * unsigned(sizeof(AccessSite)));
}

Value* BlockCompiler::rangeBegin(const Access& access) {
  if (access.space == profile::MemorySpace::Shared)
    return contextField(offsetof(WarpContext, shared), builder_.getInt64Ty());
  return builder_.CreateLoad(builder_.getInt64Ty(), access.site);
}

Value* BlockCompiler::rangeLastOffset(const Access& access) {
  Type* word = builder_.getInt64Ty();
  if (access.space == profile::MemorySpace::Shared)
    return builder_.CreateBinaryIntrinsic(Intrinsic::usub_sat,
                                          contextField(offsetof(WarpContext, sharedSize), word),
                                          builder_.getInt64(access.bytes));
  return builder_.CreateLoad(word, place(access.site, offsetof(AccessSite, lastOffset)));
}

/// Lanes that lie in the range hit last, as 32 bits. A misaligned address, rotated right, is too
/// large for any range.
Value* BlockCompiler::lanesInRange(const Access& access) {
  const unsigned shift = Log2(access.alignment);
  Value* offsets = builder_.CreateSub(addressesOf(access), splat(rangeBegin(access)));
  Value* amount = ConstantInt::get(offsets->getType(), shift);
  Value* units =
      builder_.CreateIntrinsic(Intrinsic::fshr, {offsets->getType()}, {offsets, offsets, amount});
  Value* lastUnit = builder_.CreateLShr(rangeLastOffset(access), shift);
  return bits(builder_.CreateICmpULE(units, splat(lastUnit)));
}

/// The active lanes whose access is fine; looks up those outside the range hit last.
Value* BlockCompiler::checkedLanes(const Access& access) {
  Value* fine = builder_.CreateAnd(lanesInRange(access), activeMask_);
  Value* outside = builder_.CreateAnd(activeMask_, builder_.CreateNot(fine));
  AllocaInst* result = spill(fine);
  ifThenElse(
      builder_.CreateIsNull(outside), [] {},
      [&] {
        Value* found =
            callHelper("heddleFindRange", builder_.getInt32Ty(),
                       {warp_, builder_.getInt32(access.number), forHelper(addressesOf(access)),
                        outside, builder_.getInt32(access.bytes),
                        builder_.getInt32(unsigned(access.alignment.value()))});
        builder_.CreateStore(builder_.CreateOr(fine, found), result);
      });
  return builder_.CreateLoad(builder_.getInt32Ty(), result);
}

Value* BlockCompiler::allZero(Value* lanes) {
  if (isForNeon())
    return builder_.CreateIsNull(builder_.CreateOrReduce(lanes));
  return builder_.CreateICmpEQ(bits(builder_.CreateIsNull(lanes)), builder_.getInt32(allLanes));
}

/// Numbers of 32 bits that alone make the lanes' addresses differ, and by how much each must differ
/// from lane to lane if the addresses are to do so by `step`. Nothing where there are none such.
std::vector<BlockCompiler::NarrowIndex> BlockCompiler::narrowIndices(Value* pointer,
                                                                     unsigned step) const {
  while (isLate(pointer) && isa<AddrSpaceCastInst>(pointer))
    pointer = cast<AddrSpaceCastInst>(pointer)->getOperand(0);
  const auto same = [&](Value* value) { return isa<Constant>(value) || layout_.isUniform(value); };
  auto* address = dyn_cast<GetElementPtrInst>(pointer);
  if (address == nullptr || !isLate(address) || !same(address->getPointerOperand()))
    return {};
  std::vector<NarrowIndex> found;
  for (Use& index : address->indices()) {
    if (same(index))
      continue;
    auto* wide = dyn_cast<CastInst>(index);
    if (wide == nullptr || !isLate(wide) || !wide->getSrcTy()->isIntegerTy(32) ||
        layout_.isUniform(wide->getOperand(0)))
      return {};
    found.push_back({wide->getOperand(0), 0});
  }
  if (step == 0 || found.empty())
    return found;
  if (same(std::prev(address->idx_end())->get()) ||
      types().getTypeAllocSize(address->getResultElementType()) != step)
    return {};
  found.back().step = 1;
  return found;
}

/// Whether each half of the warp has one number, and a step from lane to lane.
Value* BlockCompiler::halvesAgree(Value* numbers, std::uint64_t step) {
  Type* type = cast<VectorType>(numbers->getType())->getElementType();
  SmallVector<Constant*, warpSize> steps;
  for (unsigned lane = 0; lane < unsigned(warpSize); ++lane)
    steps.push_back(ConstantInt::get(type, (lane % half) * step));
  Value* bases = builder_.CreateSub(numbers, ConstantVector::get(steps));
  SmallVector<int, warpSize> firsts(half, 0);
  firsts.append(half, int(half));
  return allZero(builder_.CreateXor(bases, builder_.CreateShuffleVector(bases, firsts)));
}

/// Whether the addresses of each half of the warp are a step apart, in order.
Value* BlockCompiler::addressesAgree(Value* pointer, unsigned step) {
  const std::vector<NarrowIndex> indices = narrowIndices(pointer, step);
  Type* word = builder_.getInt64Ty();
  if (indices.empty())
    return halvesAgree(builder_.CreatePtrToInt(vector(pointer), vectorType(word)), step);
  Value* agree = builder_.getTrue();
  for (const NarrowIndex& index : indices)
    agree = builder_.CreateAnd(agree, halvesAgree(vector(index.value), index.step));
  if (step == 0)
    return agree;
  for (const unsigned first : {0u, half}) { // an index may begin anew after its largest number
    const auto at = [&](unsigned lane) {
      return builder_.CreatePtrToInt(laneValue(pointer, lane), word);
    };
    Value* apart = builder_.CreateSub(at(first + half - 1), at(first));
    agree = builder_.CreateAnd(
        agree, builder_.CreateICmpEQ(apart, builder_.getInt64(std::uint64_t{half - 1} * step)));
  }
  return agree;
}

/// How the addresses of all 32 lanes lie: Rows, Points or Scattered.
Value* BlockCompiler::shapeOf(const Access& access) {
  AllocaInst* result = spill(builder_.getInt32(Scattered));
  const auto store = [&](Way way) { builder_.CreateStore(builder_.getInt32(way), result); };
  Value* pointer = access.group->pointer;
  ifThenElse(
      addressesAgree(pointer, access.bytes), [&] { store(Rows); },
      [&] { ifThenElse(addressesAgree(pointer, 0), [&] { store(Points); }, [] {}); });
  return builder_.CreateLoad(builder_.getInt32Ty(), result);
}

/// Whether the first and last lanes of both halves lie in the range hit last, and with them those
/// between.
Value* BlockCompiler::endsInRange(const Access& access, Value* shape, unsigned step) {
  const unsigned shift = Log2(access.alignment);
  Value* begin = rangeBegin(access);
  Value* lastUnit = builder_.CreateLShr(rangeLastOffset(access), shift);
  Value* span = builder_.CreateSelect(builder_.CreateICmpEQ(shape, builder_.getInt32(Rows)),
                                      builder_.getInt64(std::uint64_t{half - 1} * step),
                                      builder_.getInt64(0));
  const auto inside = [&](Value* offset) {
    Value* unit = builder_.CreateIntrinsic(Intrinsic::fshr, {offset->getType()},
                                           {offset, offset, builder_.getInt64(shift)});
    return builder_.CreateICmpULE(unit, lastUnit);
  };
  Value* fine = builder_.getTrue();
  for (const unsigned lane : {0u, half}) {
    Value* offset = builder_.CreateSub(
        builder_.CreatePtrToInt(pointerOf(access, lane), builder_.getInt64Ty()), begin);
    fine = builder_.CreateAnd(fine, inside(offset));
    fine = builder_.CreateAnd(fine, inside(builder_.CreateAdd(offset, span)));
  }
  return fine;
}

/// The way that all accesses of a group take; `access` is its first. Where all 32 lanes lie in
/// order, the first and last ones tell; else each is looked at.
Value* BlockCompiler::chooseWay(const Instruction& instruction, const Access& access,
                                const AddressGroup& group) {
  Access whole = access;
  whole.number = kernel_.sites.add(instruction);
  whole.site = siteState(whole.number);
  whole.bytes = unsigned(group.end - group.least);
  whole.delta = group.least - access.group->offset;
  const auto number = [&](Way value) { return builder_.getInt32(value); };
  Value* plain = builder_.getTrue();
  if (kernel_.account)
    plain =
        builder_.CreateIsNull(contextField(offsetof(WarpContext, counts), builder_.getInt32Ty()));
  const auto lookAtEach = [&](Value* shape) {
    Value* fine = builder_.CreateICmpEQ(checkedLanes(whole), activeMask_);
    return builder_.CreateSelect(builder_.CreateAnd(fine, plain), shape, number(Careful), "way");
  };
  if (access.space == profile::MemorySpace::Local)
    return lookAtEach(number(Scattered));
  AllocaInst* shape = spill(number(Scattered));
  AllocaInst* result = spill(number(Scattered));
  AllocaInst* known = spill(builder_.getFalse());
  Value* full = builder_.CreateICmpEQ(activeMask_, builder_.getInt32(allLanes));
  ifThenElse(
      builder_.CreateAnd(plain, full),
      [&] {
        Value* found = shapeOf(access);
        builder_.CreateStore(found, shape);
        ifThenElse(
            builder_.CreateICmpEQ(found, number(Scattered)), [] {},
            [&] {
              builder_.CreateStore(endsInRange(whole, found, access.bytes), known);
              builder_.CreateStore(found, result);
            });
      },
      [] {});
  ifThenElse(
      builder_.CreateLoad(builder_.getInt1Ty(), known), [] {},
      [&] {
        Value* found = builder_.CreateLoad(builder_.getInt32Ty(), shape);
        builder_.CreateStore(lookAtEach(found), result);
      });
  return builder_.CreateLoad(builder_.getInt32Ty(), result, "way");
}

/// One of several bodies, by number; the last for all others.
void BlockCompiler::choose(Value* way,
                           ArrayRef<std::pair<std::uint32_t, function_ref<void()>>> bodies) {
  LLVMContext& context = function_.getContext();
  BasicBlock* done = BasicBlock::Create(context, "done", code_);
  BasicBlock* last = BasicBlock::Create(context, "way", code_);
  SwitchInst* choice = builder_.CreateSwitch(way, last);
  const auto scalars = scalars_;
  const auto vectors = vectors_;
  for (const auto& [number, body] : bodies) {
    const bool isLast = &body == &bodies.back().second;
    BasicBlock* block = isLast ? last : BasicBlock::Create(context, "way", code_);
    if (!isLast)
      choice->addCase(builder_.getInt32(number), block);
    builder_.SetInsertPoint(block);
    body();
    builder_.CreateBr(done);
    scalars_ = scalars;
    vectors_ = vectors;
  }
  builder_.SetInsertPoint(done);
}

/// Counts one transaction, which is also the ideal, in warps that count.
void BlockCompiler::countUniform(const Access& access, Value* address) {
  if (!kernel_.account)
    return;
  Value* counts = contextField(offsetof(WarpContext, counts), builder_.getInt32Ty());
  ifThenElse(
      builder_.CreateIsNull(counts), [] {},
      [&] {
        const bool shared = access.space == profile::MemorySpace::Shared;
        callHelper("heddleCountOne", builder_.getVoidTy(),
                   {warp_, builder_.getInt32(access.number), address, activeMask_,
                    builder_.getInt32(shared ? 1 : 0)});
      });
}

/// Calls a helper that checks, counts and makes an access; returns the lanes that are fine.
Value* BlockCompiler::callCarefully(const char* helper, const Access& access, Value* values) {
  const std::uint32_t shape = access.bytes | unsigned(Log2(access.alignment)) << 16 |
                              (access.space == profile::MemorySpace::Shared ? carefulShared : 0);
  return callHelper(helper, builder_.getInt32Ty(),
                    {warp_, builder_.getInt32(access.number), forHelper(addressesOf(access)),
                     activeMask_, builder_.getInt32(shape), values});
}

/// One part of all lanes' values that lie one after the other.
Value* BlockCompiler::loadStrided(Value* memory, Type* part, unsigned offset, unsigned stride) {
  Type* lane = vectorType(part);
  if (types().getTypeAllocSize(part) == stride && !part->isIntegerTy(1))
    return builder_.CreateAlignedLoad(lane, memory, Align(slotAlignment));
  return builder_.CreateMaskedGather(lane, stridedPlaces(memory, offset, stride), Align(1),
                                     Constant::getAllOnesValue(activeLanes_->getType()));
}

void BlockCompiler::storeStrided(Value* memory, Value* value, unsigned offset, unsigned stride) {
  Type* part = cast<VectorType>(value->getType())->getElementType();
  if (types().getTypeAllocSize(part) == stride && !part->isIntegerTy(1))
    builder_.CreateAlignedStore(value, memory, Align(slotAlignment));
  else
    builder_.CreateMaskedScatter(value, stridedPlaces(memory, offset, stride), Align(1));
}

Value* BlockCompiler::stridedPlaces(Value* memory, unsigned offset, unsigned stride) {
  SmallVector<Constant*, warpSize> places;
  for (unsigned lane = 0; lane < unsigned(warpSize); ++lane)
    places.push_back(builder_.getInt64(std::uint64_t{lane} * stride + offset));
  return builder_.CreateGEP(builder_.getInt8Ty(), memory, ConstantVector::get(places));
}

/// A load whose address all active lanes share.
void BlockCompiler::compileUniformLoad(LoadInst& load) {
  const Access access = makeAccess(load, profile::AccessKind::Load);
  Type* type = laneType(load.getType());
  Value* pointer = scalar(load.getPointerOperand());
  Value* address = builder_.CreatePtrToInt(pointer, builder_.getInt64Ty());
  Value* offset = builder_.CreateSub(address, rangeBegin(access));
  Value* low = builder_.CreateAnd(address, builder_.getInt64(access.alignment.value() - 1));
  Value* fine = builder_.CreateAnd(builder_.CreateICmpULE(offset, rangeLastOffset(access)),
                                   builder_.CreateIsNull(low));
  countUniform(access, address);
  AllocaInst* result = spill(Constant::getNullValue(type));
  const auto read = [&] { builder_.CreateStore(builder_.CreateLoad(type, pointer), result); };
  ifThenElse(fine, read, [&] {
    Value* found = callHelper("heddleCheckOne", builder_.getInt32Ty(),
                              {warp_, builder_.getInt32(access.number), address, activeMask_,
                               builder_.getInt32(access.bytes),
                               builder_.getInt32(unsigned(access.alignment.value()))});
    ifThenElse(builder_.CreateIsNotNull(found), read, [] {});
  });
  define(load, builder_.CreateLoad(type, result));
}

/// A load and where the lanes of its parts go.
struct BlockCompiler::LaneLoad {
  const Access& access;
  Align alignment;
  std::vector<Part> parts;
  std::vector<unsigned> offsets; ///< of the parts in memory
  SmallVector<AllocaInst*, 4> results;
};

void BlockCompiler::gatherParts(const LaneLoad& load) {
  Value* pointers = pointersOf(load.access);
  const auto gather = [&](Value* mask) {
    for (std::size_t i = 0; i < load.parts.size(); ++i) {
      Type* lane = vectorType(load.parts[i].type);
      Value* from = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), pointers, load.offsets[i]);
      builder_.CreateStore(
          builder_.CreateMaskedGather(lane, from, commonAlignment(load.alignment, load.offsets[i]),
                                      mask, Constant::getNullValue(lane)),
          load.results[i]);
    }
  };
  const auto loop = [&] {
    for (std::size_t i = 0; i < load.parts.size(); ++i) {
      Type* type = laneType(load.parts[i].type);
      const auto body = [&](Value*, ArrayRef<Value*> lane) -> Value* {
        return builder_.CreateAlignedLoad(type, place(lane[0], load.offsets[i]),
                                          commonAlignment(load.alignment, load.offsets[i]));
      };
      builder_.CreateStore(forEachLane(activeMask_, type, {pointers}, body), load.results[i]);
    }
  };
  if (!isForNeon() || hasBits(load.parts))
    return gather(activeLanes_);
  ifThenElse(
      builder_.CreateICmpEQ(activeMask_, builder_.getInt32(allLanes)),
      [&] { gather(Constant::getAllOnesValue(activeLanes_->getType())); }, loop);
}

/// The helper leaves the lanes' values one after the other.
void BlockCompiler::loadCarefully(const LaneLoad& load) {
  AllocaInst* values = helperValues(warpSize * load.access.bytes);
  callCarefully("heddleCarefulLoad", load.access, values);
  for (std::size_t i = 0; i < load.parts.size(); ++i)
    builder_.CreateStore(
        loadStrided(values, load.parts[i].type, load.offsets[i], load.access.bytes),
        load.results[i]);
}

/// Both halves of the warp at once: `lanes` values from each, of which part i of a lane is chosen.
void BlockCompiler::loadHalves(const LaneLoad& load, unsigned lanes) {
  const auto n = unsigned(load.parts.size());
  Type* wide = FixedVectorType::get(laneType(load.parts[0].type), lanes * n);
  Value* low = builder_.CreateAlignedLoad(wide, pointerOf(load.access, 0), load.alignment);
  Value* high = builder_.CreateAlignedLoad(wide, pointerOf(load.access, half), load.alignment);
  for (unsigned i = 0; i < n; ++i) {
    SmallVector<int, warpSize> chosen;
    for (unsigned lane = 0; lane < unsigned(warpSize); ++lane)
      chosen.push_back(int(lane / half * lanes * n + (lanes == 1 ? 0 : lane % half * n) + i));
    builder_.CreateStore(builder_.CreateShuffleVector(low, high, chosen), load.results[i]);
  }
}

void BlockCompiler::compileLoad(LoadInst& load) {
  if (layout_.isUniform(&load))
    return compileUniformLoad(load);
  const Access access = makeAccess(load, profile::AccessKind::Load);
  Type* type = load.getType();
  LaneLoad lanes{access, load.getAlign(), partsOf(type), memoryOffsets(type, types()), {}};
  for (const Part& part : lanes.parts)
    lanes.results.push_back(stackPlace(vectorType(part.type)));
  const auto scattered = [&] { gatherParts(lanes); };
  const auto careful = [&] { loadCarefully(lanes); };
  const auto rows = [&] { loadHalves(lanes, half); };
  const auto points = [&] { loadHalves(lanes, 1); };
  Value* way = access.group->way;
  if (access.space == profile::MemorySpace::Local || !isDense(type, lanes.parts, types()))
    ifThenElse(builder_.CreateICmpEQ(way, builder_.getInt32(Careful)), careful, scattered);
  else
    choose(way, {{Rows, rows}, {Points, points}, {Careful, careful}, {Scattered, scattered}});
  Values made;
  for (std::size_t i = 0; i < lanes.parts.size(); ++i)
    made.push_back(builder_.CreateLoad(vectorType(lanes.parts[i].type), lanes.results[i]));
  defineParts(load, made);
}

void BlockCompiler::compileStore(StoreInst& store) {
  if (store.hasMetadata(analysis::inOrderMetadata))
    awaitTurn();
  const Access access = makeAccess(store, profile::AccessKind::Store);
  Value* value = store.getValueOperand();
  const std::vector<Part> parts = partsOf(value->getType());
  const std::vector<unsigned> offsets = memoryOffsets(value->getType(), types());
  Values values;
  for (unsigned part = 0; part < parts.size(); ++part)
    values.push_back(vector(value, part));
  const auto scatter = [&](Value* lanes) {
    Value* pointers = pointersOf(access);
    for (std::size_t i = 0; i < parts.size(); ++i)
      builder_.CreateMaskedScatter(
          values[i], builder_.CreateConstGEP1_64(builder_.getInt8Ty(), pointers, offsets[i]),
          commonAlignment(store.getAlign(), offsets[i]), lanes);
  };
  const auto scattered = [&] { scatter(activeLanes_); };
  const auto careful = [&] {
    AllocaInst* memory = helperValues(warpSize * access.bytes);
    for (std::size_t i = 0; i < parts.size(); ++i)
      storeStrided(memory, values[i], offsets[i], access.bytes);
    callCarefully("heddleCarefulStore", access, memory);
  };
  Value* way = access.group->way;
  if (access.space == profile::MemorySpace::Local || parts.size() != 1 ||
      !isDense(value->getType(), parts, types()))
    return ifThenElse(builder_.CreateICmpEQ(way, builder_.getInt32(Careful)), careful, scattered);
  const auto lane = [&](unsigned number) { return pointerOf(access, number); };
  const auto rows = [&] {
    for (const unsigned first : {0u, half})
      builder_.CreateAlignedStore(builder_.CreateShuffleVector(values[0], halfFrom(first)),
                                  lane(first), store.getAlign());
  };
  choose(way, {{Rows, rows}, {Careful, careful}, {Scattered, scattered}});
}

} // namespace heddle::engine
