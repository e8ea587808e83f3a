#include "lattice.h"

#include <algorithm>
#include <utility>

#include "unigram.h"
#include "utf8.h"

namespace sentencepiece::lite {

Lattice::Lattice(const Model& model, std::string_view text) {
  const uint32_t size = static_cast<uint32_t>(text.size());
  nodes_.push_back({0, 0, -1, 0});
  for (uint32_t begin = 0; begin < size;) {
    AddNodesAt(model, text.substr(begin), begin);
    begin += static_cast<uint32_t>(CharacterLength(text.substr(begin)));
  }
  nodes_.push_back({size, size, -1, 0});
  SortByEnd();
}

void Lattice::AddNodesAt(const Model& model, std::string_view rest, uint32_t begin) {
  ForEachUnigramPiece(model, rest, Spaces::kLiteral, [&](int id, size_t size) {
    nodes_.push_back({begin, begin + static_cast<uint32_t>(size), id, LatticeScore(model, id)});
  });
}

// Among those that end together the order stays that of their beginnings, which
// decides ties.
void Lattice::SortByEnd() {
  first_by_end_.assign(nodes_[last()].end + 2, 0);
  for (uint32_t i = 0; i < last(); ++i) ++first_by_end_[nodes_[i].end + 1];
  for (size_t end = 1; end < first_by_end_.size(); ++end) {
    first_by_end_[end] += first_by_end_[end - 1];
  }
  std::vector<uint32_t> next = first_by_end_;
  by_end_.resize(last());
  for (uint32_t i = 0; i < last(); ++i) by_end_[next[nodes_[i].end]++] = i;
}

void Lattice::FindBestScores() {
  for (uint32_t i = 1; i < nodes_.size(); ++i) {
    Node& node = nodes_[i];
    bool found = false;
    for (const uint32_t before : Before(node)) {
      const float score = nodes_[before].best + node.score;
      if (found && !(score > node.best)) continue;
      found = true;
      node.best = score;
      node.previous = before;
    }
  }
}

Lattice::Path Lattice::BestPath() const {
  Path path{{}, nodes_[last()].best};
  for (uint32_t i = nodes_[last()].previous; i != kStart; i = nodes_[i].previous) {
    path.nodes.push_back(nodes_[i]);
  }
  std::reverse(path.nodes.begin(), path.nodes.end());
  return path;
}

// A* over partial paths that end with the text. The limits, and that the agenda
// is cut down rather than given up at first, are those of the oracle's
// Lattice::NBest, so that long texts give the same lists.
class Lattice::Search {
 public:
  explicit Search(const Lattice& lattice) : lattice_(lattice) {
    const uint32_t end = lattice.last();
    pool_.push_back({end, kNone, 0});
    Push({lattice.nodes_[end].best, 0});
  }

  std::vector<Path> Run(size_t count) {
    const size_t kept = std::min<size_t>(kMinAgenda, count * 10);
    size_t pool_limit = kMaxPool;
    size_t expanded = 1;
    int cuts = 0;
    std::vector<Path> paths;
    while (!agenda_.empty()) {
      const Entry top = Pop();
      if (pool_[top.hypothesis].node == kStart) {
        paths.push_back(PathOf(top));
        if (paths.size() == count) break;
        continue;
      }
      expanded += Expand(top.hypothesis);
      if (expanded >= kMaxExpanded || pool_.size() >= kMaxExpanded) {
        return {lattice_.BestPath()};
      }
      if (agenda_.size() >= kMaxAgenda || (agenda_.size() > kept && pool_.size() >= pool_limit)) {
        if (cuts++ == kMaxCuts) return {lattice_.BestPath()};
        KeepBest(std::min(agenda_.size(), kept));
        pool_limit = pool_.size() + kMaxPool;
      }
    }
    return paths;
  }

 private:
  static constexpr uint32_t kNone = ~uint32_t{0};
  static constexpr size_t kMaxAgenda = 10000;
  static constexpr size_t kMinAgenda = 512;
  static constexpr size_t kMaxPool = 100000;
  static constexpr size_t kMaxExpanded = 500000;
  static constexpr int kMaxCuts = 10;

  // A path from `node` to the end of the text.
  struct Hypothesis {
    uint32_t node;
    uint32_t next;
    float score;
  };
  struct Entry {
    float priority;  // the score of the best whole path through it
    uint32_t hypothesis;
  };

  size_t Expand(uint32_t hypothesis) {
    const Hypothesis right = pool_[hypothesis];
    const auto before = lattice_.Before(lattice_.nodes_[right.node]);
    for (const uint32_t left : before) {
      const Node& node = lattice_.nodes_[left];
      pool_.push_back({left, hypothesis, node.score + right.score});
      Push({node.best + right.score, static_cast<uint32_t>(pool_.size() - 1)});
    }
    return before.size();
  }

  Path PathOf(const Entry& entry) const {
    Path path{{}, entry.priority};
    for (uint32_t i = pool_[entry.hypothesis].next; pool_[i].next != kNone; i = pool_[i].next) {
      path.nodes.push_back(lattice_.nodes_[pool_[i].node]);
    }
    return path;
  }

  void KeepBest(size_t count) {
    std::vector<Entry> best;
    for (size_t i = 0; i < count; ++i) best.push_back(Pop());
    std::vector<Hypothesis> old = std::exchange(pool_, {});
    std::vector<uint32_t> moved(old.size(), kNone);
    agenda_.clear();
    for (Entry entry : best) {
      // Copies the path up to where it joins one that was copied already.
      uint32_t* link = &entry.hypothesis;
      while (*link != kNone && moved[*link] == kNone) {
        const uint32_t from = *link;
        *link = moved[from] = static_cast<uint32_t>(pool_.size());
        pool_.push_back(old[from]);
        link = &pool_.back().next;
      }
      if (*link != kNone) *link = moved[*link];
      Push(entry);
    }
  }

  // A heap of our own: equal priorities leave the oracle's, libstdc++'s, in a
  // certain order, which other standard libraries do not share.
  void Push(const Entry& entry) {
    agenda_.push_back(entry);
    SiftUp(agenda_.size() - 1, entry);
  }
  Entry Pop() {
    const Entry top = agenda_.front();
    const Entry moved = agenda_.back();
    agenda_.pop_back();
    if (agenda_.empty()) return top;
    size_t hole = 0;
    for (size_t child = 1; child < agenda_.size(); child = 2 * hole + 1) {
      if (child + 1 < agenda_.size() && !(agenda_[child + 1].priority < agenda_[child].priority)) {
        ++child;
      }
      agenda_[hole] = agenda_[child];
      hole = child;
    }
    SiftUp(hole, moved);
    return top;
  }
  void SiftUp(size_t hole, const Entry& entry) {
    while (hole > 0 && agenda_[(hole - 1) / 2].priority < entry.priority) {
      agenda_[hole] = agenda_[(hole - 1) / 2];
      hole = (hole - 1) / 2;
    }
    agenda_[hole] = entry;
  }

  const Lattice& lattice_;
  std::vector<Hypothesis> pool_;
  std::vector<Entry> agenda_;
};

std::vector<Lattice::Path> Lattice::Best(size_t count) {
  FindBestScores();
  return Search(*this).Run(count);
}

}  // namespace sentencepiece::lite
