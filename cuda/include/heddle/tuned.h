// SPDX-License-Identifier: Apache-2.0
//
// What `heddle tune` has found, for the host code of a program: how to launch a kernel on n
// elements.
//
//   #include <heddle/tuned.h>
//
//   const heddle::tuned_launch best = heddle::tuned("step", n);   // blocks of 256 where nothing is
//   known step<<<best.grid, best.block>>>(data, n);
//
// It reads the store of `heddle tune`: HEDDLE_TUNED, or tuned.db in $XDG_DATA_HOME/heddle or
// ~/.local/share/heddle, by the machine's own libsqlite3, which is looked for while the program
// runs. Without it, without a store, or without a word of the kernel on this GPU, the launch is the
// one that the call names. Of several sizes the nearest counts, of several files that define such a
// kernel the one that calls. A program that was given the header of `heddle tune export`, in front
// of this one, needs no store.
//
// `heddle tune` of a program that calls it tries other blocks through it: such a kernel may depend
// on the size of its block in any way, as long as its results do not.
#pragma once

#include <cuda_runtime.h>

#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <dlfcn.h>

namespace heddle {

struct tuned_launch {
  dim3 grid; ///< as many blocks as cover n threads, of the first axis
  dim3 block;
  bool known = false;          ///< else it is what the call named
  std::string settings{};      ///< all of it, as `heddle tune` prints it: "block=64 unroll:12=4"
  unsigned long long size = 0; ///< that it was found for

  /// As many blocks as cover so many threads on each axis.
  dim3 grid_of(unsigned long long x, unsigned long long y = 1, unsigned long long z = 1) const {
    const auto covering = [](unsigned long long threads, unsigned each) {
      return static_cast<unsigned>((threads + each - 1) / each);
    };
    return dim3(covering(x, block.x), covering(y, block.y), covering(z, block.z));
  }
};

namespace detail {

struct tuned_row {
  std::string kernel, device, file;
  unsigned long long size;
  unsigned x, y, z;
  std::string settings, moment;
};

/// The part of SQLite's interface that is used, as the library has it.
class tuned_library {
public:
  tuned_library() : handle_(dlopen("libsqlite3.so.0", RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr)
      handle_ = dlopen("libsqlite3.so", RTLD_NOW | RTLD_LOCAL);
    usable_ = handle_ != nullptr && load(open_, "sqlite3_open_v2") &&
              load(close_, "sqlite3_close") && load(patience_, "sqlite3_busy_timeout") &&
              load(prepare_, "sqlite3_prepare_v2") && load(step_, "sqlite3_step") &&
              load(text_, "sqlite3_column_text") && load(number_, "sqlite3_column_int64") &&
              load(finalize_, "sqlite3_finalize");
  }

  std::vector<tuned_row> rows(const std::string& path) const {
    std::vector<tuned_row> found;
    if (!usable_ || !read(path, found))
      read("file:" + path + "?immutable=1", found); // a medium that cannot be written
    return found;
  }

private:
  template <class Function> bool load(Function& function, const char* name) {
    void* symbol = dlsym(handle_, name);
    std::memcpy(&function, &symbol, sizeof symbol);
    return symbol != nullptr;
  }

  bool read(const std::string& path, std::vector<tuned_row>& rows) const {
    constexpr int read_only = 1, as_address = 0x40, row_is_there = 100, milliseconds = 2000;
    void* file = nullptr;
    void* statement = nullptr;
    if (!usable_)
      return false;
    bool done = open_(path.c_str(), &file, read_only | as_address, nullptr) == 0;
    if (done) {
      patience_(file, milliseconds);
      done =
          prepare_(file,
                   "SELECT kernel, device, file, size, block_x, block_y, block_z, configuration, "
                   "moment FROM tuned ORDER BY moment DESC",
                   -1, &statement, nullptr) == 0;
    }
    while (done && step_(statement) == row_is_there)
      rows.push_back({word(statement, 0), word(statement, 1), word(statement, 2),
                      static_cast<unsigned long long>(number_(statement, 3)), part(statement, 4),
                      part(statement, 5), part(statement, 6), word(statement, 7),
                      word(statement, 8)});
    finalize_(statement);
    close_(file);
    return done;
  }
  std::string word(void* statement, int column) const {
    const unsigned char* text = text_(statement, column);
    return text == nullptr ? std::string() : std::string(reinterpret_cast<const char*>(text));
  }
  unsigned part(void* statement, int column) const {
    return static_cast<unsigned>(number_(statement, column));
  }

  void* handle_;
  bool usable_ = false;
  int (*open_)(const char*, void**, int, const char*) = nullptr;
  int (*close_)(void*) = nullptr;
  int (*patience_)(void*, int) = nullptr;
  int (*prepare_)(void*, const char*, int, void**, const char**) = nullptr;
  int (*step_)(void*) = nullptr;
  const unsigned char* (*text_)(void*, int) = nullptr;
  long long (*number_)(void*, int) = nullptr;
  int (*finalize_)(void*) = nullptr;
};

inline std::string tuned_variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

inline std::string tuned_store() {
  const std::string named = tuned_variable("HEDDLE_TUNED"), data = tuned_variable("XDG_DATA_HOME");
  if (!named.empty())
    return named;
  return (data.empty() ? tuned_variable("HOME") + "/.local/share" : data) + "/heddle/tuned.db";
}

/// All that is known, read once.
inline const std::vector<tuned_row>& tuned_rows() {
  static const std::vector<tuned_row> rows = [] {
    std::vector<tuned_row> known;
#ifdef HEDDLE_TUNED_ROWS
#define HEDDLE_TUNED_ROW(kernel, device, size, x, y, z, bounds, settings)                          \
  known.push_back({kernel, device, "", size, x, y, z, settings, ""});
    HEDDLE_TUNED_ROWS
#undef HEDDLE_TUNED_ROW
#else
    known = tuned_library().rows(tuned_store());
#endif
    return known;
  }();
  return rows;
}

/// "NVIDIA H200" and "H200 SXM" are one.
inline bool same_gpu(const std::string& one, const std::string& other) {
  const auto plain = [](std::string name) {
    for (const char* vendor : {"NVIDIA ", "Tesla ", "GeForce "})
      if (name.compare(0, std::strlen(vendor), vendor) == 0)
        name.erase(0, std::strlen(vendor));
    for (char& letter : name)
      letter =
          letter == '-' ? ' ' : static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    return name;
  };
  const std::string a = plain(one), b = plain(other);
  const std::size_t common = a.size() < b.size() ? a.size() : b.size();
  return common > 0 && a.compare(0, common, b, 0, common) == 0;
}

inline std::string this_gpu() {
  int number = 0;
  cudaDeviceProp properties;
  if (cudaGetDevice(&number) != cudaSuccess ||
      cudaGetDeviceProperties(&properties, number) != cudaSuccess)
    return std::string();
  return properties.name;
}

/// The row for a kernel: of the calling file before others, then of the nearest size, then the
/// newest.
inline const tuned_row* tuned_find(const std::string& kernel, unsigned long long n,
                                   const std::string& file) {
  const std::string gpu = this_gpu();
  const auto away = [n](const tuned_row& row) {
    return std::fabs(std::log(static_cast<double>(row.size) + 1) -
                     std::log(static_cast<double>(n) + 1));
  };
  const auto is_here = [&file](const tuned_row& row) {
    const std::string name = file.substr(file.rfind('/') + 1);
    return row.file.size() >= name.size() &&
           row.file.compare(row.file.size() - name.size(), name.size(), name) == 0;
  };
  const tuned_row* best = nullptr;
  for (const tuned_row& row : tuned_rows()) {
    if (row.kernel != kernel || !same_gpu(row.device, gpu))
      continue;
    if (best == nullptr || is_here(row) > is_here(*best) ||
        (is_here(row) == is_here(*best) && away(row) < away(*best)))
      best = &row;
  }
  return best;
}

/// While `heddle tune` searches: it learns who asks, and answers by HEDDLE_ANSWERS, "step=128" or
/// "step=16x8".
inline bool tuned_by_search(const char* kernel, unsigned long long n, dim3& block) {
  const std::string asked = tuned_variable("HEDDLE_ASKED"),
                    wanted = tuned_variable("HEDDLE_ANSWERS");
  if (!asked.empty())
    if (std::FILE* file = std::fopen(asked.c_str(), "a")) {
      std::fprintf(file, "%s %llu\n", kernel, n);
      std::fclose(file);
    }
  const std::size_t equals = wanted.find('=');
  if (equals == std::string::npos || wanted.compare(0, equals, kernel) != 0)
    return false;
  block = dim3(1, 1, 1);
  std::sscanf(wanted.c_str() + equals + 1, "%ux%ux%u", &block.x, &block.y, &block.z);
  return true;
}

} // namespace detail

/// How to launch a kernel on n elements; in blocks of `otherwise` where nothing is known. Safe to
/// call from any thread, and fast after the first time.
inline tuned_launch tuned(const char* kernel, unsigned long long n, dim3 otherwise = dim3(256),
                          const char* file = __builtin_FILE()) {
  static std::mutex mutex;
  static std::map<std::pair<std::string, unsigned long long>, tuned_launch> known;
  const std::lock_guard<std::mutex> lock(mutex);
  const std::pair<std::string, unsigned long long> key(kernel, n);
  const auto found = known.find(key);
  if (found != known.end())
    return found->second;
  tuned_launch launch;
  launch.block = otherwise;
  if (!detail::tuned_by_search(kernel, n, launch.block))
    if (const detail::tuned_row* row = detail::tuned_find(kernel, n, file)) {
      launch.block = dim3(row->x, row->y, row->z);
      launch.known = true;
      launch.settings = row->settings;
      launch.size = row->size;
    }
  launch.grid = launch.grid_of(n);
  known[key] = launch;
  return launch;
}

} // namespace heddle
