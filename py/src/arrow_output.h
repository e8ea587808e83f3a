// Columns that are made here, and how other libraries get them: the memory is shared, and
// lives until the last of its users lets go of it.

#ifndef SPMLITE_PY_ARROW_OUTPUT_H_
#define SPMLITE_PY_ARROW_OUTPUT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "arrow_interface.h"

namespace spmlite {

// Memory that grows. Large blocks move by their pages where the system can do that (Linux),
// and pages that were never written take no room.
class Memory {
 public:
  Memory() = default;
  Memory(Memory&& other) noexcept { *this = std::move(other); }
  Memory& operator=(Memory&& other) noexcept;
  ~Memory();

  // Makes room for `bytes` in all, and more where it must grow. False, and nothing is
  // changed, where the system has no more.
  bool Reserve(size_t bytes);
  // Gives back what lies beyond `bytes`.
  void ShrinkTo(size_t bytes);

  template <typename Value>
  Value* As() const {
    return static_cast<Value*>(data_);
  }

 private:
  void* data_ = nullptr;
  size_t capacity_ = 0;
};

// What the rows of a column hold.
enum class RowKind { kIds, kText };

// A list<int32> (kIds) or a utf8 (kText) column; a large_list or large_utf8 where it
// `is_large`.
struct ArrowColumn {
  RowKind kind = RowKind::kIds;
  size_t size = 0;
  size_t null_count = 0;
  bool is_large = false;
  Memory validity;  // a bit a row; empty without nulls
  Memory ends;      // 0, and where each row ends: int32, or int64 where it is large
  Memory values;    // of all rows: int32, or bytes of UTF-8

  // From int32 to int64, of the first `rows`; false without memory.
  bool Widen(size_t rows);
};

// Neighbouring rows, before they are in the column.
template <typename Value>
struct Rows {
  std::vector<Value> values;
  std::vector<size_t> counts;  // how many of the values each row has

  void Append(std::span<const Value> row) {
    values.insert(values.end(), row.begin(), row.end());
    counts.push_back(row.size());
  }
  void Clear() {
    // What one long row took is not kept for those after it.
    constexpr size_t kKeptValues = size_t{1} << 18;
    if (values.capacity() > kKeptValues) values = {};
    values.clear();
    counts.clear();
  }
};

// Makes a column from its rows, first to last. `Value` is int32_t or char.
template <typename Value>
class ColumnBuilder {
 public:
  // `size` rows; the column is large if its values are more than `max_end`.
  ColumnBuilder(size_t size, int64_t max_end);

  // Says which rows are null; they are added with a count of 0.
  template <typename IsNull>
  bool MarkNulls(IsNull is_null);

  // These two are false without memory.
  bool Append(const Rows<Value>& rows);
  bool Finish();

  // Once it is finished.
  std::shared_ptr<ArrowColumn> column() { return column_; }

 private:
  bool AppendEnds(std::span<const size_t> counts);

  std::shared_ptr<ArrowColumn> column_;
  const int64_t max_end_;
  size_t added_ = 0;  // rows
  size_t count_ = 0;  // values
};

template <typename Value>
template <typename IsNull>
bool ColumnBuilder<Value>::MarkNulls(IsNull is_null) {
  const size_t size = column_->size;
  if (!column_->validity.Reserve((size + 7) / 8 + 1)) return false;
  auto* bits = column_->validity.template As<uint8_t>();
  for (size_t byte = 0; byte < (size + 7) / 8; ++byte) bits[byte] = 0;
  for (size_t row = 0; row < size; ++row) {
    const bool valid = !is_null(row);
    bits[row / 8] |= static_cast<uint8_t>(valid << (row % 8));
    column_->null_count += !valid;
  }
  if (column_->null_count == 0) column_->validity = Memory();
  return true;
}

// The columns of one schema that a column in chunks consists of; at least one.
using ArrowChunks = std::vector<std::shared_ptr<ArrowColumn>>;

// Each fills a struct that its receiver must release.
void ExportSchema(const ArrowColumn& column, ArrowSchema* schema);
void ExportArray(const std::shared_ptr<const ArrowColumn>& column, ArrowArray* array);
void ExportStream(const ArrowChunks& chunks, ArrowArrayStream* stream);

}  // namespace spmlite

#endif  // SPMLITE_PY_ARROW_OUTPUT_H_
