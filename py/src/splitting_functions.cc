#include "splitting_functions.h"

#include <algorithm>
#include <climits>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "arguments.h"
#include "parallel.h"
#include "processor_type.h"
#include "results.h"
#include "splitting.h"
#include "token_caches.h"

namespace spmlite {
namespace {

using sentencepiece::lite::CachedSentencePieceLite;
using sentencepiece::lite::OffsetUnit;
using sentencepiece::lite::SentencePieceLiteProcessor;
using sentencepiece::lite::StatusCode;
using sentencepiece::lite::TextPart;

// A thread takes so many texts at a time.
constexpr size_t kShare = 64;

// Reads the processor and the numbers that follow the text. Null with a Python error.
const SentencePieceLiteProcessor* ReadProcessor(PyObject* module, PyObject* const* arguments,
                                                Py_ssize_t count, std::vector<long>* numbers) {
  if (count != static_cast<Py_ssize_t>(numbers->size()) + 2) {
    PyErr_Format(PyExc_TypeError, "expected %zu arguments, got %zd", numbers->size() + 2, count);
    return nullptr;
  }
  for (size_t i = 0; i < numbers->size(); ++i) {
    (*numbers)[i] = PyLong_AsLong(arguments[i + 2]);
    if ((*numbers)[i] == -1 && PyErr_Occurred()) return nullptr;
  }
  const SentencePieceLiteProcessor* processor = CoreOf(module, arguments[0]);
  return processor != nullptr && CheckLoaded(*processor) ? processor : nullptr;
}

// How many ids each text has; -1 for one that fails.
std::vector<Py_ssize_t> Count(const SentencePieceLiteProcessor& processor,
                              std::span<const std::string_view> texts, int threads) {
  std::vector<Py_ssize_t> counts(texts.size(), -1);
  const GilReleased released;
  ForEach((texts.size() + kShare - 1) / kShare, threads, [&](size_t share) {
    const TokenCaches::Borrowed cache(TokenCaches::OfProcess());
    std::vector<int> ids;
    const size_t end = std::min(texts.size(), (share + 1) * kShare);
    for (size_t i = share * kShare; i < end; ++i) {
      const StatusCode code = CachedSentencePieceLite::Encode(processor, *cache, texts[i], &ids);
      if (code == StatusCode::kOk) counts[i] = static_cast<Py_ssize_t>(ids.size());
    }
  });
  return counts;
}

PyObject* MakeCount(Py_ssize_t count) {
  return count < 0 ? SetInternalError("encode") : PyLong_FromSsize_t(count);
}

PyObject* CountOne(PyObject* module, PyObject* const* arguments, Py_ssize_t count) {
  std::vector<long> numbers;
  Text text;
  const auto* processor = ReadProcessor(module, arguments, count, &numbers);
  if (processor == nullptr || !ReadText(arguments[1], &text)) return nullptr;
  return MakeCount(Count(*processor, {&text.utf8, 1}, 1)[0]);
}

PyObject* CountBatch(PyObject* module, PyObject* const* arguments, Py_ssize_t count) {
  std::vector<long> numbers(1);
  TextList texts;
  const auto* processor = ReadProcessor(module, arguments, count, &numbers);
  if (processor == nullptr || !texts.Read(arguments[1])) return nullptr;
  const int threads = static_cast<int>(std::clamp<long>(numbers[0], INT_MIN, INT_MAX));
  const auto counts = Count(*processor, texts.views(), ThreadCount(threads));
  return MakeList(counts.size(), [&](size_t i) { return MakeCount(counts[i]); });
}

OffsetUnit UnitOf(const Text& text) {
  return text.is_bytes ? OffsetUnit::kByte : OffsetUnit::kCharacter;
}

PyObject* MakePart(const TextPart& part) {
  return Py_BuildValue("(nnn)", static_cast<Py_ssize_t>(part.span.begin),
                       static_cast<Py_ssize_t>(part.span.end),
                       static_cast<Py_ssize_t>(part.token_count));
}

PyObject* TruncateText(PyObject* module, PyObject* const* arguments, Py_ssize_t count) {
  std::vector<long> numbers(1);
  Text text;
  const auto* processor = ReadProcessor(module, arguments, count, &numbers);
  if (processor == nullptr || !ReadText(arguments[1], &text)) return nullptr;
  TextPart part;
  StatusCode code;
  {
    const GilReleased released;
    const TokenCaches::Borrowed cache(TokenCaches::OfProcess());
    code = Truncate(*processor, *cache, text.utf8, static_cast<size_t>(numbers[0]), UnitOf(text),
                    &part);
  }
  return code == StatusCode::kOk ? MakePart(part) : SetInternalError("truncate");
}

PyObject* SplitText(PyObject* module, PyObject* const* arguments, Py_ssize_t count) {
  std::vector<long> numbers(2);
  Text text;
  const auto* processor = ReadProcessor(module, arguments, count, &numbers);
  if (processor == nullptr || !ReadText(arguments[1], &text)) return nullptr;
  std::vector<TextPart> parts;
  StatusCode code;
  {
    const GilReleased released;
    const TokenCaches::Borrowed cache(TokenCaches::OfProcess());
    code = Split(*processor, *cache, text.utf8, static_cast<size_t>(numbers[0]),
                 static_cast<size_t>(numbers[1]), UnitOf(text), &parts);
  }
  if (code != StatusCode::kOk) return SetInternalError("split");
  return MakeList(parts.size(), [&](size_t i) { return MakePart(parts[i]); });
}

using FastFunction = PyObject* (*)(PyObject*, PyObject* const*, Py_ssize_t);

PyCFunction AsFunction(FastFunction function) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

PyMethodDef kFunctions[] = {
    {"count", AsFunction(CountOne), METH_FASTCALL,
     "count(processor, text, /): the number of ids of a text"},
    {"count_batch", AsFunction(CountBatch), METH_FASTCALL,
     "count_batch(processor, texts, threads, /): the number of ids of each"},
    {"truncate", AsFunction(TruncateText), METH_FASTCALL,
     "truncate(processor, text, max_tokens, /): (begin, end, tokens) of its front"},
    {"split", AsFunction(SplitText), METH_FASTCALL,
     "split(processor, text, max_tokens, overlap, /): [(begin, end, tokens), ...]"},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

bool AddSplitting(PyObject* module) { return PyModule_AddFunctions(module, kFunctions) == 0; }

}  // namespace spmlite
