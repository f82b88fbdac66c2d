// SPDX-License-Identifier: Apache-2.0
//
// Which kernels may run their blocks side by side, and that memory ends as if they had not.
#include "EngineFixture.h"

#include "analysis/BlockOrder.h"
#include "engine/ExtractKernel.h"
#include "engine/PrepareKernel.h"

#include <map>

namespace heddle::engine {
namespace {

constexpr int gridSize = 64, blockSize = 96;

/// Compiles bodies of kernels all at once.
class Orders {
public:
  void add(const std::string& name, const std::string& body) {
    text_ += fmt::format("extern \"C\" __global__ void {}(int* a, int* b, float* f, Pair s, int n) "
                         "{{ {} {} }}\n",
                         name, index, body);
    names_.push_back(name);
  }

  std::map<std::string, analysis::BlockOrder> find() {
    const TemporaryFolder folder = *TemporaryFolder::make();
    const std::string file = (folder.path() / "test.cu").string();
    EXPECT_TRUE(writeFile(file, text_));
    const auto bitcode = frontend::compileDevice(file, {});
    EXPECT_TRUE(bitcode) << bitcode.error().message;
    const auto module = frontend::parseDeviceModule(*bitcode, "test.cu");
    std::map<std::string, analysis::BlockOrder> found;
    for (const std::string& name : names_) {
      const ExtractedKernel kernel = extractKernel(*module->module->getFunction(name));
      prepareKernel(kernel.functions);
      found[name] = analysis::findBlockOrder(kernel.functions);
    }
    return found;
  }

private:
  std::string text_ = "struct Pair { float* x; float* y; };\n__device__ int flag;\n";
  std::vector<std::string> names_;
};

TEST(BlockOrder, BlocksThatCannotTellRunSideBySide) {
  Orders orders;
  orders.add("own", "if (i < n) a[i] = 2 * a[i] + b[i];");
  orders.add("neighbours", "a[i] = a[i ^ n] + a[0];");
  orders.add("gather", "a[i] = b[a[i]];");
  orders.add("scatter", "a[b[i]] = i;");
  orders.add("histogram", "atomicAdd(&a[b[i] % 64], 1);");
  orders.add("several", "atomicMin(&a[0], i); atomicMax(&a[1], i); atomicAdd(&a[2], i);");
  orders.add("floats", "atomicAdd(&f[b[i]], s.x[i]);");
  orders.add("structs", "s.y[b[i]] = s.x[b[i]];");
  orders.add("sharedMemory", "__shared__ int next; if (threadIdx.x == 0) next = 0; __syncthreads();"
                             "for (int k; (k = atomicAdd(&next, 1)) < n;) a[i + k] = i;");
  orders.add("setsAFlag", "if (b[i] > n) a[0] = 1;");
  orders.add("lastOfAll", "if (i == n - 1) a[0] = b[i];");
  orders.add("firstBlock", "if (blockIdx.x == 0 && threadIdx.x == 0) a[0] = b[i];");
  for (const auto& [name, order] : orders.find()) {
    EXPECT_FALSE(order.needsTurns) << name;
    EXPECT_EQ(order.endsInOrder, name == "floats") << name;
  }
}

TEST(BlockOrder, AtomicsThatCannotWaitComeInTheOrderOfBlocks) {
  Orders orders;
  orders.add("append", "if (b[i] > 0) f[atomicAdd(a, 1)] = i;");
  orders.add("appendInALoop", "for (int k = i; k < n; k += gridDim.x) f[atomicAdd(a, 1)] = k;");
  orders.add("exchange", "f[i] = atomicExch(a, i);");
  orders.add("compareOnce", "f[i] = atomicCAS(a, 0, i);");
  orders.add("lastBlock",
             "__shared__ bool last; a[blockIdx.x] = n; __threadfence();"
             "if (threadIdx.x == 0) last = atomicAdd(b, 1) == gridDim.x - 1; __syncthreads();"
             "if (last) { a[threadIdx.x] = a[threadIdx.x + 1]; if (threadIdx.x == 0) b[0] = 0; }");
  orders.add("anyOfThem", "if (b[i] == n) a[0] = i;");
  orders.add("twoFlags", "if (b[i] > n) a[0] = 1; else a[0] = 2;");
  orders.add("heap", "((void**)f)[i] = malloc(n);");
  for (const auto& [name, order] : orders.find()) {
    EXPECT_FALSE(order.needsTurns) << name;
    EXPECT_TRUE(order.endsInOrder) << name;
  }
}

TEST(BlockOrder, BlocksThatCanTellNeedTurns) {
  Orders orders;
  orders.add("notBehind", "const int k = a[threadIdx.x]; if (atomicAdd(b, 1) == n) a[0] = k;");
  orders.add("queue", "for (int k; (k = atomicAdd(a, 1)) < n;) f[k] = k;");
  orders.add("lock", "while (atomicCAS(a, 0, 1) != 0) {} b[0] += i; atomicExch(a, 0);");
  orders.add("poll", "while (*(volatile int*)a == 0) {}");
  orders.add("inPlaceGather", "a[i] = a[a[i]];");
  orders.add("visited", "if (a[b[i]] == 0) a[b[i]] = n;");
  orders.add("relax", "if (i < a[b[i]]) atomicMin(&a[b[i]], i);");
  orders.add("smallestOfAll", "for (int j = 0; j < n; ++j) if (a[j] < a[i]) a[i] = a[j];");
  orders.add("found", "if (a[0] == 0 && b[i] == n) a[0] = 1;");
  orders.add("twoKinds", "atomicAdd(&a[b[i]], 1); atomicMax(&a[i], n);");
  orders.add("counted", "atomicAdd(a, 1); f[i] = a[0];");
  orders.add("variable", "if (flag == 0 && b[i] == n) flag = 1;");
  orders.add("throughAFunctionOfItsOwn",
             "auto find = [](int* p, int k) __attribute__((noinline)) {"
             "  while (p[k] != k) { p[k] = p[p[k]]; k = p[k]; } return k; };"
             "b[i] = find(a, i);");
  for (const auto& [name, order] : orders.find())
    EXPECT_TRUE(order.needsTurns) << name;
}

TEST(BlockOrder, ArgumentsMayPointToTheSame) {
  Orders orders;
  orders.add("arguments", "a[b[i]] = b[i];");
  orders.add("structs", "s.y[(int)s.x[i]] = 1;");
  const auto found = orders.find();
  using Pair = std::pair<analysis::ArgumentPlace, analysis::ArgumentPlace>;
  EXPECT_EQ(found.at("arguments").needsTurnsIfTogether, (std::vector<Pair>{{{0, 0}, {1, 0}}}));
  EXPECT_EQ(found.at("structs").needsTurnsIfTogether, (std::vector<Pair>{{{3, 0}, {3, 8}}}));
}

/// What is left of a buffer of so many, by workers.
template <class T> std::vector<T> ranWith(int workers, const TestKernel& kernel, std::size_t size) {
  std::vector<T> data(size);
  const auto profile = runOn(kernel, data, gridSize, blockSize, {.workers = workers});
  EXPECT_TRUE(profile) << profile.error().message;
  return data;
}

template <class T> void expectTheSame(const std::string& type, const std::string& body) {
  const auto kernel = compileText(
      fmt::format("extern \"C\" __global__ void k({}* a, int n) {{ {} {} }}", type, index, body));
  ASSERT_TRUE(kernel) << kernel.error().message;
  const std::vector<T> one = ranWith<T>(1, *kernel, 8192);
  for (int run = 0; run < 3; ++run)
    EXPECT_TRUE(one == ranWith<T>(3, *kernel, 8192)) << body;
}

TEST(BlockSequence, FloatsAreAddedInOrder) {
  expectTheSame<float>("float", "atomicAdd(&a[i % 3], 1.0f / (i + 1));");
  expectTheSame<double>("double",
                        "for (int k = 0; k < 20; ++k) atomicAdd(&a[k % 3], 1.0 / (i + k + 1));");
}

TEST(BlockSequence, ABlockReadsTheFloatsThatItHasAdded) {
  expectTheSame<float>("float", "atomicAdd(&a[blockIdx.x], 1.0f / (i + 1)); __syncthreads();"
                                "a[gridDim.x + i] = a[blockIdx.x];");
  expectTheSame<float>("float", "a[gridDim.x + i] = a[blockIdx.x]; __syncthreads();"
                                "atomicAdd(&a[blockIdx.x / 2], 1.0f / (i + 1));");
}

TEST(BlockSequence, PlacesAreTakenInOrder) {
  expectTheSame<unsigned>("unsigned", "const unsigned place = atomicAdd(&a[0], 1u);"
                                      "a[1 + place] = i;");
  expectTheSame<unsigned>("unsigned", "for (int k = 0; k < 3; ++k) if ((i + k) % 5 == 0)"
                                      "a[1 + atomicInc(&a[0], 8190u)] = i;");
}

TEST(BlockSequence, TheLastBlockToStoreIsTheLastBlock) {
  expectTheSame<int>("int", "if (i * 7919 % 97 == 0) a[0] = i; a[1 + i] = i;");
}

TEST(BlockSequence, TheFaultIsThatOfTheFirstBlock) {
  const auto kernel = compileText(
      "extern \"C\" __global__ void k(int* a, int n) {" + index +
      "int x = i; for (int k = 0; k < (70 - blockIdx.x) * 200; ++k) x = x * 5 + k;"
      "if (blockIdx.x > 2 && threadIdx.x == 0) a[n + blockIdx.x] = x; else a[i % n] = x; }");
  ASSERT_TRUE(kernel) << kernel.error().message;
  for (const int workers : {1, 3, 3}) {
    std::vector<int> data(blockSize);
    const auto outcome = launchOn(*kernel, data, gridSize, blockSize, {.workers = workers});
    ASSERT_TRUE(outcome) << outcome.error().message;
    ASSERT_TRUE(outcome->fault);
    EXPECT_NE(outcome->fault->message.find("of block (3,0,0)"), std::string::npos)
        << outcome->fault->message;
  }
}

TEST(BlockSequence, TextComesInTheOrderOfBlocks) {
  const auto kernel = compileText(
      "#include <cstdio>\nextern \"C\" __global__ void k(int* a, int n) {" + index +
      "int x = i; for (int k = 0; k < (70 - blockIdx.x) * 50; ++k) x = x * 5 + k; a[i % n] = x;"
      "if (threadIdx.x == 0) printf(\"%d \", blockIdx.x); }");
  ASSERT_TRUE(kernel) << kernel.error().message;
  std::string expected;
  for (int i = 0; i < gridSize; ++i)
    expected += fmt::format("{} ", i);
  for (const int workers : {1, 3}) {
    std::string text;
    LaunchSettings settings{.workers = workers};
    settings.print = [&](std::string_view part) { text += part; };
    std::vector<int> data(blockSize);
    const auto outcome = launchOn(*kernel, data, gridSize, blockSize, settings);
    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_EQ(text, expected);
  }
}

TEST(BlockSequence, ASampleFindsMemoryAsItsBlockDoes) {
  const auto kernel = compileText("extern \"C\" __global__ void k(int* a, int n) {" + index +
                                  "int x = i; for (int k = 0; k < 20000; ++k) x = x * 5 + k;"
                                  "if (threadIdx.x == 0 && atomicAdd(a, 1) == n) a[0] = x; }");
  ASSERT_TRUE(kernel) << kernel.error().message;
  EXPECT_FALSE(kernel->kernel->needsTurns);
  std::vector<int> data(1 + gridSize), found(gridSize), expected(gridSize);
  LaunchSettings settings{.workers = 3};
  for (int i = 0; i < gridSize; ++i) {
    settings.sample.blocks.push_back(i);
    expected[std::size_t(i)] = i;
  }
  settings.sample.before = [&](std::int64_t block) { found[std::size_t(block)] = data[0]; };
  const auto outcome = launchOn(*kernel, data, gridSize, blockSize, settings);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(found, expected);
}

TEST(BlockSequence, AHangInsideABlockIsFoundBesideOthers) {
  const auto kernel = compileText(
      "extern \"C\" __global__ void k(int* a, int n) { __shared__ volatile int go;" + index +
      "if (threadIdx.x == 0) go = 0; __syncthreads();"
      "if (blockIdx.x == 5) while (go == 0) {} a[i % n] = go; }");
  ASSERT_TRUE(kernel) << kernel.error().message;
  EXPECT_FALSE(kernel->kernel->needsTurns);
  for (const int workers : {1, 3}) {
    std::vector<int> data(blockSize);
    const auto outcome = launchOn(*kernel, data, gridSize, blockSize, {.workers = workers});
    ASSERT_TRUE(outcome) << outcome.error().message;
    ASSERT_TRUE(outcome->fault);
    EXPECT_EQ(outcome->fault->kind, FaultKind::Hang);
  }
}

} // namespace
} // namespace heddle::engine
