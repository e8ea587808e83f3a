#include "decoding.h"

#include <algorithm>
#include <string>

#include "encoding.h"
#include "parallel.h"
#include "results.h"
#include "sentencepiece_extra.h"

namespace spmlite {

using sentencepiece::lite::StatusCode;

namespace {

// A thread takes this many rows at a time, so that its start is not felt.
constexpr size_t kShareRows = 256;

struct Decoded {
  std::string text;
  bool ok = false;
};

PyObject* MakeDecoded(const Decoded& decoded, bool as_bytes) {
  if (!decoded.ok) return SetInternalError("decode");
  return MakeText(decoded.text, as_bytes);
}

// `decode(row, &text)` for each row, over threads.
template <typename Decode>
PyObject* DecodeBatch(size_t rows, bool as_bytes, int threads, Decode decode) {
  std::vector<Decoded> results(rows);
  {
    const GilReleased released;
    const size_t shares = (rows + kShareRows - 1) / kShareRows;
    ForEach(shares, threads, [&](size_t share) {
      const size_t end = std::min(rows, (share + 1) * kShareRows);
      for (size_t row = share * kShareRows; row < end; ++row) {
        results[row].ok = decode(row, &results[row].text) == StatusCode::kOk;
      }
    });
  }
  return MakeList(rows, [&](size_t row) { return MakeDecoded(results[row], as_bytes); });
}

}  // namespace

bool CheckIds(const SentencePieceLiteProcessor& processor, std::span<const int> ids) {
  const auto size = static_cast<Py_ssize_t>(processor.vocab_size());
  const auto wrong = std::ranges::find_if(ids, [&](int id) { return id < 0 || id >= size; });
  if (wrong == ids.end()) return true;
  PyErr_Format(PyExc_IndexError, "id %d is out of range: this model has the ids 0 to %zd", *wrong,
               size - 1);
  return false;
}

PyObject* DecodeIds(const SentencePieceLiteProcessor& processor, std::span<const int> ids,
                    bool as_bytes) {
  if (!CheckIds(processor, ids)) return nullptr;
  Decoded decoded;
  {
    const GilReleased released;
    decoded.ok = processor.Decode(ids, &decoded.text) == StatusCode::kOk;
  }
  return MakeDecoded(decoded, as_bytes);
}

PyObject* DecodeIdsBatch(const SentencePieceLiteProcessor& processor, const IdRows& rows,
                         bool as_bytes, int threads) {
  if (!CheckIds(processor, rows.ids)) return nullptr;
  return DecodeBatch(rows.size(), as_bytes, threads, [&](size_t row, std::string* text) {
    return processor.Decode(rows.Row(row), text);
  });
}

PyObject* DecodePieces(const SentencePieceLiteProcessor& processor, const TextList& pieces,
                       bool as_bytes) {
  Decoded decoded;
  {
    const GilReleased released;
    decoded.ok = processor.DecodePieces(pieces.views(), &decoded.text) == StatusCode::kOk;
  }
  return MakeDecoded(decoded, as_bytes);
}

PyObject* DecodePiecesBatch(const SentencePieceLiteProcessor& processor,
                            const std::vector<TextList>& rows, bool as_bytes, int threads) {
  return DecodeBatch(rows.size(), as_bytes, threads, [&](size_t row, std::string* text) {
    return processor.DecodePieces(rows[row].views(), text);
  });
}

PyObject* DecodeSpans(const SentencePieceLiteProcessor& processor, std::span<const int> ids,
                      std::span<const std::string_view> pieces, int options) {
  std::string decoded;
  std::string text;
  std::vector<TokenSpan> spans;
  const StatusCode status =
      sentencepiece::lite::DecodeWithSpans(processor, ids, pieces, &decoded, &text, &spans);
  if (status != StatusCode::kOk) return SetInternalError("decode");
  CountSpans(decoded, options, &spans);
  const bool as_bytes = options & kAsBytes;
  const Reference text_object(MakeText(text, as_bytes));
  const Reference decoded_object(MakeText(decoded, as_bytes));
  const Reference id_list(MakeIdList(ids));
  const Reference piece_list(MakeTextList(pieces, as_bytes));
  const Reference span_list(MakeSpanList(spans));
  if (!text_object || !decoded_object || !id_list || !piece_list || !span_list) return nullptr;
  return PyTuple_Pack(5, text_object.get(), decoded_object.get(), id_list.get(), piece_list.get(),
                      span_list.get());
}

}  // namespace spmlite
