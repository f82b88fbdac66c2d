// SPDX-License-Identifier: Apache-2.0
#include "driver/TuneCommand.h"

#include "driver/TuneSearch.h"
#include "driver/TunedRun.h"
#include "gpu/Nvcc.h"
#include "machine/DeviceCatalog.h"
#include "report/TunePicture.h"
#include "report/TuneReport.h"
#include "support/Files.h"
#include "support/Parse.h"
#include "support/StatusLine.h"
#include "support/TemporaryFolder.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <set>

#include <fmt/chrono.h>

namespace heddle::driver {
namespace {

namespace fs = std::filesystem;

Expected<void> validate(const TuneOptions& options) {
  for (const std::string& file : options.run.program.files)
    HEDDLE_CHECK(readFile(file));
  if (options.tolerance < 0 || options.tolerance >= 1)
    return fail(ErrorKind::BadInput, "--tolerance {}: expected 0 to below 1", options.tolerance);
  if (options.size && *options.size < 1)
    return fail(ErrorKind::BadInput, "--size {}: expected at least 1", *options.size);
  if (options.seconds && *options.seconds < 1)
    return fail(ErrorKind::BadInput, "--seconds {}: expected at least 1", *options.seconds);
  std::set<std::string> names;
  for (const MacroChoice& macro : options.macros)
    if (!names.insert(macro.name).second)
      return fail(ErrorKind::BadInput, "--set {}: it is given twice", macro.name);
  if (options.onGpu)
    if (const auto nvcc = gpu::findNvcc(); !nvcc)
      return tl::unexpected(within("--on gpu", nvcc.error()));
  std::error_code error; // better now than after a long search
  const fs::path folder = fs::path(options.svg).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, error))
    return fail(ErrorKind::Io, "cannot write {}: there is no folder {}", options.svg,
                folder.string());
  return {};
}

Expected<fs::path> storePath(const std::string& named) {
  return named.empty() ? tune::TunedStore::defaultPath() : Expected<fs::path>(fs::path(named));
}

std::string now() {
  return fmt::format("{:%FT%TZ}", std::chrono::time_point_cast<std::chrono::seconds>(
                                      std::chrono::system_clock::now()));
}

tune::TunedKernel rowOf(const tune::KernelTuning& kernel, const tune::Tuning& tuning,
                        const TuneOptions& options, const Sources& sources) {
  const tune::Attempt& winner = kernel.search.winner();
  std::error_code error;
  return {.kernel = kernel.kernel,
          .id = kernel.id,
          .file = fs::absolute(kernel.file, error).lexically_normal().string(),
          .source = sourceHash(options.run, sources),
          .device = tuning.device,
          .size = kernel.size,
          .block = winner.outcome.block,
          .configuration = winner.configuration,
          .seconds = winner.outcome.seconds,
          .ownSeconds = kernel.search.own().outcome.seconds,
          .gain = kernel.search.gain(),
          .low = kernel.low,
          .high = kernel.high,
          .onGpu = tuning.timedBy != "model",
          .byProgram = kernel.byProgram,
          .arguments = fmt::format("{}", fmt::join(options.run.arguments, " ")),
          .version = HEDDLE_VERSION,
          .when = now()};
}

/// What a GPU measured is kept under the name by which the catalogue knows it.
std::string deviceNameOf(const tune::Tuning& tuning) {
  if (tuning.timedBy == "model")
    return tuning.device;
  const auto known = machine::findDevice(tuning.timedBy);
  return known ? known->name : tuning.timedBy;
}

} // namespace

Expected<MacroChoice> parseMacroChoice(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size())
    return fail(ErrorKind::BadInput, "'{}' is not NAME=VALUE,VALUE", text);
  MacroChoice choice{std::string(text.substr(0, equals)), {}};
  const auto isPart = [](unsigned char letter) { return std::isalnum(letter) || letter == '_'; };
  if (!std::ranges::all_of(choice.name, isPart) ||
      std::isdigit(static_cast<unsigned char>(choice.name.front())))
    return fail(ErrorKind::BadInput, "'{}' is no name of a macro", choice.name);
  for (const std::string_view value : splitText(text.substr(equals + 1), ',')) {
    if (value.empty())
      return fail(ErrorKind::BadInput, "'{}' has an empty value", text);
    if (std::ranges::find(choice.values, value) != choice.values.end())
      return fail(ErrorKind::BadInput, "'{}' has the value {} twice", text, value);
    choice.values.emplace_back(value);
  }
  return choice;
}

Expected<Answer> tuneProgram(const TuneOptions& given, const Output& output) {
  TuneOptions options = given;
  HEDDLE_TRY(options.run, withSources(given.run));
  HEDDLE_CHECK(validate(options));
  std::optional<tune::TunedStore> store; // better now than after a long search
  if (options.keep) {
    HEDDLE_TRY(const fs::path path, storePath(options.store));
    HEDDLE_TRY(store, tune::TunedStore::open(path));
  }
  HEDDLE_TRY(const TemporaryFolder folder, TemporaryFolder::make());
  StatusLine status;
  HEDDLE_TRY(TuneResult result,
             searchConfigurations(options, folder.path(),
                                  [&](const std::string& what) { status.show("trying " + what); }));
  tune::Tuning& tuning = result.tuning;
  status.wipe();
  tuning.device = deviceNameOf(tuning);
  if (store && !tuning.kernels.empty()) {
    std::vector<tune::TunedKernel> rows;
    for (const tune::KernelTuning& kernel : tuning.kernels)
      rows.push_back(rowOf(kernel, tuning, options, result.sources));
    HEDDLE_CHECK(store->keep(rows));
    HEDDLE_TRY(const fs::path path, storePath(options.store));
    tuning.store = path.string();
  }
  if (!options.svg.empty())
    HEDDLE_CHECK(writeFile(options.svg, report::tunePicture(tuning)));
  return Answer(output.json ? report::tuneJson(tuning) : report::tuneText(tuning, output.style));
}

} // namespace heddle::driver
