// SPDX-License-Identifier: Apache-2.0
//
// A program that runs on trial must not change the user's files, nor see what another trial writes
// at the same time. So what it writes goes to a copy in a folder of the trial
// (profile/WrittenFiles.h), and it reads the copy from then on. All that is known lies in that
// folder: processes that the program forks share it.
//
// Left alone: devices, pipes, /proc and /sys, heddle's own files, and what the user could not
// change either, so that the system says why not. A folder lists what is really in it.
#pragma once

#include <string>

namespace heddle::cudart {

class FileCopies {
public:
  /// Where the functions of libc are to look in place of a path.
  struct Place {
    bool isCopy = false; ///< false: where the program says
    std::string path;    ///< of the copy
    int error = 0;       ///< the copy cannot be: errno
  };

  explicit FileCopies(std::string folder);
  /// Of this process; nullptr: it is on no trial, or we are writing ourselves. HEDDLE_WRITES names
  /// the folder.
  static FileCopies* instance();

  /// `folder` as openat takes it. `follow`: where a link leads, not the link.
  Place forReading(int folder, const char* path, bool follow = true) const;

  enum class Change { Keep, Empty }; ///< what it held
  Place forWriting(int folder, const char* path, Change change, bool creates);
  Place forNewFolder(int folder, const char* path);

  /// 0 or errno; nothing done where `isOurs` is false.
  struct Outcome {
    bool isOurs = false;
    int error = 0;
  };
  Outcome remove(int folder, const char* path, bool isFolder);
  Outcome rename(int fromFolder, const char* from, int toFolder, const char* to);

private:
  std::string nameOf(int folder, const char* path, bool follow) const;
  bool isLeftAlone(const std::string& name) const;
  std::string copyOf(const std::string& name) const;
  std::string markOf(const std::string& name) const;
  bool isRemoved(const std::string& name) const;
  bool isThere(const std::string& name) const;
  bool canHoldNew(const std::string& folder) const;
  int mark(const std::string& name) const;
  void unmark(const std::string& name) const;

  std::string folder_;
  std::string own_;   ///< the trial's folder, which holds this one
  std::string cache_; ///< heddle's
  std::string asked_; ///< HEDDLE_ASKED, which heddle/tuned.h writes in the program
};

/// While one lives, this thread writes where it says: profile and records are for heddle.
class OwnFiles {
public:
  OwnFiles();
  OwnFiles(const OwnFiles&) = delete;
  ~OwnFiles();
};

} // namespace heddle::cudart
