// SPDX-License-Identifier: Apache-2.0
//
// Best fixed words by both measures, as text and JSON.
#pragma once

#include "model/BestWord.h"
#include "support/Terminal.h"

#include <string>
#include <vector>

namespace heddle::report {

/// The best word for one p, by Novak's eq. (1) and by the exact chain.
struct WordFindings {
  double p;
  model::BestWord byEquation;
  model::BestWord byChain;
};

std::string bestWordText(const WordFindings& findings, const TextStyle& style);
std::string bestWordJson(const WordFindings& findings);

/// Table B.1: a row per p, beside what is published.
struct WordTableRow {
  model::PublishedWord published;
  WordFindings found;
  bool sameAsPublished; ///< the word by eq. (1) is the published schedule
};

std::string wordTableText(const std::vector<WordTableRow>& rows, const TextStyle& style);
std::string wordTableJson(const std::vector<WordTableRow>& rows);

} // namespace heddle::report
