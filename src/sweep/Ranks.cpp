// SPDX-License-Identifier: Apache-2.0
#include "sweep/Ranks.h"

#include "support/Parse.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <dlfcn.h>

namespace heddle::sweep {
namespace {

namespace fs = std::filesystem;

fs::path libraryPath() {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  return program.parent_path().parent_path() / "lib" / "libheddle_mpi.so";
}

int numberOf(const char* variable) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? 0 : int(parseInteger(text).value_or(0));
}

} // namespace

bool isInJob() {
  if (numberOf("OMPI_COMM_WORLD_SIZE") > 0)
    return true;
  // srun says how many there are, and has an environment for MPI where it was asked for one.
  return numberOf("SLURM_NTASKS") > 1 && std::getenv("PMIX_RANK") != nullptr;
}

Expected<std::unique_ptr<Ranks>> joinJob() {
  std::error_code ignored;
  if (!fs::exists(libraryPath(), ignored))
    return fail(ErrorKind::Unsupported,
                "this heddle was built without MPI; start it alone, or build it where OpenMPI is "
                "(Debian: libopenmpi-dev)");
  // Global: OpenMPI's own parts look for each other.
  void* const library = dlopen(libraryPath().c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr)
    return fail(ErrorKind::Io, "cannot load {}; is OpenMPI installed (Debian: openmpi-bin)?",
                dlerror());
  const auto make = reinterpret_cast<MakeRanks>(dlsym(library, makeRanksName));
  std::string error = "it is of another version";
  std::unique_ptr<Ranks> ranks(make == nullptr ? nullptr : make(error));
  if (!ranks)
    return fail(ErrorKind::Io, "cannot use {}: {}", libraryPath().string(), error);
  return ranks;
}

} // namespace heddle::sweep
