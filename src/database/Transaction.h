// SPDX-License-Identifier: Apache-2.0
//
// Several changes as one: all of them are in the file after commit(), none of them otherwise. The
// right to write is asked for at the beginning, so that no change is made in vain.
#pragma once

#include "database/Database.h"

#include <utility>

namespace heddle::database {

class Transaction {
public:
  /// The database stays where it is while the transaction lives.
  static Expected<Transaction> begin(const Database& database);

  Transaction(Transaction&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction(); ///< undoes what was not committed

  Expected<void> commit();

private:
  explicit Transaction(const Database& database) : database_(&database) {}

  const Database* database_; ///< null once it is over
};

} // namespace heddle::database
