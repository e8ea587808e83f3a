#include "arrow_conversion.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "arrow_input.h"
#include "encoding.h"
#include "ordered_shares.h"
#include "token_caches.h"

namespace spmlite {
namespace {

using sentencepiece::lite::CachedSentencePieceLite;
using sentencepiece::lite::StatusCode;

// A thread takes this much of the input at a time, so that its start is not felt.
constexpr size_t kShareBytes = 64 * 1024;
// What an empty row counts for.
constexpr size_t kRowBytes = 16;

std::string Named(size_t row, std::string_view what) {
  return "row " + std::to_string(row) + ": " + std::string(what);
}

Problem NoMemory() { return {Problem::Kind::kMemory, "no memory for the converted column"}; }

template <typename Value>
Problem Finish(ColumnBuilder<Value>* builder, std::shared_ptr<ArrowColumn>* column) {
  if (!builder->Finish()) return NoMemory();
  *column = builder->column();
  return {};
}

// --- Texts to ids ---

// A conversion has: its input column, the values it makes, a converter for each share, and
// what it says of a row that could not be converted.
class Encoding {
 public:
  using Column = TextColumn;
  using Value = int32_t;

  Encoding(const SentencePieceLiteProcessor& processor, const Column& column, int framing)
      : processor_(processor), column_(column), framing_(framing) {}

  size_t Bytes(size_t row) const { return column_.Text(row).size(); }

  class Converter {
   public:
    explicit Converter(const Encoding& encoding)
        : encoding_(encoding), cache_(TokenCaches::OfProcess()) {}

    bool Convert(size_t row, Rows<Value>* rows) {
      const SentencePieceLiteProcessor& processor = encoding_.processor_;
      const std::string_view text = encoding_.column_.Text(row);
      if (CachedSentencePieceLite::Encode(processor, *cache_, text, &ids_) != StatusCode::kOk) {
        return false;
      }
      const int framing = encoding_.framing_;
      if (framing & kReverse) std::ranges::reverse(ids_);
      if (framing & kAddBos) ids_.insert(ids_.begin(), processor.bos_id());
      if (framing & kAddEos) ids_.push_back(processor.eos_id());
      rows->Append(ids_);
      return true;
    }

   private:
    const Encoding& encoding_;
    TokenCaches::Borrowed cache_;
    std::vector<int> ids_;
  };

  Problem Explain(size_t row, size_t shown_row) const {
    const std::string size = std::to_string(Bytes(row));
    return {Problem::Kind::kValue,
            Named(shown_row, "the text of " + size +
                                 " bytes cannot be encoded: before or after normalizing it is "
                                 "longer than 2 GiB; split it")};
  }

 private:
  const SentencePieceLiteProcessor& processor_;
  const Column& column_;
  const int framing_;
};

// --- Ids to texts ---

class Decoding {
 public:
  using Column = IdColumn;
  using Value = char;

  Decoding(const SentencePieceLiteProcessor& processor, const Column& column, int /*framing*/)
      : processor_(processor), column_(column) {}

  size_t Bytes(size_t row) const { return column_.Count(row) * sizeof(int); }

  class Converter {
   public:
    explicit Converter(const Decoding& decoding) : decoding_(decoding) {}

    bool Convert(size_t row, Rows<Value>* rows) {
      const IdColumn& column = decoding_.column_;
      if (column.HasNull(row)) return false;
      const std::span<const int> ids = column.Ids(row, &ids_);
      if (decoding_.processor_.Decode(ids, &text_) != StatusCode::kOk) return false;
      rows->Append(text_);
      return true;
    }

   private:
    const Decoding& decoding_;
    std::vector<int> ids_;
    std::string text_;
  };

  Problem Explain(size_t row, size_t shown_row) const {
    if (column_.HasNull(row)) {
      return {Problem::Kind::kValue, Named(shown_row, "one of its ids is null")};
    }
    const int size = static_cast<int>(processor_.vocab_size());
    std::vector<int> scratch;
    for (const int id : column_.Ids(row, &scratch)) {
      if (id >= 0 && id < size) continue;
      return {Problem::Kind::kIndex,
              Named(shown_row, "id " + std::to_string(id) + " is out of range: this model has " +
                                   "the ids 0 to " + std::to_string(size - 1))};
    }
    return {Problem::Kind::kValue, Named(shown_row, "its text would be longer than 2 GiB")};
  }

 private:
  const SentencePieceLiteProcessor& processor_;
  const Column& column_;
};

// --- Both ---

// Neighbouring rows, converted by one thread.
struct Share {
  size_t begin;
  size_t end;
};

template <typename Conversion>
class ColumnConversion {
 public:
  using Column = typename Conversion::Column;
  using Value = typename Conversion::Value;

  ColumnConversion(const Conversion& conversion, const Column& column,
                   const ConversionOptions& options)
      : conversion_(conversion),
        column_(column),
        threads_(options.threads),
        builder_(column.size(), options.max_end) {}

  Problem Run(size_t first_row, std::shared_ptr<ArrowColumn>* result) {
    const auto is_null = [this](size_t row) { return column_.IsNull(row); };
    if (column_.MayHoldNull() && !builder_.MarkNulls(is_null)) return NoMemory();
    const std::vector<Share> shares = ShareOut();
    const auto make = [&](size_t share, Rows<Value>* rows) { Convert(shares[share], rows); };
    const auto take = [this](const Rows<Value>& rows) {
      has_memory_ = has_memory_ && builder_.Append(rows);
    };
    OrderedShares<Rows<Value>, decltype(make), decltype(take)>(shares.size(), threads_, make, take)
        .Run();
    const size_t failed = failed_row_;
    if (failed != kNone) return conversion_.Explain(failed, first_row + failed);
    return has_memory_ ? Finish(&builder_, result) : NoMemory();
  }

 private:
  static constexpr size_t kNone = std::numeric_limits<size_t>::max();

  std::vector<Share> ShareOut() const {
    std::vector<Share> shares;
    size_t begin = 0;
    size_t bytes = 0;
    for (size_t row = 0; row < column_.size(); ++row) {
      bytes += kRowBytes + (column_.IsNull(row) ? 0 : conversion_.Bytes(row));
      if (bytes < kShareBytes && row + 1 < column_.size()) continue;
      shares.push_back({begin, row + 1});
      begin = row + 1;
      bytes = 0;
    }
    return shares;
  }

  // After a failure the rows that follow are left out.
  void Convert(const Share& share, Rows<Value>* rows) {
    rows->Clear();
    if (share.begin > failed_row_) return;
    typename Conversion::Converter converter(conversion_);
    for (size_t row = share.begin; row < share.end; ++row) {
      if (column_.IsNull(row)) {
        rows->Append({});
      } else if (!converter.Convert(row, rows)) {
        return Fail(row);
      }
    }
  }

  // The first row of all that fail is the one to be named.
  void Fail(size_t row) {
    size_t known = failed_row_;
    while (row < known && !failed_row_.compare_exchange_weak(known, row)) {
    }
  }

  const Conversion& conversion_;
  const Column& column_;
  const int threads_;
  ColumnBuilder<Value> builder_;
  bool has_memory_ = true;
  std::atomic<size_t> failed_row_ = kNone;
};

template <typename Conversion>
Problem ConvertBy(const SentencePieceLiteProcessor& processor, const ArrowSchema& schema,
                  const ArrowArray& array, const ConversionOptions& options, size_t first_row,
                  std::shared_ptr<ArrowColumn>* result) {
  typename Conversion::Column column;
  std::string problem = column.Read(schema, array);
  if (!problem.empty()) return {Problem::Kind::kType, std::move(problem)};
  const Conversion conversion(processor, column, options.framing);
  return ColumnConversion<Conversion>(conversion, column, options).Run(first_row, result);
}

}  // namespace

Problem Convert(const SentencePieceLiteProcessor& processor, const ArrowSchema& schema,
                const ArrowArray& array, const ConversionOptions& options, size_t first_row,
                std::shared_ptr<ArrowColumn>* column) {
  return options.to == RowKind::kIds
             ? ConvertBy<Encoding>(processor, schema, array, options, first_row, column)
             : ConvertBy<Decoding>(processor, schema, array, options, first_row, column);
}

Problem ConvertNothing(const ConversionOptions& options, std::shared_ptr<ArrowColumn>* column) {
  if (options.to == RowKind::kIds) {
    ColumnBuilder<int32_t> builder(0, options.max_end);
    return Finish(&builder, column);
  }
  ColumnBuilder<char> builder(0, options.max_end);
  return Finish(&builder, column);
}

}  // namespace spmlite
