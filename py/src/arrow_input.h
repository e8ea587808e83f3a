// Columns of other libraries, read where they lie: texts, and lists of ids.

#ifndef SPMLITE_PY_ARROW_INPUT_H_
#define SPMLITE_PY_ARROW_INPUT_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arrow_interface.h"

namespace spmlite {

// What says which rows of a column are null.
class Validity {
 public:
  Validity() = default;
  explicit Validity(const ArrowArray& array);

  bool MayHoldNull() const { return bits_ != nullptr; }
  // `row` counts from the array's own offset.
  bool IsNull(size_t row) const {
    const size_t bit = offset_ + row;
    return bits_ != nullptr && ((bits_[bit / 8] >> (bit % 8)) & 1) == 0;
  }

 private:
  const uint8_t* bits_ = nullptr;
  size_t offset_ = 0;
};

// Strings or bytes, of any of Arrow's layouts, plain or in a dictionary; or the one field
// of a struct that holds such. The array must outlive it.
class TextColumn {
 public:
  // An empty string, or what is wrong with the type.
  std::string Read(const ArrowSchema& schema, const ArrowArray& array);

  size_t size() const { return size_; }
  bool MayHoldNull() const;
  bool IsNull(size_t row) const;
  // The bytes of a row that is not null.
  std::string_view Text(size_t row) const;

 private:
  enum class Layout { kNull, kOffsets32, kOffsets64, kViews };

  std::string ReadPlain(const ArrowSchema& schema, const ArrowArray& array);
  std::string ReadDictionary(const ArrowSchema& schema, const ArrowArray& array);
  std::string_view View(size_t position) const;
  size_t KeyOf(size_t row) const;

  size_t size_ = 0;
  Validity struct_validity_;
  Validity validity_;       // of the rows
  Validity text_validity_;  // of the texts, where a dictionary holds them
  Layout layout_ = Layout::kNull;
  size_t text_offset_ = 0;
  const void* starts_ = nullptr;  // offsets or views
  const char* bytes_ = nullptr;
  const char* const* blocks_ = nullptr;  // of views
  char key_format_ = 0;                  // of a dictionary's keys, 0 without one
  const void* keys_ = nullptr;
  size_t key_offset_ = 0;
};

// Lists of integers: of any length, or each of the same. The array must outlive it.
class IdColumn {
 public:
  // An empty string, or what is wrong with the type.
  std::string Read(const ArrowSchema& schema, const ArrowArray& array);

  size_t size() const { return size_; }
  bool MayHoldNull() const { return struct_validity_.MayHoldNull() || validity_.MayHoldNull(); }
  bool IsNull(size_t row) const { return struct_validity_.IsNull(row) || validity_.IsNull(row); }

  // How many ids a row that is not null has.
  size_t Count(size_t row) const { return End(row) - Begin(row); }
  // Whether one of them is null.
  bool HasNull(size_t row) const;
  // The ids as ints, where they are not such copied to `scratch`. What no int holds is
  // INT_MIN, which is no model's id.
  std::span<const int> Ids(size_t row, std::vector<int>* scratch) const;

 private:
  size_t Begin(size_t row) const;
  size_t End(size_t row) const;

  size_t size_ = 0;
  size_t offset_ = 0;
  Validity struct_validity_;
  Validity validity_;
  Validity item_validity_;
  size_t fixed_size_ = 0;
  bool is_large_ = false;
  const void* ends_ = nullptr;  // nullptr where all have the fixed size
  char item_format_ = 0;
  const void* items_ = nullptr;
  size_t item_offset_ = 0;
};

}  // namespace spmlite

#endif  // SPMLITE_PY_ARROW_INPUT_H_
