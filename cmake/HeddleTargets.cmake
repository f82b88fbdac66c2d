# SPDX-License-Identifier: Apache-2.0
# One folder is one library target: heddle_add_library(machine SOURCES ... LINKS ...).

add_library(heddle_options INTERFACE)
target_compile_options(
  heddle_options
  INTERFACE -Wall -Wextra -Werror -Werror=unused-result
            -Wno-missing-field-initializers # noise for .a = 1
            -ffp-contract=off) # the same digits with and without fused multiply-add
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 warns of overlap in std::string's own operator+ (GCC bug 105651).
  target_compile_options(heddle_options INTERFACE -Wno-restrict)
endif()
if(HEDDLE_SANITIZE)
  # A C program may pass any number for an enumerator of the runtime API.
  target_compile_options(heddle_options INTERFACE -fsanitize=address,undefined -fno-sanitize=enum
                                                  -fno-sanitize-recover=all
                                                  -fno-omit-frame-pointer)
  # g++ 12 at -O1 inlines halves of what it warns of: pairs of new and delete, guards of optionals.
  target_compile_options(heddle_options INTERFACE -Wno-error)
  target_link_options(heddle_options INTERFACE -fsanitize=address,undefined)
endif()

# LLVM's headers as system headers: their warnings are not ours.
add_library(heddle_llvm INTERFACE)
target_include_directories(heddle_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_link_directories(heddle_llvm INTERFACE ${LLVM_LIBRARY_DIRS})
target_link_libraries(heddle_llvm INTERFACE LLVM-19)

# Clang as a library: Debian's shared one, which clang itself runs on.
add_library(heddle_clang INTERFACE)
target_link_libraries(heddle_clang INTERFACE heddle_llvm ${LLVM_LIBRARY_DIR}/libclang-cpp.so.19.1)

function(heddle_add_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
  add_library(heddle_${name} STATIC ${ARG_SOURCES})
  add_library(heddle::${name} ALIAS heddle_${name})
  target_include_directories(heddle_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(heddle_${name} PRIVATE heddle_options PUBLIC ${ARG_LINKS})
endfunction()
