#include "tokenizer_json.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "decimal.h"
#include "json.h"
#include "model_proto.h"
#include "model_proto_writer.h"
#include "sentencepiece_lite_generated.h"
#include "tokenizer_json_merges.h"
#include "tokenizer_json_spaces.h"
#include "utf8.h"

namespace sentencepiece::lite {
namespace {

// A tokenizer.json does not tell which of its special tokens begin, end or fill up a
// sentence; these are the names in use.
constexpr std::string_view kBosNames[] = {"<s>", "<bos>", "[CLS]", "<|startoftext|>"};
constexpr std::string_view kEosNames[] = {"</s>", "<eos>", "[SEP]", "<|endoftext|>"};
constexpr std::string_view kPadNames[] = {"<pad>", "[PAD]"};

struct AddedToken {
  uint32_t id = 0;
  std::string_view content;
  bool is_special = false;
  // Whether more is asked for: a match of whole words, or with the spaces around it.
  bool has_conditions = false;
};

// The names of the 256 bytes.
std::string ByteName(unsigned byte) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  return {'<', '0', 'x', kDigits[byte >> 4], kDigits[byte & 15], '>'};
}

class TokenizerReader {
 public:
  explicit TokenizerReader(const Json& tokenizer)
      : tokenizer_(tokenizer), model_(tokenizer["model"]) {
    for (unsigned byte = 0; byte < byte_names_.size(); ++byte) byte_names_[byte] = ByteName(byte);
  }

  // What is wrong, or nothing.
  std::string Read() {
    using Step = std::string (TokenizerReader::*)();
    for (const Step step :
         {&TokenizerReader::ReadType, &TokenizerReader::ReadSteps, &TokenizerReader::CheckModel,
          &TokenizerReader::ReadAddedTokens, &TokenizerReader::ReadVocabulary,
          &TokenizerReader::FillGaps, &TokenizerReader::SetTypes, &TokenizerReader::SetScores}) {
      if (std::string fault = (this->*step)(); !fault.empty()) return fault;
    }
    return {};
  }

  TokenizerJsonModel Take() {
    serialized_.normalizer_spec.name =
        steps_.precompiled_charsmap.empty() ? "identity" : "user_defined";
    serialized_.normalizer_spec.precompiled_charsmap = steps_.precompiled_charsmap;
    serialized_.normalizer_spec.add_dummy_prefix = steps_.marks_front;
    serialized_.normalizer_spec.remove_extra_whitespaces = steps_.removes_spaces;
    return {WriteModelProto(serialized_), std::move(notes_)};
  }

 private:
  bool IsBpe() const { return serialized_.trainer_spec.model_type == ModelType_BPE; }
  std::vector<SerializedPiece>& pieces() { return serialized_.pieces; }

  std::string ReadType() {
    if (!model_.Is(Json::Type::kObject)) return "model is missing or no object";
    const Json type = model_["type"];
    // Old files leave the type out.
    const bool is_bpe = type.IsNone() ? !model_["merges"].IsNone() : type == "BPE";
    const bool is_unigram = type.IsNone() ? !model_["unk_id"].IsNone() : type == "Unigram";
    if (!is_bpe && !is_unigram) {
      const std::string name = type.IsNone() ? "missing" : Shown(type);
      return "model.type is " + name + "; only \"BPE\" and \"Unigram\" can be converted";
    }
    serialized_.trainer_spec.model_type = is_bpe ? ModelType_BPE : ModelType_UNIGRAM;
    return {};
  }

  std::string ReadSteps() {
    return steps_.Read(tokenizer_["normalizer"], tokenizer_["pre_tokenizer"]);
  }

  std::string CheckModel() {
    for (const char* name : {"continuing_subword_prefix", "end_of_word_suffix"}) {
      const Json value = model_[name];
      if (value.IsNone() || value == "") continue;
      return std::string("model.") + name + " is " + Shown(value) +
             ", which SentencePiece does not know";
    }
    // Where pieces are cut out first it is how they stay whole.
    if (model_["ignore_merges"].IsTrue() && steps_.isolated.empty()) {
      return "model.ignore_merges is true, which SentencePiece does not know";
    }
    const bool has_bytes = model_["byte_fallback"].IsTrue();
    serialized_.trainer_spec.byte_fallback = has_bytes;
    if (IsBpe() && !has_bytes && !model_["fuse_unk"].IsTrue()) {
      return "model.byte_fallback is not true, and neither is model.fuse_unk: SentencePiece makes "
             "one id of unknown characters that follow one another";
    }
    return {};
  }

  std::string ReadAddedTokens() {
    const Json tokens = tokenizer_["added_tokens"];
    if (!tokens.Is(Json::Type::kArray)) return "added_tokens is missing or no list";
    for (const Json token : tokens) {
      const std::string name = "added_tokens[" + std::to_string(added_.size()) + "]";
      if (!token.Is(Json::Type::kObject)) return name + " is no object";
      AddedToken& added = added_.emplace_back();
      if (!token["id"].ReadIndex(&added.id) || !token["content"].Is(Json::Type::kString)) {
        return name + " lacks an id or a content";
      }
      added.content = token["content"].text();
      added.is_special = token["special"].IsTrue();
      for (const char* condition : {"single_word", "lstrip", "rstrip"}) {
        added.has_conditions |= token[condition].IsTrue();
      }
    }
    return {};
  }

  std::string ReadVocabulary() { return IsBpe() ? ReadBpeVocabulary() : ReadUnigramVocabulary(); }

  // {"piece": id}
  std::string ReadBpeVocabulary() {
    const Json vocab = model_["vocab"];
    if (!vocab.Is(Json::Type::kObject)) return "model.vocab is missing or no object";
    std::vector<std::pair<uint32_t, std::string_view>> entries;
    std::string_view text;
    bool is_name = true;
    for (const Json part : vocab) {
      if (is_name) {
        text = part.text();
      } else if (uint32_t id = 0; part.ReadIndex(&id) && id < kMaxPieces) {
        entries.emplace_back(id, text);
      } else {
        return "model.vocab has no id for " + QuotedText(text) + " but " + Shown(part);
      }
      is_name = !is_name;
    }
    uint32_t size = 0;
    for (const auto& [id, piece] : entries) size = std::max(size, id + 1);
    pieces().resize(size);
    for (const auto& [id, piece] : entries) {
      if (!pieces()[id].piece.empty()) return NotOnce(id);
      pieces()[id].piece = piece;
    }
    return {};
  }

  // [["piece", score]]
  std::string ReadUnigramVocabulary() {
    const Json vocab = model_["vocab"];
    if (!vocab.Is(Json::Type::kArray)) return "model.vocab is missing or no list";
    for (const Json entry : vocab) {
      const std::string name = "model.vocab[" + std::to_string(pieces().size()) + "]";
      SerializedPiece& piece = pieces().emplace_back();
      Json::Iterator part = entry.begin();
      const auto take = [&] { return part != entry.end() ? *part : Json(); };
      const Json text = take();
      if (part != entry.end()) ++part;
      const Json score = take();
      if (!entry.Is(Json::Type::kArray) || !text.Is(Json::Type::kString) ||
          !score.Is(Json::Type::kNumber) || !ParseDecimal(score.source(), &piece.score)) {
        return name + " is " + Shown(entry) + " instead of a piece and a score";
      }
      piece.piece = text.text();
    }
    return {};
  }

  std::string NotOnce(uint32_t id) const {
    return "model.vocab does not use each of the ids 0 to " +
           std::to_string(serialized_.pieces.size() - 1) + " once (id " + std::to_string(id) + ")";
  }

  // An added token may fill a gap, but what lies beyond the end is left out.
  std::string FillGaps() {
    std::string left_out;
    for (const AddedToken& token : added_) {
      if (token.id >= pieces().size()) {
        left_out.append(left_out.empty() ? "" : ", ").append(QuotedText(token.content));
        continue;
      }
      std::string_view& piece = pieces()[token.id].piece;
      if (piece.empty()) piece = token.content;
      if (piece != token.content) {
        return "id " + std::to_string(token.id) + " is " + QuotedText(piece) +
               " in model.vocab and " + QuotedText(token.content) + " in added_tokens";
      }
    }
    if (!left_out.empty()) notes_.push_back("left out, as not in model.vocab: " + left_out);
    for (uint32_t id = 0; id < pieces().size(); ++id) {
      if (pieces()[id].piece.empty()) return NotOnce(id);
      if (!ids_.emplace(pieces()[id].piece, id).second) {
        return "model.vocab has " + QuotedText(pieces()[id].piece) + " twice";
      }
    }
    return {};
  }

  std::string SetTypes() {
    for (const AddedToken& token : added_) {
      if (token.id < pieces().size()) pieces()[token.id].type = PieceType_USER_DEFINED;
    }
    for (const std::string& text : steps_.isolated) {
      const auto found = ids_.find(text);
      if (found == ids_.end()) {
        return "pre_tokenizer splits off " + QuotedText(text) + ", which is not in model.vocab";
      }
      pieces()[found->second].type = PieceType_USER_DEFINED;
    }
    for (auto step : {&TokenizerReader::SetBytes, &TokenizerReader::SetSpecials,
                      &TokenizerReader::SetConditioned, &TokenizerReader::SetUnreachable}) {
      if (std::string fault = (this->*step)(); !fault.empty()) return fault;
    }
    return {};
  }

  std::string SetBytes() {
    if (!serialized_.trainer_spec.byte_fallback) return {};
    for (unsigned byte = 0; byte < byte_names_.size(); ++byte) {
      auto found = ids_.find(byte_names_[byte]);
      // transformers writes the tab of Gemma's vocabularies out.
      if (found == ids_.end() && byte == '\t') found = ids_.find("\t");
      if (found == ids_.end()) {
        return "model.vocab lacks " + QuotedText(byte_names_[byte]) +
               ": byte fallback needs all 256 bytes";
      }
      SerializedPiece& piece = pieces()[found->second];
      piece.piece = byte_names_[byte];
      piece.type = PieceType_BYTE;
    }
    return {};
  }

  std::string SetSpecials() {
    SerializedTrainerSpec& spec = serialized_.trainer_spec;
    SetControl(kBosNames, &spec.bos_piece);
    SetControl(kEosNames, &spec.eos_piece);
    SetControl(kPadNames, &spec.pad_piece);
    return IsBpe() ? SetBpeUnknown() : SetUnigramUnknown();
  }

  void SetControl(std::span<const std::string_view> names, std::string_view* role) {
    for (const std::string_view name : names) {
      const auto found = ids_.find(name);
      const auto is_it = [&](const AddedToken& token) {
        return token.content == name && token.is_special;
      };
      if (found == ids_.end() || std::none_of(added_.begin(), added_.end(), is_it)) continue;
      pieces()[found->second].type = PieceType_CONTROL;
      *role = name;
      return;
    }
  }

  std::string SetBpeUnknown() {
    const Json unknown = model_["unk_token"];
    if (unknown.IsNone()) return {};
    const auto found = ids_.find(unknown.text());
    if (found == ids_.end()) {
      return "model.unk_token is " + Shown(unknown) + ", which is not in model.vocab";
    }
    SetUnknown(found->second);
    return {};
  }

  std::string SetUnigramUnknown() {
    const Json unknown = model_["unk_id"];
    uint32_t id = 0;
    if (!unknown.ReadIndex(&id) || id >= pieces().size()) {
      const std::string name = unknown.IsNone() ? "missing" : Shown(unknown);
      return "model.unk_id is " + name + ", which is no id of model.vocab";
    }
    SetUnknown(id);
    return {};
  }

  void SetUnknown(uint32_t id) {
    pieces()[id].type = PieceType_UNKNOWN;
    serialized_.trainer_spec.unk_piece = pieces()[id].piece;
  }

  // Tokens that take the spaces around them along, or must be whole words.
  std::string SetConditioned() {
    for (const AddedToken& token : added_) {
      if (token.id >= pieces().size() || pieces()[token.id].type != PieceType_USER_DEFINED)
        continue;
      if (token.has_conditions && !token.is_special) {
        return "the added token " + QuotedText(token.content) +
               " has single_word, lstrip or rstrip, which SentencePiece does not know";
      }
      if (token.has_conditions) {
        pieces()[token.id].type = PieceType_CONTROL;
        notes_.push_back("texts that spell out " + QuotedText(token.content) +
                         " do not get its id: it has single_word, lstrip or rstrip");
      } else if (token.content.find(' ') != token.content.npos) {
        return "the added token " + QuotedText(token.content) +
               " holds a space, which SentencePiece writes as \"" + std::string(kSpaceMark) + "\"";
      }
    }
    return {};
  }

  // Pieces with a space, which no text has when they are looked for; and those with a mark inside,
  // where texts are split in front of each.
  std::string SetUnreachable() {
    for (SerializedPiece& piece : pieces()) {
      const bool has_space = piece.piece.find(' ') != piece.piece.npos;
      if (piece.type == PieceType_NORMAL && has_space) piece.type = PieceType_UNUSED;
    }
    if (!steps_.splits_at_marks) return {};
    for (SerializedPiece& piece : pieces()) {
      const size_t mark = piece.piece.find(kSpaceMark, 1);
      if (piece.type != PieceType_NORMAL || mark == piece.piece.npos) continue;
      if (IsBpe()) {
        return "pre_tokenizer splits in front of each \"" + std::string(kSpaceMark) +
               "\", so that " + QuotedText(piece.piece) +
               " cannot come out: SentencePiece would use it";
      }
      piece.type = PieceType_UNUSED;
    }
    return {};
  }

  std::string SetScores() {
    return IsBpe() ? ScoreByMerges(model_["merges"], &pieces()) : std::string();
  }

  // Far more than any vocabulary has.
  static constexpr uint32_t kMaxPieces = uint32_t{1} << 24;

  const Json tokenizer_;
  const Json model_;
  TokenizerSteps steps_;
  std::vector<AddedToken> added_;
  SerializedModel serialized_;
  std::unordered_map<std::string_view, uint32_t> ids_;
  std::array<std::string, 256> byte_names_;
  std::vector<std::string> notes_;
};

StatusOr<TokenizerJsonModel> RefuseTokenizer(const std::string& fault) {
  return {StatusCode::kInvalidArgument, "tokenizer.json: " + fault};
}

}  // namespace

StatusOr<TokenizerJsonModel> TokenizerJsonToModel(std::string_view tokenizer_json) {
  JsonDocument document;
  std::string fault = document.Parse(tokenizer_json);
  if (!fault.empty()) return RefuseTokenizer("this is not JSON: " + fault);
  if (!document.root().Is(Json::Type::kObject))
    return RefuseTokenizer("the file holds no JSON object");
  TokenizerReader reader(document.root());
  fault = reader.Read();
  if (!fault.empty()) return RefuseTokenizer(fault);
  return reader.Take();
}

}  // namespace sentencepiece::lite
