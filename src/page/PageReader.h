// SPDX-License-Identifier: Apache-2.0
//
// Runs out of a page that Heddle wrote: with their sources as they were then, which a profile does
// not hold.
#pragma once

#include "page/Page.h"
#include "support/Error.h"

#include <string_view>
#include <vector>

namespace heddle::page {

/// Whether the text is a page, or the JSON of one.
bool isPage(std::string_view text);

/// `origin` is named in errors. Needs a text for which isPage holds.
Expected<std::vector<PageRun>> readPage(std::string_view text, std::string_view origin);

} // namespace heddle::page
