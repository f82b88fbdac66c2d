// SPDX-License-Identifier: Apache-2.0
#include "driver/TunedRun.h"

#include "driver/TunedSource.h"
#include "frontend/ContentHash.h"
#include "support/Files.h"

#include <algorithm>
#include <map>
#include <set>

namespace heddle::driver {
namespace {

namespace fs = std::filesystem;
using tune::TunedKernel;

/// The row whose code is taken: of the same arguments, else the newest.
const TunedKernel& chosenRow(const std::vector<TunedKernel>& rows, const std::string& arguments) {
  const auto same = std::ranges::find(rows, arguments, &TunedKernel::arguments);
  return same != rows.end() ? *same : *std::ranges::max_element(rows, {}, &TunedKernel::when);
}

Expected<void> addKernel(const std::vector<TunedKernel>& rows, const RunOptions& options,
                         const Sources& sources, TunedProgram& program) {
  const std::string arguments = fmt::format("{}", fmt::join(options.arguments, " "));
  const TunedKernel& chosen = chosenRow(rows, arguments);
  const tune::Configuration& wanted = chosen.configuration;
  const profile::Extent own = chosen.block; // as launched, changed or not
  for (const auto& [file, source] : sources) {
    const clang::FunctionDecl* kernel =
        rewrite::findKernel(*source, chosen.id.substr(0, chosen.id.find('#')));
    if (kernel == nullptr || (wanted.values.empty() && wanted.bounds == 0))
      continue;
    if (program.changed.contains(file))
      return fail(ErrorKind::Unsupported,
                  "--tuned: two kernels of {} were tuned with other code; name one by 'heddle tune "
                  "--kernel', or 'heddle tune forget' the other",
                  file);
    program.changed[file] =
        tunedText(*source, rewrite::tuning::findTunables(*source, *kernel), wanted, own);
  }
  for (const std::string& flag : macroFlags(wanted))
    program.flags.push_back(flag);
  const bool isFree = std::ranges::any_of(
      rows, [](const TunedKernel& row) { return row.configuration.hasBlock() && !row.byProgram; });
  for (const TunedKernel& row : rows)
    if (isFree && row.configuration.codeKey(own) == wanted.codeKey(own))
      program.blocks.push_back({row.id, row.size, row.block});
  program.used.push_back(fmt::format("{}: {} ({} threads)", chosen.kernel,
                                     wanted.key().empty() ? "as it is" : wanted.key(),
                                     chosen.size));
  return {};
}

} // namespace

std::string sourceHash(const RunOptions& options, const Sources& sources) {
  frontend::ContentHash hash;
  std::set<fs::path> read;
  for (const auto& [file, source] : sources)
    for (const fs::path& each : source->filesRead())
      read.insert(each);
  for (const std::string& file : options.program.files)
    read.insert(file);
  std::set<std::string> texts; // by content: where a file lies makes no difference
  for (const fs::path& each : read)
    if (auto text = readFile(each))
      texts.insert(*std::move(text));
  for (const std::string& text : texts)
    hash.add(text);
  for (const auto* flags :
       {&options.program.flags.common, &options.program.flags.device, &options.program.flags.nvcc})
    for (const std::string& flag : *flags)
      hash.add(flag);
  return hash.name();
}

Expected<TunedProgram> findTuned(const RunOptions& options, const Sources& sources) {
  HEDDLE_TRY(const fs::path path, tune::TunedStore::defaultPath());
  HEDDLE_TRY(const auto store, tune::TunedStore::openToRead(path));
  const machine::Device& device = options.device.gpu;
  std::vector<TunedKernel> rows;
  if (store) {
    HEDDLE_TRY(rows, store->find({.device = device.name, .source = sourceHash(options, sources)}));
  }
  if (rows.empty())
    return fail(
        ErrorKind::NotFound,
        "--tuned: {} holds nothing of this source on {}; 'heddle tune {} --device {}' finds its "
        "best configuration",
        path.string(), device.name, fmt::join(options.program.files, " "), options.device.asked);
  std::map<std::string, std::vector<TunedKernel>> byKernel;
  for (TunedKernel& row : rows)
    byKernel[row.id].push_back(std::move(row));
  TunedProgram program;
  for (const auto& [id, own] : byKernel)
    HEDDLE_CHECK(addKernel(own, options, sources, program));
  return program;
}

} // namespace heddle::driver
