// SPDX-License-Identifier: Apache-2.0
//
// One check of a declaration: which keys each kind has, and which of them it needs.
#pragma once

#include "study/Checks.h"
#include "study/DeclarationReader.h"

namespace heddle::study {

/// Complaints stay in the reader. A check without a bound is refused: it could not fail.
Check readCheck(DeclarationReader& reader);

} // namespace heddle::study
