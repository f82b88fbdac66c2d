// SPDX-License-Identifier: Apache-2.0
//
// Messages by MPI. A send is never waited for: one to a rank that has died would never end, so
// its text is kept until MPI has it, and dropped with the process.
#include "sweep/Ranks.h"

#include <mpi.h>

#include <list>

namespace heddle::sweep {
namespace {

class MpiRanks final : public Ranks {
public:
  MpiRanks() {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void send(int to, std::string text) override {
    forgetSent();
    Sent& sent = sent_.emplace_back(Sent{std::move(text), MPI_REQUEST_NULL});
    MPI_Isend(sent.text.data(), int(sent.text.size()), MPI_CHAR, to, 0, MPI_COMM_WORLD,
              &sent.request);
  }

  std::optional<Message> receive() override {
    int found = 0;
    MPI_Status status = {};
    if (MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &found, &status) != MPI_SUCCESS || found == 0)
      return std::nullopt;
    int size = 0;
    MPI_Get_count(&status, MPI_CHAR, &size);
    Message message{status.MPI_SOURCE, std::string(std::size_t(size), '\0')};
    if (MPI_Recv(message.text.data(), size, MPI_CHAR, status.MPI_SOURCE, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE) != MPI_SUCCESS)
      return std::nullopt;
    return message;
  }

  void finish() override {
    for (Sent& sent : sent_)
      MPI_Wait(&sent.request, MPI_STATUS_IGNORE);
    sent_.clear();
    MPI_Finalize();
  }

private:
  struct Sent {
    std::string text;
    MPI_Request request;
  };

  void forgetSent() {
    std::erase_if(sent_, [](Sent& sent) {
      int done = 0;
      return MPI_Test(&sent.request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done != 0;
    });
  }

  int rank_ = 0;
  int size_ = 1;
  std::list<Sent> sent_; ///< a list: MPI holds their addresses
};

} // namespace
} // namespace heddle::sweep

extern "C" __attribute__((visibility("default"))) heddle::sweep::Ranks*
heddleMakeRanks(std::string& error) {
  int given = 0;
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given) != MPI_SUCCESS) {
    error = "MPI does not start";
    return nullptr;
  }
  return new heddle::sweep::MpiRanks;
}
