// SPDX-License-Identifier: Apache-2.0
//
// The fixed word with the fewest expected steps per iteration: Novak's appendix B, table B.1.
#pragma once

#include "model/Word.h"
#include "support/Error.h"

#include <vector>

namespace heddle::model {

enum class Measure { Approximate, Exact };

struct WordSearch {
  double p = 0.5;      ///< probability of path A, strictly between 0 and 1
  int segments = 3;    ///< at most this many
  int longestRun = 10; ///< x_i and y_i from 1 to this
};

struct BestWord {
  Word word;
  double approximateSteps = 0;
  double exactSteps = 0;
};

/// The best word by one measure, over all words of up to `segments` segments; fewer segments win a
/// tie. Refuses p outside (0, 1) and searches that would take minutes.
Expected<BestWord> findBestWord(const WordSearch& search, Measure measure);

/// The ten rows of table B.1 as published.
struct PublishedWord {
  double p;
  double steps;
  double efficiency;
  const char* word;
};
const std::vector<PublishedWord>& publishedWords();

} // namespace heddle::model
