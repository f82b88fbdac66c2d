// SPDX-License-Identifier: Apache-2.0
#include "driver/TuneSubject.h"

#include "frontend/Preprocess.h"
#include "support/Files.h"
#include "support/Parse.h"

#include <algorithm>
#include <system_error>

namespace heddle::driver {
namespace {

namespace fs = std::filesystem;

Expected<std::optional<gpu::GpuHere>> askedGpu(const TuneOptions& options) {
  if (!options.onGpu)
    return std::nullopt;
  auto gpu = gpu::findGpu();
  if (!gpu)
    return tl::unexpected(within("--on gpu", std::move(gpu).error()));
  return *std::move(gpu);
}

/// All files of the program after the preprocessor, with one value of a macro.
Expected<std::string> preprocessed(const frontend::ProgramSpec& program, const std::string& macro,
                                   const std::string& value) {
  std::string all;
  for (const std::string& file : program.files) {
    frontend::PreprocessOptions options{.flags = program.flagsOf(file)};
    options.flags.common.push_back(fmt::format("-D{}={}", macro, value));
    HEDDLE_TRY(const frontend::PreprocessedSource source, frontend::preprocess(file, options));
    all += source.text;
  }
  return all;
}

/// A macro whose values all make the same code would be searched in vain.
Expected<void> checkMacros(const TuneOptions& options) {
  for (const MacroChoice& macro : options.macros) {
    const std::string &first = macro.values.front(), &last = macro.values.back();
    HEDDLE_TRY(const std::string with, preprocessed(options.run.program, macro.name, first));
    HEDDLE_TRY(const std::string without, preprocessed(options.run.program, macro.name, last));
    if (macro.values.size() > 1 && with == without)
      return fail(ErrorKind::BadInput,
                  "--set {0}: {0} changes nothing: the source with {1} is the same as with {2}; it "
                  "must not define the macro itself, unless inside #ifndef {0}",
                  macro.name, first, last);
  }
  return {};
}

/// What the program's heddle::tuned() has left.
Expected<std::map<std::string, std::uint64_t>> readAsked(const fs::path& file) {
  std::map<std::string, std::uint64_t> asked;
  std::error_code error;
  if (!fs::exists(file, error))
    return asked;
  HEDDLE_TRY(const std::string text, readFile(file));
  for (const std::string_view line : splitText(text, '\n'))
    if (const std::size_t space = line.find(' '); space != std::string_view::npos) {
      HEDDLE_TRY(const std::int64_t elements, parseInteger(line.substr(space + 1)));
      std::uint64_t& most = asked[std::string(line.substr(0, space))];
      most = std::max(most, std::uint64_t(elements));
    }
  return asked;
}

} // namespace

Expected<TuneSubject> runOriginal(const TuneOptions& options, const fs::path& folder,
                                  const ProgramTrials::Report& report) {
  HEDDLE_TRY(std::optional<gpu::GpuHere> gpu, askedGpu(options));
  HEDDLE_CHECK(checkMacros(options));
  TuneSubject subject{options, folder, std::move(gpu),
                      std::make_unique<ProgramTrials>(options.run, folder, options.ignoreOutput)};
  const fs::path asked = folder / "asked";
  HEDDLE_CHECK(subject.trials->runOriginal({options.run.arguments}, report,
                                           {{profile::Setting::Asked, asked.string()}}));
  HEDDLE_TRY(subject.asked, readAsked(asked));
  HEDDLE_TRY(subject.sources, readSources(options.run.program, options.run.useCache));
  return subject;
}

} // namespace heddle::driver
