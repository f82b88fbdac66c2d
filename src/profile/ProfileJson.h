// SPDX-License-Identifier: Apache-2.0
//
// A run's profile as JSON, in and out. docs/schema/profile.schema.json describes the document.
#pragma once

#include "profile/ProgramProfile.h"
#include "support/Error.h"

#include <string>
#include <string_view>

namespace heddle::profile {

std::string writeProfile(const ProgramProfile& profile);

/// `origin` is named in errors.
Expected<ProgramProfile> readProfile(std::string_view text, std::string_view origin);

} // namespace heddle::profile
