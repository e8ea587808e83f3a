#include "sampling.h"

#include <atomic>
#include <cmath>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "encoding.h"
#include "parallel.h"
#include "results.h"
#include "sentencepiece_extra.h"

namespace spmlite {

using sentencepiece::lite::kMaxNBestSize;
using sentencepiece::lite::OffsetUnit;
using sentencepiece::lite::Segmentation;
using sentencepiece::lite::StatusCode;
using sentencepiece::lite::UniformSampler;

namespace {

// ModelType of the schema.
enum ModelType : int { kUnigram = 1, kBpe = 2 };

// The process's one source of seeds: each text that is drawn has its own.
struct Seeds {
  std::mutex mutex;
  UniformSampler sampler{0};
};

Seeds& ProcessSeeds() {
  static Seeds seeds;
  return seeds;
}

std::vector<uint64_t> NextSeeds(size_t count) {
  Seeds& source = ProcessSeeds();
  const std::lock_guard lock(source.mutex);
  std::vector<uint64_t> seeds(count);
  for (uint64_t& seed : seeds) seed = sentencepiece::lite::DrawSeed(&source.sampler);
  return seeds;
}

struct Normalized {
  std::string text;
  std::vector<size_t> offsets;
};

bool NormalizeText(const SentencePieceLiteProcessor& processor, std::string_view text,
                   Normalized* normalized) {
  return processor.Normalize(text, &normalized->text, &normalized->offsets) == StatusCode::kOk;
}

Surfaces MakeSurfaces(const SentencePieceLiteProcessor& processor, std::string_view text,
                      const Normalized& normalized, Segmentation segmentation, Shape shape,
                      int options) {
  Surfaces surfaces;
  surfaces.ids = std::move(segmentation.ids);
  TakeUnknown(processor, segmentation.pieces, &surfaces);
  if (shape != Shape::kSpans) return surfaces;
  SentencePieceLiteProcessor::SpansOf(text, normalized.text, normalized.offsets,
                                      segmentation.pieces, OffsetUnit::kByte, &surfaces.spans);
  CountSpans(text, options, &surfaces.spans);
  return surfaces;
}

Surfaces SampleSurfaces(const SentencePieceLiteProcessor& processor, std::string_view text,
                        const Sampling& sampling, uint64_t seed, Shape shape, int options) {
  Normalized normalized;
  Segmentation segmentation;
  if (!NormalizeText(processor, text, &normalized) ||
      SampleEncodeNormalized(processor, normalized.text, sampling.nbest_size, sampling.alpha, seed,
                             &segmentation) != StatusCode::kOk) {
    return {.ids = {}, .spans = {}, .unknown = {}, .ok = false};
  }
  return MakeSurfaces(processor, text, normalized, std::move(segmentation), shape, options);
}

PyObject* MakeShape(const SentencePieceLiteProcessor& processor, const Surfaces& surfaces,
                    Shape shape, int options) {
  switch (shape) {
    case Shape::kIds:
      return MakeIds(processor, surfaces, options);
    case Shape::kPacked:
      return MakePackedIds(processor, surfaces, options);
    case Shape::kPieces:
      return MakePieces(processor, surfaces, options);
    case Shape::kSpans:
      return MakeSpans(processor, surfaces, options);
  }
  return PyErr_Format(PyExc_ValueError, "there is no shape %d", static_cast<int>(shape));
}

// Neighbouring chunks that together have at least `size` bytes.
std::vector<std::string_view> Chunks(const SentencePieceLiteProcessor& processor,
                                     std::string_view normalized, size_t size) {
  // Unigram adds scores up in float32 along a text: where it is cut, a tie
  // within rounding can fall otherwise.
  if (processor.model_type() == kUnigram) return {normalized};
  std::vector<std::string_view> chunks;
  size_t begin = 0;
  size_t end = 0;
  processor.PretokenizeAtSafeBoundaries(normalized, [&](std::string_view chunk) {
    end += chunk.size();
    if (end - begin < size && end < normalized.size()) return;
    chunks.push_back(normalized.substr(begin, end - begin));
    begin = end;
  });
  return chunks;
}

// A run of unknown characters is one piece, also where it was cut.
void Append(const Segmentation& part, int unk_id, Segmentation* whole) {
  const bool joins = !part.ids.empty() && !whole->ids.empty() && part.ids.front() == unk_id &&
                     whole->ids.back() == unk_id;
  if (joins) {
    std::string_view& run = whole->pieces.back();
    run = {run.data(), run.size() + part.pieces.front().size()};
  }
  whole->ids.insert(whole->ids.end(), part.ids.begin() + joins, part.ids.end());
  whole->pieces.insert(whole->pieces.end(), part.pieces.begin() + joins, part.pieces.end());
}

bool EncodeChunks(const SentencePieceLiteProcessor& processor, std::string_view normalized,
                  size_t chunk_size, int threads, Segmentation* whole) {
  const std::vector<std::string_view> chunks = Chunks(processor, normalized, chunk_size);
  std::vector<Segmentation> parts(chunks.size());
  std::atomic<bool> ok = true;
  ForEach(chunks.size(), threads, [&](size_t i) {
    if (processor.EncodeNormalized(chunks[i], &parts[i].ids, &parts[i].pieces) != StatusCode::kOk) {
      ok = false;
    }
  });
  for (const Segmentation& part : parts) Append(part, UnknownId(processor), whole);
  return ok;
}

bool CheckNBestSize(int size) {
  if (size <= kMaxNBestSize) return true;
  // RuntimeError, here and below, is what the oracle raises.
  PyErr_Format(PyExc_RuntimeError, "nbest_size is %d: %d at the most", size, kMaxNBestSize);
  return false;
}

}  // namespace

void SetSeed(uint64_t seed) {
  Seeds& source = ProcessSeeds();
  const std::lock_guard lock(source.mutex);
  source.sampler = UniformSampler(seed);
}

bool CheckSampling(const SentencePieceLiteProcessor& processor, const Sampling& sampling) {
  if (!(sampling.alpha >= 0) || !std::isfinite(sampling.alpha)) {
    PyErr_SetString(PyExc_RuntimeError, "alpha must be a number that is not below 0");
    return false;
  }
  if (!CheckNBestSize(sampling.nbest_size)) return false;
  if (processor.model_type() == kUnigram || processor.model_type() == kBpe) return true;
  PyErr_SetString(PyExc_RuntimeError,
                  "this model has one way to cut a text: Unigram and BPE models have several");
  return false;
}

PyObject* Sample(const SentencePieceLiteProcessor& processor, std::string_view text,
                 const Sampling& sampling, Shape shape, int options) {
  const uint64_t seed = NextSeeds(1).front();
  Surfaces surfaces;
  {
    const GilReleased released;
    surfaces = SampleSurfaces(processor, text, sampling, seed, shape, options);
  }
  return MakeShape(processor, surfaces, shape, options);
}

PyObject* SampleBatch(const SentencePieceLiteProcessor& processor, const TextList& texts,
                      const Sampling& sampling, Shape shape, int options, int threads) {
  const std::vector<uint64_t> seeds = NextSeeds(texts.size());
  const std::vector<Surfaces> results =
      EncodeSurfacesBatch(texts.views(), threads, [&](size_t i, Surfaces* surfaces) {
        *surfaces = SampleSurfaces(processor, texts.views()[i], sampling, seeds[i], shape, options);
        return surfaces->ok;
      });
  return MakeList(results.size(),
                  [&](size_t i) { return MakeShape(processor, results[i], shape, options); });
}

PyObject* NBest(const SentencePieceLiteProcessor& processor, std::string_view text, int size,
                Shape shape, int options) {
  if (!CheckNBestSize(size)) return nullptr;
  if (processor.model_type() != kUnigram) {
    PyErr_SetString(PyExc_RuntimeError, "n-best is for Unigram models alone");
    return nullptr;
  }
  Normalized normalized;
  std::vector<Segmentation> segmentations;
  bool ok;
  {
    const GilReleased released;
    ok = NormalizeText(processor, text, &normalized) &&
         NBestNormalized(processor, normalized.text, size, &segmentations) == StatusCode::kOk;
  }
  if (!ok) return SetInternalError("encode");
  const Reference scores(MakeList(
      segmentations.size(), [&](size_t i) { return PyFloat_FromDouble(segmentations[i].score); }));
  const Reference results(MakeList(segmentations.size(), [&](size_t i) {
    return MakeShape(
        processor,
        MakeSurfaces(processor, text, normalized, std::move(segmentations[i]), shape, options),
        shape, options);
  }));
  if (!scores || !results) return nullptr;
  return PyTuple_Pack(2, results.get(), scores.get());
}

PyObject* EncodeParallel(const SentencePieceLiteProcessor& processor, std::string_view text,
                         Shape shape, int options, int threads, size_t chunk_size) {
  Surfaces surfaces;
  {
    const GilReleased released;
    Normalized normalized;
    Segmentation segmentation;
    const bool ok = NormalizeText(processor, text, &normalized) &&
                    EncodeChunks(processor, normalized.text, chunk_size, threads, &segmentation);
    surfaces = MakeSurfaces(processor, text, normalized, std::move(segmentation), shape, options);
    surfaces.ok = ok;
  }
  return MakeShape(processor, surfaces, shape, options);
}

}  // namespace spmlite
