#include "arrow_output.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <type_traits>

namespace spmlite {

// --- Memory ---

Memory& Memory::operator=(Memory&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(capacity_, other.capacity_);
  return *this;
}

Memory::~Memory() { std::free(data_); }

bool Memory::Reserve(size_t bytes) {
  if (bytes <= capacity_) return true;
  const size_t capacity = std::max(bytes, capacity_ + capacity_ / 2);
  void* data = std::realloc(data_, capacity);
  if (data == nullptr) return false;
  data_ = data;
  capacity_ = capacity;
  return true;
}

void Memory::ShrinkTo(size_t bytes) {
  if (bytes == 0 || bytes >= capacity_) return;
  void* data = std::realloc(data_, bytes);
  if (data == nullptr) return;
  data_ = data;
  capacity_ = bytes;
}

// --- Making columns ---

bool ArrowColumn::Widen(size_t rows) {
  if (!ends.Reserve((size + 1) * sizeof(int64_t))) return false;
  // From the last: the wide ones lie over the narrow ones that follow.
  const auto* narrow = ends.As<int32_t>();
  auto* wide = ends.As<int64_t>();
  for (size_t i = rows + 1; i-- > 0;) {
    int32_t end;
    std::memcpy(&end, narrow + i, sizeof(end));
    const int64_t widened = end;
    std::memcpy(wide + i, &widened, sizeof(widened));
  }
  is_large = true;
  return true;
}

template <typename Value>
ColumnBuilder<Value>::ColumnBuilder(size_t size, int64_t max_end)
    : column_(std::make_shared<ArrowColumn>()), max_end_(max_end) {
  column_->kind = std::is_same_v<Value, char> ? RowKind::kText : RowKind::kIds;
  column_->size = size;
}

template <typename Value>
bool ColumnBuilder<Value>::Append(const Rows<Value>& rows) {
  ArrowColumn& column = *column_;
  if (!AppendEnds(rows.counts)) return false;
  if (!column.values.Reserve(count_ * sizeof(Value))) return false;
  if (!rows.values.empty()) {
    std::memcpy(column.values.template As<Value>() + (count_ - rows.values.size()),
                rows.values.data(), rows.values.size() * sizeof(Value));
  }
  return true;
}

template <typename Value>
bool ColumnBuilder<Value>::AppendEnds(std::span<const size_t> counts) {
  ArrowColumn& column = *column_;
  if (added_ == 0) {
    const size_t bytes = (column.size + 1) * sizeof(int32_t);
    if (!column.ends.Reserve(bytes)) return false;
    std::memset(column.ends.template As<char>(), 0, sizeof(int32_t));
  }
  size_t count = count_;
  for (const size_t added : counts) count += added;
  const bool fits = static_cast<int64_t>(count) <= max_end_;
  if (!fits && !column.is_large && !column.Widen(added_)) return false;
  for (const size_t added : counts) {
    count_ += added;
    ++added_;
    if (column.is_large) {
      column.ends.template As<int64_t>()[added_] = static_cast<int64_t>(count_);
    } else {
      column.ends.template As<int32_t>()[added_] = static_cast<int32_t>(count_);
    }
  }
  return true;
}

template <typename Value>
bool ColumnBuilder<Value>::Finish() {
  // A buffer is there even where nothing is in it.
  if (!AppendEnds({}) || !column_->values.Reserve(1)) return false;
  column_->values.ShrinkTo(count_ * sizeof(Value));
  return true;
}

template class ColumnBuilder<int32_t>;
template class ColumnBuilder<char>;

// --- Showing them ---

namespace {

const char* FormatOf(const ArrowColumn& column) {
  if (column.kind == RowKind::kIds) return column.is_large ? "+L" : "+l";
  return column.is_large ? "U" : "u";
}

struct ExportedSchema {
  ArrowSchema item;
  ArrowSchema* children[1];
};

ArrowSchema MakeSchema(const char* format, const char* name) {
  ArrowSchema schema{};
  schema.format = format;
  schema.name = name;
  schema.flags = kArrowNullable;
  // All its strings last as long as the process.
  schema.release = [](ArrowSchema* self) { self->release = nullptr; };
  return schema;
}

void ReleaseSchema(ArrowSchema* schema) {
  auto* exported = static_cast<ExportedSchema*>(schema->private_data);
  if (exported->item.release != nullptr) exported->item.release(&exported->item);
  delete exported;
  schema->release = nullptr;
}

struct ExportedArray {
  std::shared_ptr<const ArrowColumn> column;
  const void* buffers[3];
  ArrowArray items;
  ArrowArray* children[1];
};

void ReleaseArray(ArrowArray* array) {
  auto* exported = static_cast<ExportedArray*>(array->private_data);
  // A receiver may have moved the items away, and keeps the memory alive by them.
  if (exported->items.release != nullptr) exported->items.release(&exported->items);
  delete exported;
  array->release = nullptr;
}

ArrowArray MakeArray(ExportedArray* exported, size_t length, size_t null_count, int64_t buffers) {
  ArrowArray array{};
  array.length = static_cast<int64_t>(length);
  array.null_count = static_cast<int64_t>(null_count);
  array.n_buffers = buffers;
  array.buffers = exported->buffers;
  array.release = ReleaseArray;
  array.private_data = exported;
  return array;
}

size_t ValueCount(const ArrowColumn& column) {
  return static_cast<size_t>(column.is_large ? column.ends.As<int64_t>()[column.size]
                                             : column.ends.As<int32_t>()[column.size]);
}

ArrowArray MakeItems(const std::shared_ptr<const ArrowColumn>& column) {
  auto* exported = new ExportedArray{column, {nullptr, column->values.As<void>()}, {}, {}};
  return MakeArray(exported, ValueCount(*column), 0, 2);
}

struct ExportedStream {
  ArrowChunks chunks;
  size_t next = 0;
};

}  // namespace

void ExportSchema(const ArrowColumn& column, ArrowSchema* schema) {
  *schema = MakeSchema(FormatOf(column), "");
  if (column.kind == RowKind::kText) return;
  auto* exported = new ExportedSchema{MakeSchema("i", "item"), {}};
  exported->children[0] = &exported->item;
  schema->n_children = 1;
  schema->children = exported->children;
  schema->release = ReleaseSchema;
  schema->private_data = exported;
}

void ExportArray(const std::shared_ptr<const ArrowColumn>& column, ArrowArray* array) {
  const void* validity = column->validity.As<void>();
  const void* ends = column->ends.As<void>();
  auto* exported = new ExportedArray{column, {validity, ends, column->values.As<void>()}, {}, {}};
  if (column->kind == RowKind::kText) {
    *array = MakeArray(exported, column->size, column->null_count, 3);
    return;
  }
  *array = MakeArray(exported, column->size, column->null_count, 2);
  exported->items = MakeItems(column);
  exported->children[0] = &exported->items;
  array->n_children = 1;
  array->children = exported->children;
}

void ExportStream(const ArrowChunks& chunks, ArrowArrayStream* stream) {
  stream->get_schema = [](ArrowArrayStream* self, ArrowSchema* schema) {
    ExportSchema(*static_cast<ExportedStream*>(self->private_data)->chunks.front(), schema);
    return 0;
  };
  stream->get_next = [](ArrowArrayStream* self, ArrowArray* array) {
    auto* exported = static_cast<ExportedStream*>(self->private_data);
    *array = ArrowArray{};  // one that is released marks the end
    if (exported->next < exported->chunks.size()) {
      ExportArray(exported->chunks[exported->next++], array);
    }
    return 0;
  };
  stream->get_last_error = [](ArrowArrayStream*) -> const char* { return nullptr; };
  stream->release = [](ArrowArrayStream* self) {
    delete static_cast<ExportedStream*>(self->private_data);
    self->release = nullptr;
  };
  stream->private_data = new ExportedStream{chunks};
}

}  // namespace spmlite
