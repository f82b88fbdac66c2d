// SPDX-License-Identifier: Apache-2.0
//
// Runs a study: its program on the engine, as 'heddle run' does, or on the GPU here; or commands of
// heddle itself; or reads what was printed earlier. Programs are compiled once and run as children
// whose output is the rows.
#pragma once

#include "driver/Output.h"
#include "driver/StudyCommand.h"
#include "gpu/GpuHere.h"
#include "machine/ModelledDevice.h"
#include "report/StudyReport.h"
#include "study/StudyFile.h"
#include "support/Error.h"
#include "support/StatusLine.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heddle::driver {

class StudyRunner {
public:
  /// With --on gpu it needs nvcc and a GPU, and says which of them is missing.
  static Expected<StudyRunner> make(const StudyOptions& options, const Output& output);

  /// Runs it on its devices and asks its checks. `place` is "2 of 5", for the status line.
  Expected<report::StudyFindings> run(const study::Study& study, const std::string& place,
                                      StatusLine& status) const;

private:
  /// One device of a study: what the rows are called after.
  struct Place {
    std::string device; ///< as it was named
    std::string name;   ///< of the GPU in our catalogue, or as the driver calls it
    std::optional<machine::ModelledDevice> modelled{}; ///< none: it is the GPU here
  };

  /// A study's program, ready to run, and the folder for what it leaves.
  struct Built {
    std::filesystem::path program;
    std::filesystem::path folder;
  };

  /// What commands of heddle gave: the same on every device, so they run once.
  using ModelRows = std::map<const study::Run*, std::vector<study::Row>>;

  StudyRunner(const StudyOptions& options, const Output& output)
      : options_(options), output_(output) {}

  Expected<std::vector<Place>> places(const study::Study& study) const;
  Expected<Built> build(const study::Study& study, const std::filesystem::path& folder,
                        StatusLine& status) const;
  Expected<report::StudyOnDevice> runOn(const Place& place, const study::Study& study,
                                        const Built& built, ModelRows& modelRows,
                                        const std::string& head, StatusLine& status) const;
  Expected<std::vector<study::Row>> runOnce(const study::Study& study, const study::Run& run,
                                            const Built& built, const Place& place,
                                            StatusLine& status) const;
  Expected<std::vector<study::Row>> runModel(const study::Run& run, const Built& built,
                                             StatusLine& status) const;
  Expected<std::vector<study::Row>> runProgram(const study::Study& study, const study::Run& run,
                                               const Built& built, const Place& place,
                                               StatusLine& status) const;
  std::vector<std::pair<std::string, std::string>>
  environment(const study::Study& study, const Place& place,
              const std::filesystem::path& profile) const;
  report::StudyCheck ask(const study::Check& check, const Place& place,
                         const std::vector<study::Row>& rows) const;

  StudyOptions options_;
  Output output_;
  std::optional<gpu::GpuHere> gpu_;
  std::filesystem::path nvcc_;
};

} // namespace heddle::driver
