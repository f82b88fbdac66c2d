// SPDX-License-Identifier: Apache-2.0
//
// What a program does not notice: calls of the runtime API that failed and after which it never
// asked for an error, memory that it never frees, device memory that its host code touches. They
// stand at the end of the report, with the line of the call.
//
// Where a call comes from is kept as addresses, and looked up in the program's line table at the
// end.
#pragma once

#include "cudart/CallPlace.h"
#include "cudart/Memory.h"
#include "profile/ProgramProfile.h"

#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace heddle::cudart {

class Remarks {
public:
  static Remarks& instance();

  /// A call of the API that returns an error, with what CUDA says of it.
  void failed(int status, const char* text, const char* name);

  /// The program asks for its last error, or for the meaning of one.
  void lookedAtLast();
  void lookedAt(int status);

  /// Memory that is to be freed some day, and is.
  void allocated(const void* begin);
  void freed(const void* begin);

  /// All of them; those regions that are still there are leaks.
  std::vector<profile::Remark> list(const Memory& memory);

private:
  struct Failure {
    CallPlace place;
    int status = 0;
    std::string text;
    std::uint64_t count = 1;
    bool lookedAt = false;
  };

  std::mutex mutex_;
  std::vector<Failure> failures_;
  std::map<const void*, CallPlace> allocations_;
};

} // namespace heddle::cudart
