// SPDX-License-Identifier: Apache-2.0
//
// From the edits of rewrites to the texts of files, and to a diff.
#pragma once

#include "driver/ChangedFiles.h"
#include "driver/Places.h"
#include "rewrite/code/Edits.h"

#include <map>
#include <string>

namespace heddle::driver {

using FileEdits = std::map<std::string, rewrite::Edits>; ///< by the files' names

/// The files as the edits leave them.
ChangedFiles edited(const Sources& sources, const FileEdits& edits);

std::string diffOf(const Sources& sources, const ChangedFiles& files);

} // namespace heddle::driver
