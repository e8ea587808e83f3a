#include "splitting.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "pipeline.h"
#include "sentencepiece_extra.h"
#include "utf8.h"

namespace sentencepiece::lite {
namespace {

// So many cuts with the right ids are tried before one with the right number is taken.
constexpr int kMaxTries = 8;

// A text in tokens, and the parts from one token to another. Token numbers go from 0 to
// size(): before that token.
class Splitter {
 public:
  Splitter(const SentencePieceLiteProcessor& processor, TokenCache* cache, std::string_view text)
      : processor_(processor), cache_(*cache), text_(text) {}

  StatusCode Encode() {
    return EncodeWithSpans(processor_, cache_, text_, OffsetUnit::kByte, &ids_, &spans_);
  }

  size_t size() const { return ids_.size(); }

  // The part of the whole text.
  TextPart Whole() const { return {{0, static_cast<uint32_t>(text_.size())}, size()}; }

  // Where a part that begins at `first` and ends beyond `least` is cut best.
  size_t FindEnd(size_t first, size_t least, size_t max_tokens) {
    const size_t limit = std::min(size(), first + max_tokens);
    const bool keeps_ids = BeginsAlike(first);
    int tries = 0;
    for (size_t last = limit; last > least && tries < kMaxTries; --last) {
      if (!IsBorder(last) || !BeginsAlike(last)) continue;
      ++tries;
      Reencode(first, last);
      if (keeps_ids ? HasIds(first, last) : part_ids_.size() <= max_tokens) return last;
    }
    return FindEndByCount(first, least, max_tokens);
  }

  // The same by the number of tokens alone.
  size_t FindEndByCount(size_t first, size_t least, size_t max_tokens) {
    size_t last = BorderUpTo(std::min(size(), first + max_tokens), least);
    while (true) {
      Reencode(first, last);
      if (part_ids_.size() <= max_tokens) return last;
      const size_t excess = part_ids_.size() - max_tokens;
      const size_t shorter = BorderUpTo(last - std::min(excess, last), least);
      if (shorter >= last) return last;
      last = shorter;
    }
  }

  // The longest front with the ids that it has within the text.
  size_t FindFront(size_t max_tokens) {
    int tries = 0;
    for (size_t last = max_tokens; last > 0 && tries < kMaxTries; --last) {
      if (!IsBorder(last)) continue;
      ++tries;
      Reencode(0, last);
      if (HasIds(0, last)) return last;
    }
    return 0;
  }

  // Where the part after one that ends at `last` begins.
  size_t FindNext(size_t first, size_t last, size_t overlap) const {
    const size_t earliest = std::max(first + 1, last - std::min(overlap, last));
    for (size_t next = earliest; next < last; ++next) {
      // A space that is left out is no progress.
      if (!IsBorder(next) || Begin(next) == Begin(first)) continue;
      if (BeginsAlike(next) || !BeginsAlike(last)) return next;
    }
    return last;
  }

  TextPart Part(size_t first, size_t last) {
    Reencode(first, last);
    return {{static_cast<uint32_t>(Begin(first)), static_cast<uint32_t>(End(last))},
            part_ids_.size()};
  }

 private:
  // Whether the text can be cut there: the token before has an end in it. (The first
  // tokens of what one character became have none.)
  bool IsBorder(size_t token) const {
    if (token == 0 || token == size()) return true;
    const TokenSpan before = spans_[token - 1];
    return before.begin < before.end && before.end <= spans_[token].begin;
  }

  bool PutsSpaceInFront() const { return processor_.pipeline()->normalizer.adds_in_front(); }

  // Whether tokens may be the same at the front of a part as within the text.
  bool BeginsAlike(size_t token) const {
    return !PutsSpaceInFront() || token == 0 || token == size() ||
           processor_.IdToPiece(ids_[token]).starts_with(kSpaceMark);
  }

  size_t Begin(size_t token) const {
    if (token == 0) return 0;
    const size_t begin = spans_[token].begin;
    return begin + (PutsSpaceInFront() && text_[begin] == ' ' && BeginsAlike(token) ? 1 : 0);
  }

  size_t End(size_t token) const { return token == size() ? text_.size() : spans_[token - 1].end; }

  void Reencode(size_t first, size_t last) {
    const size_t begin = Begin(first);
    const std::string_view part = text_.substr(begin, std::max(begin, End(last)) - begin);
    CachedSentencePieceLite::Encode(processor_, cache_, part, &part_ids_);
  }

  // Whether the text encoded last has the ids of the tokens between.
  bool HasIds(size_t first, size_t last) const {
    return std::equal(part_ids_.begin(), part_ids_.end(),
                      ids_.begin() + static_cast<std::ptrdiff_t>(first),
                      ids_.begin() + static_cast<std::ptrdiff_t>(last));
  }

  // The last border up to `token` that is beyond `least`, or else the first one beyond both.
  size_t BorderUpTo(size_t token, size_t least) const {
    for (size_t last = token; last > least; --last) {
      if (IsBorder(last)) return last;
    }
    size_t last = std::max(token, least) + 1;
    while (!IsBorder(last)) ++last;
    return last;
  }

  const SentencePieceLiteProcessor& processor_;
  TokenCache& cache_;
  std::string_view text_;
  std::vector<int> ids_;
  std::vector<TokenSpan> spans_;
  std::vector<int> part_ids_;
};

// From bytes to `unit`. Begins and ends are each in order.
void CountPartsIn(OffsetUnit unit, std::string_view text, std::vector<TextPart>* parts) {
  std::vector<TokenSpan> begins;
  std::vector<TokenSpan> ends;
  for (const TextPart& part : *parts) {
    begins.push_back({part.span.begin, part.span.begin});
    ends.push_back({part.span.end, part.span.end});
  }
  CountIn(unit, text, &begins);
  CountIn(unit, text, &ends);
  for (size_t i = 0; i < parts->size(); ++i) (*parts)[i].span = {begins[i].begin, ends[i].end};
}

}  // namespace

StatusCode Truncate(const SentencePieceLiteProcessor& processor, TokenCache& cache,
                    std::string_view text, size_t max_tokens, OffsetUnit unit, TextPart* part) {
  if (part == nullptr) return StatusCode::kInvalidArgument;
  *part = {};
  Splitter splitter(processor, &cache, text);
  const StatusCode code = splitter.Encode();
  if (code != StatusCode::kOk) return code;
  std::vector<TextPart> parts = {splitter.Whole()};
  if (splitter.size() > max_tokens) {
    parts.clear();
    size_t last = splitter.FindFront(max_tokens);
    if (last == 0 && max_tokens > 0) last = splitter.FindEndByCount(0, 0, max_tokens);
    if (last > 0) parts.push_back(splitter.Part(0, last));
    if (parts.empty() || parts[0].token_count > max_tokens) return StatusCode::kOk;
  }
  CountPartsIn(unit, text, &parts);
  *part = parts[0];
  return StatusCode::kOk;
}

StatusCode Split(const SentencePieceLiteProcessor& processor, TokenCache& cache,
                 std::string_view text, size_t max_tokens, size_t overlap, OffsetUnit unit,
                 std::vector<TextPart>* parts) {
  if (parts == nullptr) return StatusCode::kInvalidArgument;
  parts->clear();
  if (max_tokens == 0 || overlap >= max_tokens) return StatusCode::kInvalidArgument;
  Splitter splitter(processor, &cache, text);
  const StatusCode code = splitter.Encode();
  if (code != StatusCode::kOk) return code;
  size_t first = 0;
  for (size_t last = 0; last < splitter.size();) {
    const size_t least = last;
    last = splitter.FindEnd(first, least, max_tokens);
    TextPart part = splitter.Part(first, last);
    if (part.token_count > max_tokens && first < least) {
      // Together with what overlaps it is too much.
      first = least;
      last = splitter.FindEnd(first, least, max_tokens);
      part = splitter.Part(first, last);
    }
    // A space alone is put in front of what follows.
    if (part.token_count > 0) parts->push_back(part);
    first = splitter.FindNext(first, last, overlap);
  }
  CountPartsIn(unit, text, parts);
  return StatusCode::kOk;
}

}  // namespace sentencepiece::lite
