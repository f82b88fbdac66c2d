// SPDX-License-Identifier: Apache-2.0
//
// For a GPU on another machine: the program and its rewritten forms in a tar, with a script that
// builds, checks and times them there, and the way back from the table that it writes.
#pragma once

#include "advise/Verdict.h"
#include "driver/ChangedFiles.h"
#include "driver/FixCommand.h"
#include "driver/Places.h"
#include "support/Error.h"

#include <filesystem>
#include <vector>

namespace heddle::driver {

/// A form of the program that is right, and that may be faster.
struct ProvenForm {
  advise::Candidate candidate; ///< the best of them, where several are put together
  ChangedFiles files;
};

/// `folder` is ours.
Expected<void> writeBundle(const FixOptions& options, const std::vector<ProvenForm>& forms,
                           const Sources& sources, const std::filesystem::path& folder);

/// --measured: the diff of the form that won, or all of it written with --in-place. Refuses a table
/// of other files than those that are here.
Expected<Answer> applyMeasured(const FixOptions& options, const Output& output);

} // namespace heddle::driver
