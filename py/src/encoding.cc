#include "encoding.h"

#include <algorithm>
#include <cstdint>
#include <span>

#include "characters.h"
#include "parallel.h"
#include "results.h"
#include "sentencepiece_extra.h"
#include "token_caches.h"

namespace spmlite {

using sentencepiece::lite::CachedSentencePieceLite;
using sentencepiece::lite::FunctionRef;
using sentencepiece::lite::OffsetUnit;
using sentencepiece::lite::StatusCode;

namespace {

// Letting go of the GIL costs about as much as encoding some words.
constexpr size_t kWorthReleasing = 512;

// A thread takes this much text at a time, so that its start is not felt.
constexpr size_t kShareBytes = 64 * 1024;

// Neighbouring texts, encoded by one thread.
struct Share {
  size_t begin;
  size_t end;
};

std::vector<Share> ShareOut(std::span<const std::string_view> texts) {
  std::vector<Share> shares;
  size_t begin = 0;
  size_t bytes = 0;
  for (size_t i = 0; i < texts.size(); ++i) {
    bytes += texts[i].size() + 16;  // empty texts take time as well
    if (bytes >= kShareBytes || i + 1 == texts.size()) {
      shares.push_back({begin, i + 1});
      begin = i + 1;
      bytes = 0;
    }
  }
  return shares;
}

bool EncodeText(const SentencePieceLiteProcessor& processor, const TokenCaches::Borrowed& cache,
                std::string_view text, std::vector<int>* ids) {
  return CachedSentencePieceLite::Encode(processor, *cache, text, ids) == StatusCode::kOk;
}

bool EncodeText(const SentencePieceLiteProcessor& processor, std::string_view text,
                std::vector<int>* ids) {
  return EncodeText(processor, TokenCaches::Borrowed(TokenCaches::OfProcess()), text, ids);
}

// Runs `encode` where it is worth it without the GIL.
template <typename Encode>
bool EncodeOne(std::string_view text, Encode encode) {
  if (text.size() < kWorthReleasing) return encode();
  const GilReleased released;
  return encode();
}

void Frame(const SentencePieceLiteProcessor& processor, int options, std::vector<int>* ids) {
  if (options & kReverse) std::ranges::reverse(*ids);
  if (options & kAddBos) ids->insert(ids->begin(), processor.bos_id());
  if (options & kAddEos) ids->push_back(processor.eos_id());
}

// The ids of some texts. A list of shares is the result of a batch.
struct IdShare {
  IdRows rows;
  bool ok = true;
};

std::vector<IdShare> EncodeShares(const SentencePieceLiteProcessor& processor,
                                  std::span<const std::string_view> texts, int options,
                                  int threads) {
  const GilReleased released;
  const std::vector<Share> shares = ShareOut(texts);
  std::vector<IdShare> results(shares.size());
  ForEach(shares.size(), threads, [&](size_t s) {
    IdShare& result = results[s];
    const TokenCaches::Borrowed cache(TokenCaches::OfProcess());
    std::vector<int> ids;
    for (size_t i = shares[s].begin; i < shares[s].end && result.ok; ++i) {
      result.ok = EncodeText(processor, cache, texts[i], &ids);
      Frame(processor, options, &ids);
      result.rows.ids.insert(result.rows.ids.end(), ids.begin(), ids.end());
      result.rows.EndRow();
    }
  });
  return results;
}

bool AllOk(const std::vector<IdShare>& shares) { return std::ranges::all_of(shares, &IdShare::ok); }

std::vector<std::span<const int>> RowsOf(const std::vector<IdShare>& shares) {
  std::vector<std::span<const int>> rows;
  for (const IdShare& share : shares) {
    for (size_t i = 0; i < share.rows.size(); ++i) {
      rows.push_back(share.rows.Row(i));
    }
  }
  return rows;
}

// Unknown pieces show the normalized text that they stand for.
bool FindUnknown(const SentencePieceLiteProcessor& processor, std::string_view text,
                 Surfaces* surfaces) {
  if (std::ranges::find(surfaces->ids, UnknownId(processor)) == surfaces->ids.end()) {
    return true;
  }
  std::string normalized;
  std::vector<int> ids;
  std::vector<std::string_view> pieces;
  if (processor.Normalize(text, &normalized) != StatusCode::kOk ||
      processor.EncodeNormalized(normalized, &ids, &pieces) != StatusCode::kOk) {
    return false;
  }
  if (ids != surfaces->ids) return false;
  TakeUnknown(processor, pieces, surfaces);
  return true;
}

bool EncodeSurfaces(const SentencePieceLiteProcessor& processor, std::string_view text,
                    Surfaces* surfaces) {
  return EncodeText(processor, text, &surfaces->ids) && FindUnknown(processor, text, surfaces);
}

bool EncodeSurfacesWithSpans(const SentencePieceLiteProcessor& processor, std::string_view text,
                             int options, Surfaces* surfaces) {
  const TokenCaches::Borrowed cache(TokenCaches::OfProcess());
  if (EncodeWithSpans(processor, *cache, text, OffsetUnit::kByte, &surfaces->ids,
                      &surfaces->spans) != StatusCode::kOk) {
    return false;
  }
  CountSpans(text, options, &surfaces->spans);
  return FindUnknown(processor, text, surfaces);
}

std::vector<std::string_view> PieceViews(const SentencePieceLiteProcessor& processor,
                                         const Surfaces& surfaces) {
  std::vector<std::string_view> views;
  views.reserve(surfaces.ids.size() + 2);
  auto unknown = surfaces.unknown.begin();
  for (const int id : surfaces.ids) {
    views.push_back(id == UnknownId(processor) ? std::string_view(*unknown++)
                                               : processor.IdToPiece(id));
  }
  return views;
}

void FramePieces(const SentencePieceLiteProcessor& processor, int options,
                 std::vector<std::string_view>* pieces) {
  if (options & kEmitUnknownPiece) {
    const int unk_id = UnknownId(processor);
    for (std::string_view& piece : *pieces) {
      if (processor.PieceToId(piece) == unk_id) {
        piece = processor.IdToPiece(unk_id);
      }
    }
  }
  if (options & kReverse) std::ranges::reverse(*pieces);
  if (options & kAddBos) {
    pieces->insert(pieces->begin(), processor.IdToPiece(processor.bos_id()));
  }
  if (options & kAddEos) {
    pieces->push_back(processor.IdToPiece(processor.eos_id()));
  }
}

template <typename Number>
PyObject* MakePacked(std::span<const Number> numbers) {
  return PyBytes_FromStringAndSize(reinterpret_cast<const char*>(numbers.data()),
                                   static_cast<Py_ssize_t>(numbers.size_bytes()));
}

// The ids of all shares, `count` in all, copied once.
PyObject* PackShares(const std::vector<IdShare>& shares, int64_t count) {
  PyObject* packed =
      PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(count * sizeof(int)));
  if (packed == nullptr) return nullptr;
  char* end = PyBytes_AsString(packed);
  for (const IdShare& share : shares) {
    const auto bytes = std::as_bytes(std::span(share.rows.ids));
    end = std::ranges::copy_n(reinterpret_cast<const char*>(bytes.data()),
                              static_cast<std::ptrdiff_t>(bytes.size()), end)
              .out;
  }
  return packed;
}

}  // namespace

void TakeUnknown(const SentencePieceLiteProcessor& processor,
                 std::span<const std::string_view> pieces, Surfaces* surfaces) {
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (surfaces->ids[i] == UnknownId(processor)) surfaces->unknown.emplace_back(pieces[i]);
  }
}

void CountSpans(std::string_view text, int options, std::vector<TokenSpan>* spans) {
  if (options & kOffsetsInBytes) return;
  const std::vector<uint32_t> places =
      options & kOffsetsInUtf16 ? Utf16UnitOfByte(text) : CharacterOfByte(text);
  for (TokenSpan& span : *spans) span = {places[span.begin], places[span.end]};
}

std::vector<Surfaces> EncodeSurfacesBatch(std::span<const std::string_view> texts, int threads,
                                          FunctionRef<bool(size_t, Surfaces*)> encode) {
  const GilReleased released;
  const std::vector<Share> shares = ShareOut(texts);
  std::vector<Surfaces> results(texts.size());
  ForEach(shares.size(), threads, [&](size_t s) {
    for (size_t i = shares[s].begin; i < shares[s].end; ++i) {
      results[i].ok = encode(i, &results[i]);
    }
  });
  return results;
}

PyObject* MakeIds(const SentencePieceLiteProcessor& processor, const Surfaces& surfaces,
                  int options) {
  if (!surfaces.ok) return SetInternalError("encode");
  std::vector<int> ids = surfaces.ids;
  Frame(processor, options, &ids);
  return MakeIdList(ids);
}

PyObject* MakePackedIds(const SentencePieceLiteProcessor& processor, const Surfaces& surfaces,
                        int options) {
  if (!surfaces.ok) return SetInternalError("encode");
  std::vector<int> ids = surfaces.ids;
  Frame(processor, options, &ids);
  return MakePacked<int>(ids);
}

PyObject* MakePieces(const SentencePieceLiteProcessor& processor, const Surfaces& surfaces,
                     int options) {
  if (!surfaces.ok) return SetInternalError("encode");
  std::vector<std::string_view> pieces = PieceViews(processor, surfaces);
  FramePieces(processor, options, &pieces);
  return MakeTextList(pieces, options & kAsBytes);
}

PyObject* MakeSpans(const SentencePieceLiteProcessor& processor, const Surfaces& surfaces,
                    int options) {
  if (!surfaces.ok) return SetInternalError("encode");
  Reference ids(MakeIdList(surfaces.ids));
  Reference pieces(MakeTextList(PieceViews(processor, surfaces), options & kAsBytes));
  Reference spans(MakeSpanList(surfaces.spans));
  if (!ids || !pieces || !spans) return nullptr;
  return PyTuple_Pack(3, ids.get(), pieces.get(), spans.get());
}

bool CheckOptions(const SentencePieceLiteProcessor& processor, int options) {
  const char* missing = nullptr;
  if ((options & kAddBos) && processor.bos_id() < 0) missing = "bos";
  if ((options & kAddEos) && processor.eos_id() < 0) missing = "eos";
  if ((options & kEmitUnknownPiece) && processor.unk_id() < 0) missing = "unk";
  if (missing == nullptr) return true;
  PyErr_Format(PyExc_ValueError, "this model has no %s piece", missing);
  return false;
}

PyObject* EncodeIds(const SentencePieceLiteProcessor& processor, std::string_view text,
                    int options) {
  std::vector<int> ids;
  const bool ok = EncodeOne(text, [&] { return EncodeText(processor, text, &ids); });
  if (!ok) return SetInternalError("encode");
  Frame(processor, options, &ids);
  return MakeIdList(ids);
}

PyObject* EncodeIdsBatch(const SentencePieceLiteProcessor& processor, const TextList& texts,
                         int options, int threads) {
  const std::vector<IdShare> shares = EncodeShares(processor, texts.views(), options, threads);
  if (!AllOk(shares)) return SetInternalError("encode");
  const std::vector<std::span<const int>> rows = RowsOf(shares);
  return MakeList(rows.size(), [&](size_t i) { return MakeIdList(rows[i]); });
}

PyObject* EncodePacked(const SentencePieceLiteProcessor& processor, std::string_view text,
                       int options) {
  std::vector<int> ids;
  const bool ok = EncodeOne(text, [&] { return EncodeText(processor, text, &ids); });
  if (!ok) return SetInternalError("encode");
  Frame(processor, options, &ids);
  return MakePacked<int>(ids);
}

PyObject* EncodePackedBatch(const SentencePieceLiteProcessor& processor, const TextList& texts,
                            int options, int threads) {
  const std::vector<IdShare> shares = EncodeShares(processor, texts.views(), options, threads);
  if (!AllOk(shares)) return SetInternalError("encode");
  std::vector<int64_t> ends;
  int64_t count = 0;
  for (const std::span<const int> row : RowsOf(shares)) {
    count += static_cast<int64_t>(row.size());
    ends.push_back(count);
  }
  const Reference packed_ids(PackShares(shares, count));
  const Reference packed_ends(MakePacked<int64_t>(ends));
  if (!packed_ids || !packed_ends) return nullptr;
  return PyTuple_Pack(2, packed_ids.get(), packed_ends.get());
}

PyObject* EncodePieces(const SentencePieceLiteProcessor& processor, std::string_view text,
                       int options) {
  Surfaces surfaces;
  surfaces.ok = EncodeOne(text, [&] { return EncodeSurfaces(processor, text, &surfaces); });
  return MakePieces(processor, surfaces, options);
}

PyObject* EncodePiecesBatch(const SentencePieceLiteProcessor& processor, const TextList& texts,
                            int options, int threads) {
  const std::vector<Surfaces> results =
      EncodeSurfacesBatch(texts.views(), threads, [&](size_t i, Surfaces* surfaces) {
        return EncodeSurfaces(processor, texts.views()[i], surfaces);
      });
  return MakeList(results.size(),
                  [&](size_t i) { return MakePieces(processor, results[i], options); });
}

PyObject* EncodeSpans(const SentencePieceLiteProcessor& processor, std::string_view text,
                      int options) {
  Surfaces surfaces;
  surfaces.ok =
      EncodeOne(text, [&] { return EncodeSurfacesWithSpans(processor, text, options, &surfaces); });
  return MakeSpans(processor, surfaces, options);
}

PyObject* EncodeSpansBatch(const SentencePieceLiteProcessor& processor, const TextList& texts,
                           int options, int threads) {
  const std::vector<Surfaces> results =
      EncodeSurfacesBatch(texts.views(), threads, [&](size_t i, Surfaces* surfaces) {
        return EncodeSurfacesWithSpans(processor, texts.views()[i], options, surfaces);
      });
  return MakeList(results.size(),
                  [&](size_t i) { return MakeSpans(processor, results[i], options); });
}

}  // namespace spmlite
