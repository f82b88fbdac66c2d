// SPDX-License-Identifier: Apache-2.0
//
// The search of `heddle tune` in a program.
//
//   1. The program runs as it is, twice: results must be the same each time.
//   2. The kernels that take most of the time are looked at: what of their source and launches can
//   be
//      set to other values.
//   3. Each is searched alone (tune/Search.h). A configuration is the source with some words
//   changed,
//      and blocks of another size for the launches; the program is compiled once for each source.
#pragma once

#include "driver/Places.h"
#include "driver/ProgramTrials.h"
#include "driver/TuneCommand.h"
#include "gpu/GpuHere.h"
#include "machine/Device.h"
#include "rewrite/tuning/Tunables.h"
#include "tune/Pruning.h"
#include "tune/Tuning.h"

#include <functional>
#include <map>
#include <optional>

namespace heddle::driver {

class TuneSearch {
public:
  using Report = std::function<void(const std::string&)>; ///< what is being tried

  TuneSearch(const TuneOptions& options, const std::filesystem::path& folder, Report report)
      : options_(options), folder_(folder), trials_(options.run, folder, options.ignoreOutput),
        report_(std::move(report)) {}

  Expected<tune::Tuning> search();

  const Sources& sources() const { return sources_; }

private:
  /// A kernel and where it is written.
  struct Subject {
    const profile::KernelProfile* profile = nullptr;
    std::string file;
    const clang::FunctionDecl* function = nullptr; ///< nullptr: in no file of ours
    rewrite::tuning::KernelTunables tunables;
    std::string name{};                   ///< plain
    std::optional<std::uint64_t> asked{}; ///< the most elements that heddle::tuned() was asked for
  };

  Expected<void> runOriginal();
  Expected<void> checkMacros();
  Expected<void> readAsked(const std::filesystem::path& file);
  Expected<void> openGpu();
  Expected<std::vector<Subject>> chooseKernels(tune::Tuning& tuning);
  std::optional<Subject> subjectOf(const profile::KernelProfile& kernel) const;
  Expected<tune::KernelTuning> tuneKernel(const Subject& subject);

  Expected<tune::Outcome> measure(const Subject& subject, const tune::Configuration& wanted);
  Expected<std::string> prove(const Subject& subject, const tune::Configuration& wanted,
                              std::uint64_t& bytes);
  Expected<double> timeOnGpu(const Subject& subject, const tune::Configuration& wanted);
  ChangedFiles changedBy(const Subject& subject, const tune::Configuration& wanted) const;
  /// The program of a configuration's code, built once; an error: it does not build.
  Expected<std::filesystem::path> programOf(const Subject& subject,
                                            const tune::Configuration& wanted);
  profile::ProgramSettings settingsFor(const Subject& subject,
                                       const tune::Configuration& wanted) const;
  profile::Tolerance toleranceOf(const Subject& subject) const;

  const TuneOptions& options_;
  std::filesystem::path folder_;
  ProgramTrials trials_;
  Report report_;
  Sources sources_;
  std::optional<machine::Device> device_;
  std::map<std::string, std::uint64_t> asked_; ///< of heddle::tuned(), by kernel: the most elements
  std::optional<gpu::GpuHere> gpu_;
  std::map<std::string, Expected<std::filesystem::path>> programs_; ///< by code
};

/// The source of a kernel as a configuration has it.
std::string tunedText(const rewrite::Source& source, const rewrite::tuning::KernelTunables& kernel,
                      const tune::Configuration& configuration, const profile::Extent& block);

/// The flags that define its macros.
std::vector<std::string> macroFlags(const tune::Configuration& configuration);

} // namespace heddle::driver
