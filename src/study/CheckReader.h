// SPDX-License-Identifier: Apache-2.0
//
// One check of a declaration: which keys each kind has, and which of them it needs.
#pragma once

#include "study/Checks.h"
#include "support/JsonReader.h"

namespace heddle::study {

/// Complaints stay in the reader. A check without a bound is refused: it could not fail.
Check readCheck(JsonReader& reader);

} // namespace heddle::study
