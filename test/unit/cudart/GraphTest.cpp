// SPDX-License-Identifier: Apache-2.0
#include "ApiFixture.h"

#include <list>
#include <string>
#include <vector>

namespace heddle::cudart {
namespace {

class GraphsOfNodes : public ApiTest {
protected:
  GraphsOfNodes() {
    EXPECT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
    EXPECT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  }

  /// A node that appends a letter to `order`.
  cudaGraphNode_t letter(cudaGraph_t to, char which, const std::vector<cudaGraphNode_t>& after) {
    letters.push_back({&order, which});
    const cudaHostNodeParams parameters = {[](void* data) {
                                             const auto* const found =
                                                 static_cast<const Letter*>(data);
                                             *found->to += found->which;
                                           },
                                           &letters.back()};
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaGraphAddHostNode(&node, to, after.data(), after.size(), &parameters),
              cudaSuccess);
    return node;
  }

  std::string ran() {
    cudaGraphExec_t exec = nullptr;
    EXPECT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    EXPECT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
    EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
    EXPECT_EQ(cudaGraphLaunch(exec, stream), cudaErrorInvalidValue);
    return order;
  }

  struct Letter {
    std::string* to;
    char which;
  };

  cudaGraph_t graph = nullptr;
  cudaStream_t stream = nullptr;
  std::string order;
  std::list<Letter> letters; ///< their addresses stay
};

TEST_F(GraphsOfNodes, RunAfterWhatTheyDependOn) {
  const cudaGraphNode_t last = letter(graph, 'c', {});
  const cudaGraphNode_t first = letter(graph, 'a', {});
  const cudaGraphNode_t second = letter(graph, 'b', {first});
  ASSERT_EQ(cudaGraphAddDependencies(graph, &second, &last, 1), cudaSuccess);
  EXPECT_EQ(ran(), "abc");
}

TEST_F(GraphsOfNodes, AChildRunsAsItWasWhenItWasAdded) {
  cudaGraph_t child = nullptr;
  cudaGraphNode_t node = nullptr;
  ASSERT_EQ(cudaGraphCreate(&child, 0), cudaSuccess);
  letter(child, 'x', {});
  ASSERT_EQ(cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, child), cudaSuccess);
  letter(child, 'y', {});
  letter(graph, 'z', {node});
  EXPECT_EQ(ran(), "xz");
}

TEST_F(GraphsOfNodes, CapturedWorkWaitsForItsLaunch) {
  void* memory = nullptr;
  int got = -1;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaErrorIllegalState);
  EXPECT_EQ(cudaStreamIsCapturing(stream, &status), cudaSuccess);
  EXPECT_EQ(status, cudaStreamCaptureStatusActive);
  ASSERT_EQ(cudaMallocAsync(&memory, sizeof got, stream), cudaSuccess);
  ASSERT_EQ(cudaMemsetAsync(memory, 1, sizeof got, stream), cudaSuccess);
  ASSERT_EQ(cudaMemcpyAsync(&got, memory, sizeof got, cudaMemcpyDeviceToHost, stream), cudaSuccess);
  ASSERT_EQ(cudaFreeAsync(memory, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  EXPECT_EQ(got, -1);
  std::vector<cudaGraphNode_t> nodes(9);
  std::size_t count = nodes.size();
  ASSERT_EQ(cudaGraphGetNodes(graph, nodes.data(), &count), cudaSuccess);
  std::vector<cudaGraphNodeType> types;
  for (std::size_t i = 0; i < count; ++i)
    EXPECT_EQ(cudaGraphNodeGetType(nodes[i], &types.emplace_back()), cudaSuccess);
  EXPECT_EQ(types, (std::vector{cudaGraphNodeTypeMemAlloc, cudaGraphNodeTypeMemset,
                                cudaGraphNodeTypeMemcpy, cudaGraphNodeTypeMemFree}));
  ran();
  EXPECT_EQ(got, 0x01010101);
  got = -1;
  ran(); // it allocates again
  EXPECT_EQ(got, 0x01010101);
}

TEST_F(GraphsOfNodes, WhatIsNoGraphIsRefused) {
  cudaGraphExec_t exec = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaGraph_t other = nullptr;
  EXPECT_EQ(cudaGraphCreate(&other, 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamEndCapture(stream, &other), cudaErrorIllegalState);
  EXPECT_EQ(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal),
            cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(cudaGraphAddHostNode(&node, graph, nullptr, 0, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceGraphMemTrim(1), cudaErrorInvalidDevice);
  ASSERT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaErrorInvalidValue);
}

} // namespace
} // namespace heddle::cudart
