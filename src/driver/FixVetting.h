// SPDX-License-Identifier: Apache-2.0
//
// What the tools of a real GPU say of rewrites that the engine has proven, where such tools are
// here. It is asked last, and only of what is to be applied.
#pragma once

#include "advise/Verdict.h"
#include "driver/ChangedFiles.h"
#include "driver/RunCommand.h"
#include "support/Error.h"

#include <filesystem>
#include <functional>

namespace heddle::driver {

/// Notes in `fix` what nvcc says of the changed files, and what a GPU takes for them. Withdraws all
/// that was applied where nvcc refuses it, or where it is slower on the modelled GPU. `report` is
/// told what happens. An error only when nvcc was stopped.
Expected<void> vetFix(const RunOptions& options, const ChangedFiles& changed,
                      const std::filesystem::path& folder,
                      const std::function<void(const std::string&)>& report, advise::Fix& fix);

} // namespace heddle::driver
