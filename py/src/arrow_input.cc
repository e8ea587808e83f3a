#include "arrow_input.h"

#include <charconv>
#include <climits>
#include <cstddef>

namespace spmlite {
namespace {

// Views of up to this length hold their text themselves.
// https://arrow.apache.org/docs/format/Columnar.html#variable-size-binary-view-layout
constexpr int32_t kInlineLength = 12;

struct TextView {
  int32_t length;
  char prefix[4];
  int32_t block;
  int32_t begin;
};

template <typename Number>
Number At(const void* numbers, size_t position) {
  return static_cast<const Number*>(numbers)[position];
}

// The integer at a position, by its type's letter in a schema.
int64_t IntegerAt(char format, const void* numbers, size_t position) {
  switch (format) {
    case 'c':
      return At<int8_t>(numbers, position);
    case 'C':
      return At<uint8_t>(numbers, position);
    case 's':
      return At<int16_t>(numbers, position);
    case 'S':
      return At<uint16_t>(numbers, position);
    case 'i':
      return At<int32_t>(numbers, position);
    case 'I':
      return At<uint32_t>(numbers, position);
    case 'l':
      return At<int64_t>(numbers, position);
    default:
      return static_cast<int64_t>(At<uint64_t>(numbers, position));
  }
}

bool IsInteger(std::string_view format) {
  return format.size() == 1 && std::string_view("cCsSiIlL").find(format) != std::string_view::npos;
}

bool IsStruct(const ArrowSchema& schema) { return std::string_view(schema.format) == "+s"; }

std::string WrongType(std::string_view expected, const ArrowSchema& schema) {
  return "expected a column of " + std::string(expected) + ", got one of the Arrow type '" +
         schema.format + "': cast it first";
}

std::string NotOneField(const ArrowSchema& schema) {
  return "expected one column, got " + std::to_string(schema.n_children) + ": select one";
}

size_t OffsetOf(const ArrowArray& array) { return static_cast<size_t>(array.offset); }

}  // namespace

Validity::Validity(const ArrowArray& array) {
  if (array.null_count == 0 || array.n_buffers == 0) return;
  bits_ = static_cast<const uint8_t*>(array.buffers[0]);
  offset_ = OffsetOf(array);
}

// --- Texts ---

std::string TextColumn::Read(const ArrowSchema& schema, const ArrowArray& array) {
  size_ = static_cast<size_t>(array.length);
  if (!IsStruct(schema)) {
    return schema.dictionary == nullptr ? ReadPlain(schema, array) : ReadDictionary(schema, array);
  }
  if (schema.n_children != 1) return NotOneField(schema);
  if (IsStruct(*schema.children[0])) return WrongType("strings", *schema.children[0]);
  // A struct's own offset counts in its fields too.
  ArrowArray field = *array.children[0];
  field.offset += array.offset;
  field.length = array.length;
  if (std::string problem = Read(*schema.children[0], field); !problem.empty()) return problem;
  struct_validity_ = Validity(array);
  return {};
}

std::string TextColumn::ReadPlain(const ArrowSchema& schema, const ArrowArray& array) {
  const std::string_view format = schema.format;
  if (format == "n") return {};
  if (format == "u" || format == "z") {
    layout_ = Layout::kOffsets32;
  } else if (format == "U" || format == "Z") {
    layout_ = Layout::kOffsets64;
  } else if (format == "vu" || format == "vz") {
    layout_ = Layout::kViews;
  } else {
    return WrongType("strings", schema);
  }
  validity_ = Validity(array);
  text_offset_ = OffsetOf(array);
  starts_ = array.buffers[1];
  if (layout_ == Layout::kViews) {
    blocks_ = reinterpret_cast<const char* const*>(array.buffers + 2);
  } else {
    bytes_ = static_cast<const char*>(array.buffers[2]);
  }
  return {};
}

std::string TextColumn::ReadDictionary(const ArrowSchema& schema, const ArrowArray& array) {
  if (!IsInteger(schema.format) || schema.dictionary->dictionary != nullptr) {
    return WrongType("strings", schema);
  }
  if (std::string problem = ReadPlain(*schema.dictionary, *array.dictionary); !problem.empty()) {
    return problem;
  }
  text_validity_ = validity_;
  validity_ = Validity(array);
  key_format_ = schema.format[0];
  keys_ = array.buffers[1];
  key_offset_ = OffsetOf(array);
  return {};
}

bool TextColumn::MayHoldNull() const {
  return layout_ == Layout::kNull || struct_validity_.MayHoldNull() || validity_.MayHoldNull() ||
         text_validity_.MayHoldNull();
}

bool TextColumn::IsNull(size_t row) const {
  if (struct_validity_.IsNull(row) || validity_.IsNull(row)) return true;
  return layout_ == Layout::kNull || (key_format_ != 0 && text_validity_.IsNull(KeyOf(row)));
}

std::string_view TextColumn::Text(size_t row) const {
  return View(text_offset_ + (key_format_ == 0 ? row : KeyOf(row)));
}

size_t TextColumn::KeyOf(size_t row) const {
  return static_cast<size_t>(IntegerAt(key_format_, keys_, key_offset_ + row));
}

std::string_view TextColumn::View(size_t position) const {
  if (layout_ == Layout::kOffsets32) {
    const auto begin = At<int32_t>(starts_, position);
    return {bytes_ + begin, static_cast<size_t>(At<int32_t>(starts_, position + 1) - begin)};
  }
  if (layout_ == Layout::kOffsets64) {
    const auto begin = At<int64_t>(starts_, position);
    return {bytes_ + begin, static_cast<size_t>(At<int64_t>(starts_, position + 1) - begin)};
  }
  const TextView& view = static_cast<const TextView*>(starts_)[position];
  const auto length = static_cast<size_t>(view.length);
  if (view.length > kInlineLength) return {blocks_[view.block] + view.begin, length};
  return {reinterpret_cast<const char*>(&view) + offsetof(TextView, prefix), length};
}

// --- Ids ---

std::string IdColumn::Read(const ArrowSchema& schema, const ArrowArray& array) {
  constexpr std::string_view kExpected = "lists of integers";
  size_ = static_cast<size_t>(array.length);
  if (IsStruct(schema)) {
    if (schema.n_children != 1) return NotOneField(schema);
    if (IsStruct(*schema.children[0])) return WrongType(kExpected, *schema.children[0]);
    ArrowArray field = *array.children[0];
    field.offset += array.offset;
    field.length = array.length;
    std::string problem = Read(*schema.children[0], field);
    struct_validity_ = Validity(array);
    return problem;
  }
  const std::string_view format = schema.format;
  constexpr std::string_view kFixed = "+w:";
  if (format.starts_with(kFixed)) {
    const std::string_view size = format.substr(kFixed.size());
    std::from_chars(size.data(), size.data() + size.size(), fixed_size_);
  } else if (format == "+l" || format == "+L") {
    is_large_ = format == "+L";
    ends_ = array.buffers[1];
  } else {
    return WrongType(kExpected, schema);
  }
  const ArrowSchema& item = *schema.children[0];
  if (!IsInteger(item.format) || item.dictionary != nullptr) {
    return WrongType(kExpected, item);
  }
  const ArrowArray& items = *array.children[0];
  offset_ = OffsetOf(array);
  validity_ = Validity(array);
  item_validity_ = Validity(items);
  item_format_ = item.format[0];
  items_ = items.buffers[1];
  item_offset_ = OffsetOf(items);
  return {};
}

size_t IdColumn::Begin(size_t row) const {
  if (ends_ == nullptr) return (offset_ + row) * fixed_size_;
  return static_cast<size_t>(is_large_ ? At<int64_t>(ends_, offset_ + row)
                                       : At<int32_t>(ends_, offset_ + row));
}

size_t IdColumn::End(size_t row) const {
  return ends_ == nullptr ? Begin(row) + fixed_size_ : Begin(row + 1);
}

bool IdColumn::HasNull(size_t row) const {
  if (!item_validity_.MayHoldNull()) return false;
  for (size_t i = Begin(row); i < End(row); ++i) {
    if (item_validity_.IsNull(i)) return true;
  }
  return false;
}

std::span<const int> IdColumn::Ids(size_t row, std::vector<int>* scratch) const {
  const size_t begin = item_offset_ + Begin(row);
  if (item_format_ == 'i') return {static_cast<const int*>(items_) + begin, Count(row)};
  scratch->clear();
  for (size_t i = begin; i < begin + Count(row); ++i) {
    const int64_t id = IntegerAt(item_format_, items_, i);
    scratch->push_back(id < INT_MIN || id > INT_MAX ? INT_MIN : static_cast<int>(id));
  }
  return *scratch;
}

}  // namespace spmlite
