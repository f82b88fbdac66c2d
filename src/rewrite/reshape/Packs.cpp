// SPDX-License-Identifier: Apache-2.0
#include "rewrite/reshape/Packs.h"

#include "rewrite/code/Builtins.h"
#include "rewrite/code/ConditionText.h"
#include "rewrite/code/FreshNames.h"
#include "rewrite/code/SharedBytes.h"
#include "rewrite/launches/GridText.h"
#include "rewrite/launches/KernelParameter.h"
#include "rewrite/reshape/PackSizes.h"
#include "rewrite/reshape/Refusals.h"

#include <clang/AST/Attr.h>
#include <clang/AST/TypeLoc.h>

#include <algorithm>
#include <set>

namespace heddle::rewrite::reshape {
namespace {

constexpr std::int64_t mostShared = 48 * 1024; ///< bytes that a kernel may declare

/// The block with one axis more.
std::string packedBlock(const Source& source, const LaunchShape& shape, std::size_t axis,
                        int count) {
  const auto& [x, y, z] = shape.block;
  if (axis == 0)
    return y * z == 1 ? std::to_string(count) : fmt::format("dim3({}, {}, {})", count, y, z);
  if (axis == 2)
    return fmt::format("dim3({}, {}, {})", x, y, count);
  const std::string written = source.textOf(shape.blockRange);
  const bool isWord = written.find_first_of(" (){}+-*/?.") == std::string::npos;
  const clang::Expr& block = *shape.call->getConfig()->getArg(1);
  const std::string first = isWord && namedDim3(block) == nullptr ? written : std::to_string(x);
  return z == 1 ? fmt::format("dim3({}, {})", first, count)
                : fmt::format("dim3({}, {}, {})", first, count, z);
}

/// One way to pack: along an axis, so many blocks.
class Packer {
public:
  Packer(const Source& source, const clang::FunctionDecl& kernel, const BlockUses& uses,
         const std::vector<LaunchShape>& shapes, std::size_t axis)
      : source_(source), kernel_(kernel), uses_(uses), shapes_(shapes), axis_(axis),
        fresh_(source, kernel), block_(fresh_.make("block")), blocks_(fresh_.make("blocks")) {}

  Legal<Edits> pack(int count) {
    Edits edits;
    for (const auto step : {&Packer::addBlocks, &Packer::addNumber, &Packer::replaceNames,
                            &Packer::addElements, &Packer::changeLaunches})
      if (auto done = (this->*step)(count, edits); !done)
        return tl::unexpected(done.error());
    return edits;
  }

private:
  char axis() const { return char('x' + axis_); }
  tl::unexpected<Refusal> inMacro(clang::SourceLocation where) const {
    return refuse(refusals["macro-in-the-way"], "line {} has in a macro what must change",
                  source_.lineOf(where));
  }

  /// Step 1, in each declaration.
  Legal<void> addBlocks(int, Edits& edits) const {
    return addParameter(source_, kernel_, "unsigned " + blocks_, edits);
  }

  Legal<void> addNumber(int, Edits& edits) const {
    const auto body = source_.insideOf(*kernel_.getBody());
    if (!body)
      return inMacro(kernel_.getBody()->getBeginLoc());
    const std::string& unit = source_.indentUnit();
    const std::string begin = "\n" + source_.indentAt(body->begin) + unit;
    edits.insert(body->begin,
                 fmt::format("{0}const unsigned {1} = blockIdx.x * blockDim.{2} + threadIdx.{2};"
                             "{0}if ({1} >= {3}){0}{4}return;",
                             begin, block_, axis(), blocks_, unit));
    return {};
  }

  /// Step 2.
  Legal<void> replaceNames(int, Edits& edits) const {
    std::set<Range> done;
    for (const clang::Expr* each : uses_.places) {
      const std::string name = builtinOf(each);
      if (name != "blockIdx.x" && name != "gridDim.x")
        continue;
      const auto range = source_.rangeOf(each->getSourceRange());
      if (!range || source_.textOf(*range) != name)
        return inMacro(each->getBeginLoc());
      if (done.insert(*range).second)
        edits.replace(*range, name == "gridDim.x" ? blocks_ : block_);
    }
    return {};
  }

  /// Step 3.
  Legal<void> addElements(int count, Edits& edits) const {
    std::set<Range> done;
    const auto add = [&](clang::SourceLocation name, const std::string& element) {
      const auto range = source_.rangeOf(name);
      if (range && done.insert(*range).second)
        edits.insert(range->end, element);
      return range.has_value();
    };
    for (const clang::VarDecl* each : uses_.shared)
      if (!add(each->getLocation(), fmt::format("[{}]", count)))
        return inMacro(each->getLocation());
    for (const clang::DeclRefExpr* each : uses_.sharedNames)
      if (!add(each->getLocation(), fmt::format("[threadIdx.{}]", axis())))
        return inMacro(each->getLocation());
    return {};
  }

  /// Step 4.
  Legal<void> changeLaunches(int count, Edits& edits) const {
    const auto body = source_.rangeOf(*kernel_.getBody());
    for (const LaunchShape& shape : shapes_) {
      if (body && body->contains(shape.gridRange))
        return refuse(refusals["launch-shape"], "{} launches itself", kernel_.getNameAsString());
      const auto grid = dividedGrid(source_, shape, count);
      const auto end = source_.rangeOf(shape.call->getRParenLoc());
      if (!end)
        return refuse(refusals["launch-in-macro"], "line {} launches {} in a macro",
                      source_.lineOf(shape.call->getBeginLoc()), kernel_.getNameAsString());
      if (!grid)
        return refuse(refusals["launch-shape"], "line {} launches a grid of '{}'",
                      source_.lineOf(shape.call->getBeginLoc()), source_.textOf(shape.gridRange));
      edits.replace(shape.gridRange, grid->text);
      edits.replace(shape.blockRange, packedBlock(source_, shape, axis_, count));
      edits.insert(end->begin, (shape.call->getNumArgs() == 0 ? "" : ", ") + grid->blocks);
    }
    return {};
  }

  const Source& source_;
  const clang::FunctionDecl& kernel_;
  const BlockUses& uses_;
  const std::vector<LaunchShape>& shapes_;
  std::size_t axis_;
  FreshNames fresh_;
  std::string block_, blocks_;
};

/// The first that no block uses and that the kernel does not ask for.
std::optional<std::size_t> freeAxis(const Block& block, const std::set<std::string>& names) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::string end{'.', char('x' + axis)};
    if (block[axis] == 1 && !names.contains("threadIdx" + end) && !names.contains("blockDim" + end))
      return axis;
  }
  return std::nullopt;
}

/// Threads that share memory without a barrier stay in one warp, if blocks of theirs fill warps.
bool mayLackBarrier(const BlockUses& uses, int threads) {
  return uses.hasBarrier || uses.shared.empty() || warpSize % threads == 0;
}

std::int64_t mostBytes(const clang::FunctionDecl& kernel) {
  std::int64_t bytes = 0;
  for (const clang::FunctionDecl* each : instancesOf(kernel))
    bytes = std::max(bytes, sharedBytesOf(kernel.getASTContext(), *each->getBody()));
  return bytes;
}

} // namespace

bool boundsAllow(const clang::FunctionDecl& kernel, int threads) {
  return std::ranges::all_of(kernel.redecls(), [&](const clang::FunctionDecl* each) {
    const auto* bounds = each->getAttr<clang::CUDALaunchBoundsAttr>();
    clang::Expr::EvalResult most;
    return bounds == nullptr ||
           (!bounds->getMaxThreads()->isValueDependent() &&
            bounds->getMaxThreads()->EvaluateAsInt(most, kernel.getASTContext()) &&
            most.Val.getInt() >= threads);
  });
}

Legal<std::vector<Proposal>> proposePacks(const Source& source, const Target& target,
                                          const BlockUses& uses,
                                          const std::vector<LaunchShape>& shapes) {
  const clang::FunctionDecl& kernel = *target.kernel;
  const std::string name = kernel.getNameAsString();
  const Block& block = shapes.front().block;
  const int threads = threadsOf(block);
  const auto axis = freeAxis(block, uses.names);
  if (!axis)
    return refuse(refusals["axes-in-use"], "{} asks for its thread along x, y and z", name);
  if (!mayLackBarrier(uses, threads))
    return refuse(refusals["no-barrier"], "{} shares {} among {} threads without __syncthreads()",
                  name, uses.shared.front()->getNameAsString(), threads);
  std::vector<int> counts = packSizes(threads, *axis);
  const std::int64_t bytes = mostBytes(kernel);
  std::erase_if(counts, [&](int each) { return bytes * each > mostShared; });
  if (counts.empty())
    return refuse(refusals["shared-unfit"], "{} bytes of a block fit into no more blocks", bytes);
  std::erase_if(counts, [&](int each) { return !boundsAllow(kernel, threads * each); });
  if (counts.empty())
    return refuse(refusals["small-launch-bounds"], "the __launch_bounds__ of {} allow no more",
                  name);
  Packer packer(source, kernel, uses, shapes, *axis);
  std::vector<Proposal> proposals;
  for (const int count : counts) {
    auto edits = packer.pack(count);
    if (!edits)
      return tl::unexpected(edits.error());
    proposals.push_back({fmt::format("packs of {}", count), *std::move(edits)});
  }
  return proposals;
}

} // namespace heddle::rewrite::reshape
