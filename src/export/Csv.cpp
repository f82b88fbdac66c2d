// SPDX-License-Identifier: Apache-2.0
//
// One table with a row for each kernel, branch, loop and memory instruction, and for each line
// where machine code was run; columns that a row has nothing to say in are empty.
#include "export/Escape.h"
#include "export/Formats.h"

#include <fmt/format.h>

#include <map>
#include <span>
#include <vector>

namespace heddle::exporting {
namespace {

using profile::KernelProfile;

constexpr const char* columns[] = {
    "record",      "kernel",    "id",        "file",         "line",         "column",
    "function",    "text",      "launches",  "executions",   "divergent",    "lanes",
    "usedSlots",   "lostSlots", "lostShare", "efficiency",   "seconds",      "lowSeconds",
    "highSeconds", "bound",     "occupancy", "registers",    "iterations",   "fewest",
    "most",        "access",    "space",     "bytesPerLane", "transactions", "ideal"};

/// They follow where a run of machine code tells.
constexpr const char* predicateColumns[] = {"switchedOff", "offShare", "lanesOn"};

constexpr const char* accessWords[] = {"load", "store", "atomic"};
constexpr const char* spaceWords[] = {"global", "shared", "local"};

/// A row by the names of columns.
class Row {
public:
  Row(const char* record, const KernelProfile& kernel) {
    set("record", std::string(record));
    set("kernel", kernel.kernel);
    set("id", kernel.id);
  }

  void set(const char* column, const std::string& text) { cells_[column] = csvField(text); }
  void set(const char* column, std::uint64_t number) { cells_[column] = fmt::format("{}", number); }
  void set(const char* column, double number) { cells_[column] = fmt::format("{:.9g}", number); }
  void place(const profile::Site& site, const profile::LineTexts& texts) {
    set("file", site.where.file);
    set("line", std::uint64_t(site.where.line));
    set("column", std::uint64_t(site.where.column));
    set("function", site.function);
    set("text", std::string(textAt(texts, site.where)));
  }
  void switchedOff(const KernelProfile& kernel, std::uint64_t lanes) {
    set("switchedOff", lanes);
    set("offShare", kernel.shareOfUsed(lanes));
  }
  std::string print(std::span<const char* const> shown) const {
    std::string text;
    for (const char* column : shown) {
      const auto cell = cells_.find(column);
      text += (text.empty() ? "" : ",") + (cell == cells_.end() ? std::string() : cell->second);
    }
    return text + "\r\n";
  }

private:
  std::map<std::string, std::string> cells_;
};

Row kernelRow(const KernelProfile& kernel) {
  Row row("kernel", kernel);
  row.set("launches", kernel.launches);
  row.set("executions", kernel.warpInstructions);
  row.set("usedSlots", kernel.threadInstructions);
  row.set("lostSlots", kernel.slots() - kernel.threadInstructions);
  row.set("lostShare", 1 - kernel.efficiency());
  row.set("efficiency", kernel.efficiency());
  if (kernel.switchedOff)
    row.switchedOff(kernel, *kernel.switchedOff);
  if (const auto on = kernel.averageLanesOn())
    row.set("lanesOn", *on);
  if (kernel.timing) {
    row.set("seconds", kernel.timing->seconds);
    row.set("lowSeconds", kernel.timing->low);
    row.set("highSeconds", kernel.timing->high);
    row.set("bound", std::string(profile::boundNames[std::size_t(kernel.timing->bound())]));
    row.set("occupancy", kernel.timing->occupancy);
    row.set("registers", std::uint64_t(kernel.timing->registers.registers));
  }
  return row;
}

Row branchRow(const KernelProfile& kernel, const profile::BranchProfile& branch,
              const profile::LineTexts& texts) {
  Row row("branch", kernel);
  row.place(branch.site, texts);
  row.set("executions", branch.executions);
  row.set("divergent", branch.divergentExecutions);
  row.set("lanes", branch.laneExecutions());
  row.set("lostSlots", branch.lostSlots);
  row.set("lostShare",
          kernel.slots() == 0 ? 0.0 : double(branch.lostSlots) / double(kernel.slots()));
  if (kernel.switchedOff)
    row.switchedOff(kernel, branch.switchedOff);
  return row;
}

Row lineRow(const KernelProfile& kernel, const profile::LineProfile& line,
            const profile::LineTexts& texts) {
  Row row("line", kernel);
  row.place(line.site, texts);
  row.set("executions", line.warpInstructions);
  row.set("usedSlots", line.used);
  row.switchedOff(kernel, line.switchedOff);
  if (line.warpInstructions > 0)
    row.set("lanesOn", double(line.used - line.switchedOff) / double(line.warpInstructions));
  return row;
}

Row loopRow(const KernelProfile& kernel, const profile::LoopProfile& loop,
            const profile::LineTexts& texts) {
  Row row("loop", kernel);
  row.place(loop.site, texts);
  row.set("lanes", loop.lanes);
  row.set("iterations", loop.iterations);
  row.set("fewest", loop.lanes > 0 ? loop.fewest : 0);
  row.set("most", loop.most);
  return row;
}

Row accessRow(const KernelProfile& kernel, const profile::MemoryProfile& access,
              const profile::LineTexts& texts) {
  Row row("memory", kernel);
  row.place(access.site, texts);
  row.set("executions", access.executions);
  row.set("lanes", access.lanes);
  row.set("access", std::string(accessWords[std::size_t(access.kind)]));
  row.set("space", std::string(spaceWords[std::size_t(access.space)]));
  row.set("bytesPerLane", std::uint64_t(access.bytesPerLane));
  row.set("transactions", access.transactions);
  row.set("ideal", access.ideal);
  return row;
}

} // namespace

std::string csvOf(const profile::ProgramProfile& profile) {
  const profile::LineTexts texts = lineTextsOf(profile);
  std::vector<const char*> shown(std::begin(columns), std::end(columns));
  if (profile.knowsSwitchedOff())
    shown.insert(shown.end(), std::begin(predicateColumns), std::end(predicateColumns));
  std::string text = fmt::format("{}\r\n", fmt::join(shown, ","));
  for (const KernelProfile& kernel : profile.kernels) {
    text += kernelRow(kernel).print(shown);
    for (const profile::BranchProfile& branch : kernel.branches)
      text += branchRow(kernel, branch, texts).print(shown);
    for (const profile::LineProfile& line : kernel.lines)
      text += lineRow(kernel, line, texts).print(shown);
    for (const profile::LoopProfile& loop : kernel.loops)
      text += loopRow(kernel, loop, texts).print(shown);
    for (const profile::MemoryProfile& access : kernel.accesses)
      text += accessRow(kernel, access, texts).print(shown);
  }
  return text;
}

} // namespace heddle::exporting
