// The steps, loaded, in the order in which a text takes them.

#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bpe.h"
#include "decoder.h"
#include "emitter.h"
#include "model.h"
#include "normalizer.h"
#include "segmenter.h"
#include "sentencepiece_lite.h"
#include "token_cache.h"
#include "unigram.h"
#include "word_char.h"

namespace sentencepiece::lite {

// Const members may be called from any thread.
class Pipeline {
 public:
  StatusCode Load(std::string_view blob, Checks checks, std::string* message) {
    StatusCode code = model.Load(blob, checks, message);
    if (code != StatusCode::kOk) return code;
    std::string field = "normalizer_spec";
    std::string fault = normalizer.Load(model.normalizer_spec(), model.user_defined_trie());
    if (fault.empty() && model.denormalizer_spec() != nullptr) {
      field = "denormalizer_spec";
      fault = denormalizer.Load(model.denormalizer_spec(), no_user_defined_);
    }
    if (!fault.empty()) {
      *message = "precompiled_charsmap of " + field + " is damaged: " + fault;
      return StatusCode::kInternal;
    }
    // Not where more than the pieces at hand counts: the last split of an UNUSED piece over a
    // whole text of BPE, the words of WORD.
    if (model.type() == ModelType_UNIGRAM ||
        (model.type() == ModelType_BPE && !model.has_unused())) {
      segmenter.Load(model, Spaces::kLiteral);
      space_segmenter.Load(model, normalizer.spaces());
    }
    return StatusCode::kOk;
  }

  template <typename Receive>
  void ForEachChunk(std::string_view normalized, Receive&& receive) const {
    const std::string text = Padded(std::string(normalized));
    const char* const end = text.data() + normalized.size();
    const char* next = nullptr;
    for (const char* data = text.data(); data != end; data = next) {
      segmenter.FindEnds(data, end, 1, &next);
      receive(normalized.substr(static_cast<size_t>(data - text.data()),
                                static_cast<size_t>(next - data)));
    }
  }

  // Text to ids, by way of normalized text in which a space stands for the mark, but for WORD
  // and CHAR.
  StatusCode Encode(std::string_view input, ChunkTables* tables, std::vector<int>* ids) const {
    std::string own;
    // Short texts find room at hand.
    std::string& text = tables != nullptr && input.size() < 1 << 16 ? tables->text : own;
    const bool has_marks = model.type() == ModelType_WORD || model.type() == ModelType_CHAR;
    const bool fits = has_marks ? normalizer.Normalize(input, &text, nullptr)
                                : normalizer.NormalizeToSpaces(input, &text);
    if (!fits) return StatusCode::kInvalidArgument;
    const Spaces spaces = has_marks ? Spaces::kLiteral : normalizer.spaces();
    EncodeText(&text, spaces, space_segmenter, tables, ids, nullptr);
    return StatusCode::kOk;
  }

  void EncodeNormalized(std::string_view normalized, ChunkTables* tables, std::vector<int>* ids,
                        std::vector<std::string_view>* pieces) const {
    // A literal space is another key than one that stands for the mark.
    const bool has_space = normalized.find(' ') != std::string_view::npos;
    if (has_space && normalizer.spaces() == Spaces::kMark) tables = nullptr;
    std::string text(normalized);
    EncodeText(&text, Spaces::kLiteral, segmenter, tables, ids, pieces);
    for (size_t i = 0; pieces != nullptr && i < pieces->size(); ++i) {
      std::string_view& piece = (*pieces)[i];
      piece = normalized.substr(static_cast<size_t>(piece.data() - text.data()), piece.size());
    }
  }

  Decoder MakeDecoder(std::string* text, std::vector<TokenSpan>* spans) const {
    return Decoder(model, normalizer.add_dummy_prefix() || normalizer.remove_extra_whitespaces(),
                   normalizer.remove_extra_whitespaces(), text, spans);
  }

  // False as Normalizer::Normalize.
  bool Denormalize(std::string* text) const {
    if (model.denormalizer_spec() == nullptr) return true;
    const std::string decoded = std::move(*text);
    return denormalizer.Normalize(decoded, text, nullptr);
  }

  Model model;
  Normalizer normalizer;
  Normalizer denormalizer;
  Segmenter segmenter;        // of normalized text
  Segmenter space_segmenter;  // of such with spaces for marks

 private:
  // Chunks go by the dozen, so that the tables' lines are on their way from memory, many at
  // a time, before the first of them is needed.
  static constexpr size_t kDozen = 32;

  // Appends the NULs that are read beyond a text.
  static std::string Padded(std::string text) {
    text.append(ChunkTables::kReadable, '\0');
    return text;
  }

  void EncodeText(std::string* buffer, Spaces spaces, const Segmenter& cuts, ChunkTables* tables,
                  std::vector<int>* ids, std::vector<std::string_view>* pieces) const {
    const size_t size = buffer->size();
    *buffer = Padded(std::move(*buffer));
    std::string_view text(buffer->data(), size);
    Emitter emitter(model, spaces, ids, pieces);
    emitter.Reserve(size / 4 + kDozen);  // few texts have more
    const auto encode = [&](auto encoder) {
      const auto encode_chunk = [&](std::string_view chunk) {
        emitter.ReserveChunk(chunk.size());
        return encoder.Encode(chunk, &emitter);
      };
      const auto pass = [&](const char* cut) {
        if constexpr (requires { encoder.Pass(cut, emitter); }) encoder.Pass(cut, emitter);
      };
      EncodeChunks(text, cuts, tables, encode_chunk, pass, &emitter);
    };
    switch (model.type()) {
      case ModelType_BPE:
        return encode(BpeEncoder(model, spaces));
      case ModelType_WORD:
      case ModelType_CHAR:
        return encode(WordOrCharEncoder(model));
      default:
        return encode(UnigramEncoder(model, spaces, text.data(), tables != nullptr));
    }
  }

  // `encode` encodes a chunk, and tells whether what it came to may be kept; `pass` is told
  // of a cut once all before it are encoded.
  void EncodeChunks(std::string_view text, const Segmenter& cuts, ChunkTables* tables,
                    FunctionRef<bool(std::string_view)> encode, FunctionRef<void(const char*)> pass,
                    Emitter* emitter) const {
    Chunk chunks[kDozen];
    while (!text.empty()) {
      const size_t count = TakeChunks(&text, cuts, tables, chunks);
      for (size_t i = 0; i < count;) {
        emitter->Reserve(kDozen);
        if (tables != nullptr) i += EmitKnown(chunks + i, count - i, *tables, emitter);
        if (i == count || emitter->room() < ChunkTables::kMostIds) continue;
        EncodeNewChunk(chunks[i++].text, tables, encode, emitter);
      }
      pass(text.data());
    }
  }

  struct Chunk {
    std::string_view text;
    ChunkTables::Short::Key key;  // of a short one, and where it would be
    size_t index;
  };
  // Cuts at most kDozen chunks off the front of a text; how many they are. Without tables
  // they get no keys.
  [[gnu::noinline]] static size_t TakeChunks(std::string_view* text, const Segmenter& cuts,
                                             const ChunkTables* tables, Chunk* chunks) {
    const char* data = text->data();
    const char* const end = data + text->size();
    const char* ends[kDozen];  // of those found ahead
    size_t found = 0, taken = 0, count = 0;
    for (; count < kDozen && data != end; ++count) {
      const char* next = taken < found ? ends[taken++] : cuts.FindEnd(data, end);
      if (next == nullptr) {
        found = cuts.FindEnds(data, end, kDozen - count, ends);
        taken = 1;
        next = ends[0];
      }
      Chunk& chunk = chunks[count];
      chunk.text = std::string_view(data, next);
      data = next;
      if (tables == nullptr || chunk.text.size() > ChunkTables::Short::kMaxChunk) continue;
      chunk.key = ChunkTables::Short::KeyOf(chunk.text);
      chunk.index = tables->of_short.IndexOf(chunk.key);
      tables->of_short.Prefetch(chunk.index);
    }
    *text = std::string_view(data, end);
    return count;
  }
  // Emits what the first of the chunks came to, while they are known and there is room; how
  // many they were.
  [[gnu::noinline]] size_t EmitKnown(const Chunk* chunks, size_t count, const ChunkTables& tables,
                                     Emitter* emitter) const {
    size_t i = 0;
    int* ids = emitter->end();
    int* const last = ids + emitter->room() - ChunkTables::kMostIds;
    for (; i < count && ids <= last; ++i) {
      const Chunk& chunk = chunks[i];
      const bool is_short = chunk.text.size() <= ChunkTables::Short::kMaxChunk;
      int known = is_short ? tables.of_short.Copy(chunk.key, chunk.index, generation_, ids) : -1;
      if (known < 0) known = tables.CopyLong(chunk.text, generation_, ids);
      if (known < 0) break;
      ids += known;
    }
    emitter->TakeUntil(ids);
    return i;
  }

  // A chunk with an unknown piece is not kept: that may join the one before.
  void EncodeNewChunk(std::string_view chunk, ChunkTables* tables,
                      FunctionRef<bool(std::string_view)> encode, Emitter* emitter) const {
    const size_t before = emitter->size();
    const size_t unknown_before = emitter->unknown_count();
    if (!encode(chunk) || tables == nullptr) return;
    if (emitter->unknown_count() != unknown_before) return;
    tables->Insert(chunk, generation_, emitter->ids() + before, emitter->size() - before);
  }

  DoubleArray no_user_defined_;
  // Tells models apart in a cache; it has room for 24 bits.
  static inline std::atomic<uint32_t> last_generation_{0};
  const uint32_t generation_ = 1 + last_generation_.fetch_add(1) % 0xFFFFFF;
};

}  // namespace sentencepiece::lite
