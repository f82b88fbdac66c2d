// SPDX-License-Identifier: Apache-2.0
//
// What went wrong with a file, in one line that names the file, the reason and what to do.
#pragma once

#include "support/Error.h"

#include <filesystem>

struct sqlite3;

namespace heddle::database {

/// Of the last call on `handle`, which returned `status`.
Error faultOf(sqlite3* handle, int status, const std::filesystem::path& path);

/// Whether another process holds the file: worth another try.
bool isLocked(const Error& error);

} // namespace heddle::database
