// SPDX-License-Identifier: Apache-2.0
//
// What a study found: which of the document's claims hold, on which device, as text and JSON, and
// its figures.
#pragma once

#include "report/SvgChart.h"
#include "study/Checks.h"
#include "study/StudyFile.h"
#include "support/Terminal.h"

#include <optional>
#include <string>
#include <vector>

namespace heddle::report {

struct StudyCheck {
  study::Check check;
  std::optional<study::CheckResult> result; ///< nothing: it was not asked here
  std::string skipped{};                    ///< why it was not asked
};

/// A study on one device.
struct StudyOnDevice {
  std::string device; ///< as the study or the user named it
  std::string name;   ///< "GeForce GTX 280"
  std::vector<study::Row> rows;
  double seconds = 0; ///< that the runs took here, compiler left out
  std::vector<StudyCheck> checks;
};

struct StudyFindings {
  study::Study study;
  std::vector<StudyOnDevice> devices;
  std::string error{}; ///< why it could not be run; else empty
};

struct StudySession {
  bool onGpu = false;
  bool quick = false;
  std::vector<StudyFindings> studies;
};

struct CheckCounts {
  std::size_t hold = 0;
  std::size_t fail = 0;
};

CheckCounts countChecks(const StudySession& session);

std::string studyText(const StudySession& session, const TextStyle& style);
std::string studyJson(const StudySession& session);

/// NAME-1.svg, NAME-2.svg...: one a figure that has rows, the devices below each other.
std::vector<Picture> studyPictures(const StudyFindings& findings);

std::string studyListText(const std::vector<study::Study>& studies, const TextStyle& style);
std::string studyListJson(const std::vector<study::Study>& studies);

} // namespace heddle::report
