#include "charsmap.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <utility>

#include "double_array.h"
#include "trie_builder.h"
#include "utf8.h"

namespace sentencepiece::lite {
namespace {

// kMaxTrieResultsSize of the oracle's normalizer.h: it looks at no more rules that a text
// begins with.
constexpr size_t kMaxRulesAlike = 32;

std::string Quoted(std::string_view text) { return std::string("\"").append(text).append("\""); }

bool IsRuleText(std::string_view text) {
  return IsWellFormed(text) && text.find('\0') == std::string_view::npos;
}

// What is wrong with sorted rules, or nothing.
std::string FaultOf(const std::vector<CharsmapRule>& rules) {
  if (rules.empty()) return "there are no rules";
  for (size_t i = 0; i < rules.size(); ++i) {
    const auto& [from, to] = rules[i];
    if (!IsRuleText(from) || !IsRuleText(to)) return "a rule is not UTF-8, or holds a NUL";
    if (from.empty()) return "a rule replaces nothing";
    if (from == to) return "a rule replaces " + Quoted(from) + " by itself";
    if (i > 0 && rules[i - 1].from == from) return "there are two rules for " + Quoted(from);
  }
  return "";
}

// Whether as many rules begin alike as a normalizer looks at.
bool BeginsLikeTooMany(const DoubleArray& trie, std::string_view from) {
  size_t count = 0;
  trie.ForEachPrefix(from, Spaces::kLiteral, [&](int32_t, size_t) { ++count; });
  return count >= kMaxRulesAlike;
}

// So many bytes of rules are gone through; those of Unicode have some tens of thousands.
// In a damaged trie a walk may come back to where it was.
constexpr size_t kMostSteps = size_t{1} << 20;

// Walks all keys of a trie. (Darts-clone lets keys with the same end share units.)
class Walker {
 public:
  Walker(const DoubleArray& trie, std::string_view replacements)
      : trie_(trie), replacements_(replacements) {}

  bool Walk(std::vector<CharsmapRule>* rules) {
    struct Place {
      uint32_t node;
      unsigned next_byte;
    };
    std::vector<Place> path = {{DoubleArray::kRoot, 1}};
    std::string from;
    while (!path.empty()) {
      Place& place = path.back();
      if (place.next_byte == 256) {
        path.pop_back();
        if (!from.empty()) from.pop_back();
        continue;
      }
      const auto byte = static_cast<unsigned char>(place.next_byte++);
      const uint32_t node = trie_.Step(place.node, byte);
      if (node == DoubleArray::kNoNode) continue;
      if (left_-- == 0) return false;
      from.push_back(static_cast<char>(byte));
      path.push_back({node, 1});
      const int32_t value = trie_.Value(node);
      if (value != DoubleArray::kNoValue) {
        rules->push_back({from, replacements_.data() + value});
      }
    }
    return true;
  }

 private:
  const DoubleArray& trie_;
  size_t left_ = kMostSteps;
  std::string_view replacements_;
};

}  // namespace

StatusOr<std::string> CompileCharsmap(std::vector<CharsmapRule> rules) {
  std::ranges::sort(rules, {}, &CharsmapRule::from);
  if (std::string fault = FaultOf(rules); !fault.empty()) {
    return {StatusCode::kInvalidArgument, std::move(fault)};
  }
  std::map<std::string_view, uint32_t> places;  // each replacement once
  for (const CharsmapRule& rule : rules) places.emplace(rule.to, 0);
  std::string replacements;
  for (auto& [to, place] : places) {
    place = static_cast<uint32_t>(replacements.size());
    replacements.append(to).push_back('\0');
  }
  std::vector<TrieEntry> entries;
  for (const CharsmapRule& rule : rules) entries.push_back({rule.from, places[rule.to]});
  const std::vector<uint32_t> units = BuildTrie(entries);
  const uint32_t trie_size = static_cast<uint32_t>(units.size() * sizeof(uint32_t));
  DoubleArray trie;
  if (!trie.Attach(reinterpret_cast<const uint8_t*>(units.data()), trie_size,
                   static_cast<uint32_t>(replacements.size()))) {
    return {StatusCode::kInvalidArgument, "there are too many rules"};
  }
  for (const CharsmapRule& rule : rules) {
    if (BeginsLikeTooMany(trie, rule.from)) {
      return {StatusCode::kInvalidArgument, "more than 31 rules begin like " + Quoted(rule.from)};
    }
  }
  std::string charsmap(sizeof(trie_size) + trie_size, '\0');
  std::memcpy(charsmap.data(), &trie_size, sizeof(trie_size));
  std::memcpy(charsmap.data() + sizeof(trie_size), units.data(), trie_size);
  return charsmap + replacements;
}

StatusOr<std::vector<CharsmapRule>> DecompileCharsmap(std::string_view charsmap) {
  const auto damaged = [](const char* message) {
    return StatusOr<std::vector<CharsmapRule>>(StatusCode::kInternal, message);
  };
  uint32_t trie_size = 0;
  if (charsmap.size() <= sizeof(trie_size)) return damaged("the charsmap is cut off");
  std::memcpy(&trie_size, charsmap.data(), sizeof(trie_size));
  charsmap.remove_prefix(sizeof(trie_size));
  if (trie_size >= charsmap.size()) return damaged("the trie of the charsmap is cut off");
  const std::string replacements(charsmap.substr(trie_size));
  if (replacements.back() != '\0') return damaged("the last replacement has no end");
  std::vector<uint32_t> units(trie_size / sizeof(uint32_t));  // aligned
  std::memcpy(units.data(), charsmap.data(), units.size() * sizeof(uint32_t));
  DoubleArray trie;
  std::vector<CharsmapRule> rules;
  if (!trie.Attach(reinterpret_cast<const uint8_t*>(units.data()), trie_size,
                   static_cast<uint32_t>(replacements.size())) ||
      !Walker(trie, replacements).Walk(&rules)) {
    return damaged("the trie of the charsmap is not sound");
  }
  return rules;
}

}  // namespace sentencepiece::lite
