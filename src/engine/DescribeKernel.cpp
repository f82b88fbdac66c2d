// SPDX-License-Identifier: Apache-2.0
#include "engine/DescribeKernel.h"

#include "analysis/BlockLines.h"
#include "analysis/SourceSite.h"
#include "analysis/WorkQueue.h"
#include "engine/PrepareKernel.h"
#include "engine/SourceLoops.h"
#include "frontend/DeviceModule.h"
#include "lowering/Lower.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include <algorithm>
#include <set>

namespace heddle::engine {
namespace {

/// Whether an instruction may see what another thread wrote, or gives it time to.
bool mayPoll(const llvm::Instruction& instruction) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return load->isVolatile() || load->isAtomic();
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst, llvm::FenceInst>(instruction))
    return true;
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (call == nullptr)
    return false;
  switch (call->getIntrinsicID()) {
  case llvm::Intrinsic::nvvm_membar_cta:
  case llvm::Intrinsic::nvvm_membar_gl:
  case llvm::Intrinsic::nvvm_membar_sys:
  case llvm::Intrinsic::nvvm_nanosleep:
    return true;
  default:
    return false;
  }
}

/// Whether a block looks at a clock or sleeps.
bool takesTime(const llvm::BasicBlock* block) {
  return llvm::any_of(*block, [](const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (call == nullptr)
      return false;
    switch (call->getIntrinsicID()) {
    case llvm::Intrinsic::nvvm_nanosleep:
    case llvm::Intrinsic::nvvm_read_ptx_sreg_clock:
    case llvm::Intrinsic::nvvm_read_ptx_sreg_clock64:
    case llvm::Intrinsic::nvvm_read_ptx_sreg_globaltimer:
      return true;
    default:
      return false;
    }
  });
}

BlockKind kindOf(const llvm::BasicBlock& block) {
  switch (endOf(block)) {
  case BlockEnd::Barrier:
    return BlockKind::Barrier;
  case BlockEnd::WarpBarrier:
    return BlockKind::WarpBarrier;
  case BlockEnd::Call:
    return BlockKind::Call;
  case BlockEnd::Branch:
    break;
  }
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  if (branch == nullptr)
    return BlockKind::Return;
  return branch->isConditional() ? BlockKind::Branch : BlockKind::Jump;
}

/// Records of one kind, one for each different key, in order.
template <class Record, class Key> class Records {
public:
  void want(const Key& key, const Record& record) { records_.emplace(key, record); }
  int indexOf(const Key& key) const {
    return int(std::distance(records_.begin(), records_.find(key)));
  }
  std::vector<Record> all() const {
    std::vector<Record> list;
    for (const auto& [key, record] : records_)
      list.push_back(record);
    return list;
  }

private:
  std::map<Key, Record> records_;
};

/// Describes the functions one after the other: first all sites, then the blocks that refer to
/// them.
class Describer {
public:
  Describer(CompiledKernel& kernel, KernelSites& sites) : kernel_(kernel), sites_(sites) {}

  void collect(llvm::Function& function, const FrameLayout& layout);
  void collectAccesses();
  void finish();

  CompiledFunction describe(llvm::Function& function, const FrameLayout& layout,
                            const std::vector<llvm::Function*>& functions);

private:
  using AccessKey = std::tuple<profile::Site, int, int, int>;

  CompiledBlock describeBlock(const llvm::BasicBlock& block, const FrameLayout& layout,
                              const std::vector<llvm::Function*>& functions,
                              const llvm::LoopInfo& loops, const SourceLoops& source);
  int loopEdge(const llvm::BasicBlock& from, const llvm::BasicBlock& to,
               const llvm::LoopInfo& loops, const SourceLoops& source);
  void addVisits(const llvm::BasicBlock& from, const llvm::BasicBlock& to,
                 const SourceLoops& source, LoopEdge& edge) const;
  static AccessKey keyOf(const FaultSite& site) {
    return {site.site, int(site.kind), int(site.space), site.bytesPerLane};
  }
  static int targetsOf(const llvm::Instruction& end);

  CompiledKernel& kernel_;
  KernelSites& sites_;
  std::map<const llvm::BasicBlock*, int> pollLoops_; ///< by header
  Records<profile::BranchProfile, profile::Site> branches_;
  Records<profile::LoopProfile, profile::Site> loops_;
  Records<profile::MemoryProfile, AccessKey> accesses_;
};

int Describer::targetsOf(const llvm::Instruction& end) {
  if (llvm::isa<llvm::CallInst>(end))
    return 0;
  const llvm::MDNode* node = end.getMetadata(targetsMetadata);
  return node == nullptr
             ? 2
             : int(llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(0))->getZExtValue());
}

void Describer::collect(llvm::Function& function, const FrameLayout& layout) {
  llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  for (const llvm::BasicBlock* block : layout.flow().blocks) {
    const llvm::Instruction& end = endingInstruction(*block);
    const BlockKind kind = kindOf(*block);
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&end);
    if (kind == BlockKind::Branch || (kind == BlockKind::Call && call->isIndirectCall()))
      branches_.want(analysis::siteOf(end),
                     {.site = analysis::siteOf(end), .targets = targetsOf(end)});
  }
  for (const llvm::Loop* loop : loops.getLoopsInPreorder())
    if (SourceLoops::isOfSource(*loop))
      loops_.want(SourceLoops::siteOf(*loop), {.site = SourceLoops::siteOf(*loop)});
}

void Describer::collectAccesses() {
  for (const FaultSite& site : sites_.faults)
    if (site.isAccess)
      accesses_.want(keyOf(site), {.site = site.site,
                                   .kind = site.kind,
                                   .space = site.space,
                                   .bytesPerLane = site.bytesPerLane});
}

/// Where a visit of a loop in pieces begins and ends.
void Describer::addVisits(const llvm::BasicBlock& from, const llvm::BasicBlock& to,
                          const SourceLoops& source, LoopEdge& edge) const {
  for (const SourceLoops::InPieces& pieces : source.inPieces()) {
    LoopEdge::Visit visit{loops_.indexOf(SourceLoops::siteOf(*pieces.unrolled))};
    const bool isInside = pieces.region.contains(&from), staysInside = pieces.region.contains(&to);
    visit.begins = !isInside && staysInside;
    visit.ends = isInside && !staysInside;
    visit.isIteration = pieces.restBegin == &to;
    if (visit.begins || visit.ends || visit.isIteration)
      edge.visits.push_back(visit);
  }
}

int Describer::loopEdge(const llvm::BasicBlock& from, const llvm::BasicBlock& to,
                        const llvm::LoopInfo& loops, const SourceLoops& source) {
  LoopEdge edge;
  const llvm::Loop* target = loops.getLoopFor(&to);
  if (target != nullptr && target->getHeader() == &to && SourceLoops::isOfSource(*target))
    (target->contains(&from) ? edge.repeats : edge.enters) =
        loops_.indexOf(SourceLoops::siteOf(*target));
  for (const llvm::Loop* loop = loops.getLoopFor(&from); loop != nullptr && !loop->contains(&to);
       loop = loop->getParentLoop())
    if (SourceLoops::isOfSource(*loop))
      edge.leaves.push_back({loops_.indexOf(SourceLoops::siteOf(*loop)),
                             loop->getHeader() != &from || loop->isLoopLatch(&from),
                             source.times(*loop), source.isPiece(*loop)});
  addVisits(from, to, source, edge);
  if (edge.enters < 0 && edge.repeats < 0 && edge.leaves.empty() && edge.visits.empty())
    return -1;
  kernel_.loopEdges.push_back(edge);
  return int(kernel_.loopEdges.size() - 1);
}

CompiledBlock Describer::describeBlock(const llvm::BasicBlock& block, const FrameLayout& layout,
                                       const std::vector<llvm::Function*>& functions,
                                       const llvm::LoopInfo& loops, const SourceLoops& source) {
  CompiledBlock result;
  const llvm::Instruction& end = endingInstruction(block);
  result.kind = kindOf(block);
  const llvm::Instruction* polling = nullptr;
  for (const llvm::Instruction& instruction : block) {
    if (mayPoll(instruction) && loops.getLoopFor(&block) != nullptr)
      polling = &instruction;
  }
  result.polls = polling != nullptr;
  result.votes = result.kind == BlockKind::Barrier && end.getMetadata(plainMetadata) == nullptr;
  const int number = layout.flow().number(&block);
  result.join = layout.joins().at[std::size_t(number)];
  const llvm::Instruction* terminator = block.getTerminator();
  for (unsigned side = 0; side < terminator->getNumSuccessors(); ++side) {
    result.successors[side] = layout.flow().number(terminator->getSuccessor(side));
    result.leaves[side] = layout.joins().leftBy(number, result.successors[side]);
    result.loopEdges[side] = loopEdge(block, *terminator->getSuccessor(side), loops, source);
    if (result.loopEdges[side] < 0)
      continue;
    if (const LoopEdge& edge = kernel_.loopEdges.back();
        edge.leaves.empty() && edge.visits.empty() && edge.enters < 0)
      result.repeats[side] = edge.repeats;
  }
  if (result.kind == BlockKind::Branch) {
    result.branch = branches_.indexOf(analysis::siteOf(end));
    result.startsBranch = end.getMetadata(innerMetadata) == nullptr;
  }
  if (result.polls) {
    const llvm::Loop& loop = *loops.getLoopFor(&block);
    result.pollSite = int(sites_.add(*polling));
    result.pollLoop = pollLoops_.try_emplace(loop.getHeader(), kernel_.pollLoops).first->second;
    kernel_.pollLoops = int(pollLoops_.size());
    result.pollsTime = llvm::any_of(loop.blocks(), takesTime);
    for (const llvm::BasicBlock* turn : loop.blocks())
      result.pollTurn.push_back(layout.flow().number(turn));
  }
  if (result.kind == BlockKind::Barrier || result.kind == BlockKind::WarpBarrier ||
      result.kind == BlockKind::Call)
    result.site = int(sites_.add(end));
  if (result.kind == BlockKind::Call) {
    const auto& call = llvm::cast<llvm::CallInst>(end);
    const auto callee = std::ranges::find(functions, call.getCalledOperand()->stripPointerCasts());
    if (callee != functions.end())
      result.callee = int(callee - functions.begin());
    else
      result.branch = branches_.indexOf(analysis::siteOf(end));
    result.resultSlot = layout.hasSlot(&call) ? layout.slotOf(&call) : 0;
  }
  return result;
}

CompiledFunction Describer::describe(llvm::Function& function, const FrameLayout& layout,
                                     const std::vector<llvm::Function*>& functions) {
  llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  const SourceLoops source(function, loops, dominators);
  kernel_.shape.takesWork = std::max(kernel_.shape.takesWork, analysis::takesWork(function, loops));
  CompiledFunction result;
  const std::string symbol = function.getName().str();
  result.name =
      layout.isKernel() ? frontend::plainKernelName(symbol) : frontend::plainFunctionName(symbol);
  for (const llvm::BasicBlock* block : layout.flow().blocks)
    result.blocks.push_back(describeBlock(*block, layout, functions, loops, source));
  for (const analysis::Level& level : layout.joins().levels)
    result.levels.push_back({level.end, level.exitJoin});
  result.levelOf = layout.joins().levelOf;
  result.frameSize = layout.frameSize();
  result.uniformBegin = layout.uniformBegin();
  result.uniformEnd = layout.uniformEnd();
  result.argumentsBegin = layout.argumentsBegin();
  result.argumentsSize = layout.argumentsSize();
  result.localBegin = layout.localBegin();
  result.localSize = layout.localSize();
  return result;
}

void Describer::finish() {
  kernel_.prototype.branches = branches_.all();
  kernel_.prototype.loops = loops_.all();
  kernel_.prototype.accesses = accesses_.all();
  kernel_.faultSites = sites_.faults;
  for (const FaultSite& site : sites_.faults)
    kernel_.accessRecords.push_back(site.isAccess ? accesses_.indexOf(keyOf(site)) : -1);
}

/// The lines of a function's blocks and their edges.
void describeCode(const FrameLayout& layout, const lowering::LoweredFunction& lowered,
                  std::uint32_t firstShape, analysis::LineTable& lines,
                  std::vector<profile::Stretch>& code) {
  const auto& blocks = layout.flow().blocks;
  code.resize(codeNumber(firstShape + std::uint32_t(blocks.size())));
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto shape = firstShape + std::uint32_t(i);
    code[codeNumber(shape)] =
        analysis::blockLines(*blocks[i], lowered.shares[i], lowered.blocks[i].instructions,
                             lowered.isMachineCode, lines);
    for (const int side : {0, 1})
      if (const std::uint32_t length = lowered.edges[i][std::size_t(side)]; length > 0)
        code[codeNumber(shape, side)] = {{lines.numberOf(*blocks[i]->getTerminator()), length}};
  }
}

/// The machine instructions of a function.
lowering::LoweredFunction lowered(const FrameLayout& layout, const KernelSites& sites,
                                  int& values) {
  const auto siteOf = [&](const llvm::Instruction& instruction) {
    const auto found = sites.accesses.find(&instruction);
    return found == sites.accesses.end() ? -1 : found->second;
  };
  const auto spaceOf = [&](int site) { return sites.faults[std::size_t(site)].space; };
  const auto isFree = [](const llvm::Instruction& instruction) {
    return instruction.getMetadata(addressMetadata) != nullptr;
  };
  const auto isNumbered = [](const llvm::Instruction& barrier) { // others may come to it, not all
    const auto* before = llvm::dyn_cast_or_null<llvm::CallInst>(barrier.getPrevNode());
    return before != nullptr && before->getCalledFunction() != nullptr &&
           before->getCalledFunction()->getName() == barrierNumberName;
  };
  const auto isBarrier = [&](const llvm::Instruction& instruction) {
    return endOf(*instruction.getParent()) == BlockEnd::Barrier &&
           &endingInstruction(*instruction.getParent()) == &instruction && !isNumbered(instruction);
  };
  const auto isUniform = [&](const llvm::Value& value) { return layout.isUniform(&value); };
  return lowering::lower({layout.flow(),
                          layout.joins(),
                          layout.isKernel(),
                          {siteOf, spaceOf, isFree, isBarrier, isUniform}},
                         values);
}

/// What timing needs to know of a function's blocks, and their lines.
void describeShape(const FrameLayout& layout, const KernelSites& sites, CompiledFunction& function,
                   analysis::LineTable& lines, CompiledKernel& kernel) {
  lowering::LoweredFunction made = lowered(layout, sites, kernel.shape.values);
  for (std::size_t i = 0; i < made.blocks.size(); ++i) {
    function.blocks[i].instructions = made.blocks[i].instructions;
    function.blocks[i].edgeInstructions = made.edges[i];
  }
  for (CompiledBlock& block : function.blocks)
    for (const int turn : block.pollTurn)
      block.pollLength += function.blocks[std::size_t(turn)].instructions;
  std::vector<profile::BlockShape>& shapes = kernel.shape.blocks;
  describeCode(layout, made, std::uint32_t(shapes.size()), lines, kernel.code);
  std::ranges::move(made.blocks, std::back_inserter(shapes));
  if (made.arrival) {
    function.arrivalShape = std::uint32_t(shapes.size());
    shapes.push_back(*std::move(made.arrival));
  }
}

/// Marks the functions that may be called again before they return. A call through a pointer may
/// call each function whose address is taken.
void markRecursion(const std::vector<llvm::Function*>& functions, CompiledKernel& kernel) {
  const std::size_t count = functions.size();
  std::vector<std::set<std::size_t>> callees(count);
  for (std::size_t i = 0; i < count; ++i)
    for (const CompiledBlock& block : kernel.functions[i].blocks)
      for (std::size_t other = 0; block.kind == BlockKind::Call && other < count; ++other)
        if (block.callee >= 0 ? std::size_t(block.callee) == other
                              : functions[other]->hasAddressTaken())
          callees[i].insert(other);
  for (std::size_t i = 0; i < count; ++i) {
    std::set<std::size_t> reached = callees[i];
    std::vector<std::size_t> work(reached.begin(), reached.end());
    while (!work.empty()) {
      const std::size_t at = work.back();
      work.pop_back();
      for (const std::size_t next : callees[at])
        if (reached.insert(next).second)
          work.push_back(next);
    }
    kernel.functions[i].recursive = reached.contains(i);
  }
  kernel.shape.recurses = std::ranges::any_of(kernel.functions, &CompiledFunction::recursive);
  kernel.shape.callsByPointer =
      std::ranges::any_of(kernel.functions, [](const CompiledFunction& function) {
        return std::ranges::any_of(function.blocks, [](const CompiledBlock& block) {
          return block.kind == BlockKind::Call && block.callee < 0;
        });
      });
}

} // namespace

CompiledKernel describeKernel(const std::vector<llvm::Function*>& functions,
                              const std::vector<std::unique_ptr<FrameLayout>>& layouts,
                              const ArgumentLayout& arguments, const SharedLayout& shared,
                              KernelSites& sites) {
  CompiledKernel kernel;
  Describer describer(kernel, sites);
  analysis::LineTable lines;
  for (std::size_t i = 0; i < functions.size(); ++i)
    describer.collect(*functions[i], *layouts[i]);
  describer.collectAccesses();
  for (std::size_t i = 0; i < functions.size(); ++i) {
    kernel.functions.push_back(describer.describe(*functions[i], *layouts[i], functions));
    kernel.functions.back().firstShape = std::uint32_t(kernel.shape.blocks.size());
    describeShape(*layouts[i], sites, kernel.functions.back(), lines, kernel);
    kernel.largestArguments =
        std::max(kernel.largestArguments, kernel.functions.back().argumentsSize);
  }
  kernel.codePlaces = lines.take();
  markRecursion(functions, kernel);
  describer.finish();
  kernel.kernelName = kernel.functions.front().name;
  kernel.prototype.id = functions.front()->getName().str();
  kernel.prototype.kernel = kernel.kernelName;
  kernel.prototype.staticShared = shared.size;
  kernel.offsetsOfArguments = arguments.offsets;
  kernel.sizesOfArguments = arguments.sizes;
  kernel.sizeOfArguments = arguments.size;
  kernel.alignmentOfArguments = arguments.alignment;
  kernel.sizeOfShared = shared.size;
  return kernel;
}

} // namespace heddle::engine
