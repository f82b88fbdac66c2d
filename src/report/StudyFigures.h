// SPDX-License-Identifier: Apache-2.0
//
// The figures of a study: what was measured as lines, beside them, dashed, what was published.
#pragma once

#include "report/SvgChart.h"
#include "study/Rows.h"
#include "study/StudyFile.h"

#include <optional>
#include <string>
#include <vector>

namespace heddle::report {

/// Nothing when no row belongs to the figure. On a logarithmic axis points that are not above 0 are
/// left out. The title names the device where there is one.
std::optional<Chart> studyChart(const study::Figure& figure, const std::vector<study::Row>& rows,
                                const std::string& device);

} // namespace heddle::report
