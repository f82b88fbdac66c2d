// SPDX-License-Identifier: Apache-2.0
//
// The page as it was built from web/, or a note that it was not.
#pragma once

#include "support/EmbeddedFile.h"

#include <span>

namespace heddle::page {

/// One file.
std::span<const EmbeddedFile> embeddedPage();

} // namespace heddle::page
