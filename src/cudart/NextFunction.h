// SPDX-License-Identifier: Apache-2.0
//
// What a function of libc or libstdc++ really is, for those that programs find here first.
#pragma once

#include <dlfcn.h>

namespace heddle::cudart {

template <class Function> Function* nextFunction(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

} // namespace heddle::cudart
