// SPDX-License-Identifier: Apache-2.0
//
// What both programs share on the host: one line for an error, files that are written whole or not
// at all, lists of forms, and progress where a person looks on.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace transport {

/// The name that messages begin with.
inline std::string& programName() {
  static std::string name = "transport";
  return name;
}

/// Bad input: one line, status 2, and nothing is written.
[[noreturn]] inline void refuse(const std::string& message) {
  std::fprintf(stderr, "%s: error: %s\n", programName().c_str(), message.c_str());
  std::exit(2);
}

/// What `--help` prints.
[[noreturn]] inline void help(const char* usage) {
  std::puts(usage);
  std::exit(0);
}

/// The bytes of a file go beside it first, then take its name.
inline void writeWhole(const std::string& path, const std::string& bytes) {
  const std::string beside = path + ".part";
  std::FILE* file = std::fopen(beside.c_str(), "wb");
  if (file == nullptr)
    refuse(path + ": cannot be written");
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  if (std::fclose(file) != 0 || !written || std::rename(beside.c_str(), path.c_str()) != 0) {
    std::remove(beside.c_str());
    refuse(path + ": cannot be written");
  }
}

/// The names of a list that commas part; `all` is every known one. An empty list is empty.
inline std::vector<std::string> formsOf(const std::string& list,
                                        const std::vector<std::string>& known) {
  if (list == "all")
    return known;
  std::vector<std::string> forms;
  std::istringstream words(list);
  for (std::string form; std::getline(words, form, ',');) {
    if (std::find(known.begin(), known.end(), form) == known.end()) {
      std::string there = "all";
      for (const std::string& name : known)
        there += ", " + name;
      refuse("no form '" + form + "'; there are: " + there);
    }
    forms.push_back(form);
  }
  return forms;
}

/// A line on the terminal that is written over; nothing where standard error is no terminal.
class Progress {
public:
  explicit Progress(std::string what) : what_(std::move(what)), shown_(isatty(2) != 0) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() {
    if (shown_)
      std::fprintf(stderr, "\r\033[K");
  }
  void operator()(double share) const {
    if (shown_)
      std::fprintf(stderr, "\r%s: %3.0f %%\033[K", what_.c_str(), 100 * share);
  }

private:
  std::string what_;
  bool shown_;
};

} // namespace transport
