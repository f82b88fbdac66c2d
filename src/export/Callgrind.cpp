// SPDX-License-Identifier: Apache-2.0
//
// The format of callgrind, for KCachegrind, QCachegrind and callgrind_annotate: a function for each
// function of the source, with costs by line, and calls where it was inlined.
//
// Lane slots that were used stand at their lines where machine code was run, which knows them, else
// at line 0: those of the kernel as a whole.
#include "export/Formats.h"
#include "support/Printable.h"

#include <fmt/format.h>

#include <array>
#include <map>

namespace heddle::exporting {
namespace {

using profile::KernelProfile;
using profile::Site;

constexpr std::size_t costCount = 8;
constexpr const char* costNames[costCount] = {"Lost",     "Used",    "Branches",   "Splits",
                                              "Requests", "Sectors", "BankPasses", "SwitchedOff"};
constexpr std::size_t usedCost = 1, offCost = 7;
using Costs = std::array<std::uint64_t, costCount>;

void addTo(Costs& sum, const Costs& more) {
  for (std::size_t i = 0; i < costCount; ++i)
    sum[i] += more[i];
}

/// "(1) name" the first time, "(1)" from then on: whatever the name begins with.
class NameTable {
public:
  std::string shorten(const std::string& name) {
    const auto [known, isNew] = numbers_.try_emplace(name, numbers_.size() + 1);
    return fmt::format("({}){}", known->second, isNew ? " " + printableLine(name) : "");
  }

private:
  std::map<std::string, std::size_t> numbers_;
};

struct FunctionKey {
  std::string file, name;
  auto operator<=>(const FunctionKey&) const = default;
};

struct CallKey {
  int line = 0;
  FunctionKey callee;
  auto operator<=>(const CallKey&) const = default;
};

struct FunctionCosts {
  std::map<int, Costs> lines;
  std::map<CallKey, Costs> calls; ///< with what is below them
};

class CallgrindWriter {
public:
  explicit CallgrindWriter(bool isOffKnown) : isOffKnown_(isOffKnown) {}

  void add(const KernelProfile& kernel) {
    const FunctionKey self = keyOf(kernel);
    Costs whole{kernel.lost() - kernel.lostToBranches()};
    if (kernel.lines.empty()) {
      whole[usedCost] = kernel.threadInstructions;
      whole[offCost] = kernel.switchedOff.value_or(0);
    }
    addTo(functions_[self].lines[0], whole);
    for (const profile::LineProfile& line : kernel.lines) {
      Costs costs{0, line.used};
      costs[offCost] = line.switchedOff;
      addAt(self, line.site, costs);
    }
    for (const profile::BranchProfile& branch : kernel.branches)
      addAt(self, branch.site,
            {branch.lostSlots, 0, branch.executions, branch.divergentExecutions});
    for (const profile::MemoryProfile& access : kernel.accesses) {
      const bool isShared = access.space == profile::MemorySpace::Shared;
      addAt(self, access.site,
            {0, 0, 0, 0, access.executions, isShared ? 0 : access.transactions,
             isShared ? access.transactions : 0});
    }
  }

  std::string write(const std::string& device, const std::string& version) {
    std::string text = fmt::format("# callgrind format\nversion: 1\ncreator: heddle {}\n"
                                   "desc: Device: {}\npositions: line\nevents: {}\n",
                                   version, printableLine(device), joined(costNames));
    Costs total{};
    for (const auto& [key, costs] : functions_)
      for (const auto& [line, each] : costs.lines)
        addTo(total, each);
    text += fmt::format("summary: {}\n", joined(total));
    for (const auto& [key, costs] : functions_)
      text += functionText(key, costs);
    return text;
  }

private:
  /// The last one is there where a kernel knows it.
  std::string joined(const auto& costs) const {
    return fmt::format("{}",
                       fmt::join(std::begin(costs), std::end(costs) - (isOffKnown_ ? 0 : 1), " "));
  }

  static std::string fileOf(const std::string& file) { return file.empty() ? "???" : file; }

  /// The file of the kernel is that of the first line that is its own.
  static FunctionKey keyOf(const KernelProfile& kernel) {
    for (const profile::BranchProfile& branch : kernel.branches)
      if (branch.site.inlinedAt.empty())
        return {fileOf(branch.site.where.file), kernel.kernel};
    for (const profile::MemoryProfile& access : kernel.accesses)
      if (access.site.inlinedAt.empty())
        return {fileOf(access.site.where.file), kernel.kernel};
    return {"???", kernel.kernel};
  }

  /// Of calls inside calls only the outermost and the innermost are told: the names of those
  /// between are not known.
  void addAt(const FunctionKey& kernel, const Site& site, const Costs& costs) {
    if (site.inlinedAt.empty()) {
      addTo(functions_[{fileOf(site.where.file), kernel.name}].lines[site.where.line], costs);
      return;
    }
    const FunctionKey callee{fileOf(site.where.file), site.function};
    addTo(functions_[callee].lines[site.where.line], costs);
    addTo(functions_[kernel].calls[{site.inlinedAt.back().line, callee}], costs);
  }

  std::string functionText(const FunctionKey& key, const FunctionCosts& costs) {
    std::string text =
        fmt::format("\nfl={}\nfn={}\n", files_.shorten(key.file), names_.shorten(key.name));
    for (const auto& [line, each] : costs.lines)
      text += fmt::format("{} {}\n", line, joined(each));
    for (const auto& [call, each] : costs.calls)
      text += fmt::format("cfi={}\ncfn={}\ncalls=1 {}\n{} {}\n", files_.shorten(call.callee.file),
                          names_.shorten(call.callee.name), firstLineOf(call.callee), call.line,
                          joined(each));
    return text;
  }

  int firstLineOf(const FunctionKey& key) const { return functions_.at(key).lines.begin()->first; }

  std::map<FunctionKey, FunctionCosts> functions_;
  NameTable files_, names_;
  bool isOffKnown_;
};

} // namespace

std::string callgrindOf(const profile::ProgramProfile& profile, const ExportContext& context) {
  CallgrindWriter writer(profile.knowsSwitchedOff());
  for (const KernelProfile& kernel : profile.kernels)
    writer.add(kernel);
  return writer.write(profile.device, context.version);
}

} // namespace heddle::exporting
