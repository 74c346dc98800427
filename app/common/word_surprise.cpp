#include "app/common/word_surprise.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <utility>

#include "app/common/said_words.h"
#include "app/session/masks.h"
#include "core/base/background.h"

namespace glassformer::app {

namespace {

constexpr std::int64_t at_once = 1 << 19;  // logits read within a frame; more, or what is not kept, in the background
constexpr int block_size = 16;             // positions read together in the background

/// Each token's surprise, from the logits one position before it. The first has none.
class NextTokenReading {
public:
    explicit NextTokenReading(const std::shared_ptr<const Trace>& trace)
        : trace_(trace), tokens_(trace->tokens().size()) {
        const int node = trace->model().logits;
        if (trace->kept(node) && trace->graph()[node].shape.elements() <= at_once) {
            read(*trace, static_cast<int>(tokens_.size()));
            return;
        }
        thread_ = Background(
            "surprise", [this](const std::stop_token& stop) { return read_on(stop); },
            [this](const std::string& why) {
                failure_ = why;
                failed_.store(true, std::memory_order_release);
            });
    }

    /// Adds what is new to `found`.
    void update(WordSurprise& found) const {
        const int ready = ready_.load(std::memory_order_acquire);
        for (int p = static_cast<int>(found.tokens.size()); p < ready; ++p) found.tokens.push_back(tokens_[p]);
        found.complete = found.tokens.size() == tokens_.size();
        if (failed_.load(std::memory_order_acquire)) found.complete = true, found.why_not = failure_;
    }

private:
    Turn read_on(const std::stop_token& stop) {
        const std::shared_ptr<const Trace> trace = trace_.lock();
        if (stop.stop_requested() || !trace) return Turn::done;
        read(*trace, std::min(ready_ + block_size, static_cast<int>(tokens_.size())));
        return ready_ < static_cast<int>(tokens_.size()) ? Turn::more : Turn::done;
    }

    void read(const Trace& trace, int end) {
        const int begin = ready_, first = std::max(begin, 1) - 1;
        if (end > first + 1) {
            const SliceView rows = trace.part_uncached(trace.model().logits, {first, end - 1 - first});
            const std::int64_t width = trace.shape(trace.model().logits).back();
            for (int p = first + 1; p < end; ++p)
                tokens_[p] = surprise_of_logits(rows.cells((p - 1) * width, width), trace.tokens()[p]);
        }
        ready_.store(end, std::memory_order_release);
    }

    std::weak_ptr<const Trace> trace_;  // weak: a trace keeps the memory of a run
    std::vector<TokenSurprise> tokens_;
    std::atomic<int> ready_{0};  // tokens before this one can be read
    std::string failure_;        // the task's, read it only once failed_ is set
    std::atomic<bool> failed_{false};
    Background thread_;  // last member: stops before the others are destroyed
};

/// One card's surprise.
struct CardSurprise {
    std::shared_ptr<NextTokenReading> reading;  // null for a model that fills masks
    std::weak_ptr<const Trace> trace;
    WordSurprise found;
};

struct SurpriseState {
    std::array<CardSurprise, 2> of;
    bool asked = false;  // command::MaskEveryWord is on
    void on_model_changed() { of = {}; }
};

/// For a published model that fills masks: the worker's result so far. Null if it has not begun.
const MaskedSurprise* worked_out(const Snapshot& snapshot, const WatchedSentence& sentence) {
    for (const auto& found : snapshot.masked_surprise)
        if (found && found->of.lock() == sentence.trace) return found.get();
    return nullptr;
}

void show_masked(const Frame& frame, const WatchedSentence& sentence, WordSurprise& found) {
    if (!std::exchange(frame.own<SurpriseState>().asked, true)) frame.send(command::MaskEveryWord{true});
    const MaskedSurprise* done = worked_out(frame.snapshot, sentence);
    found.read = ReadBefore::all_other_words;
    found.complete = done && done->left.empty();
    found.tokens = done ? done->tokens : std::vector<TokenSurprise>(sentence.tokens.size());
    found.why_not = done ? done->failure : std::string();
}

/// For a model that fills masks: each word's surprise in the sentence in which it is masked. A ▢ in the sentence itself
/// has none: its word is unknown.
WordSurprise masked_surprise(const ModelInfo& model, const WatchedSentence& sentence) {
    WordSurprise found;
    if (sentence.masked_probabilities.empty()) return found;
    found.read = ReadBefore::all_other_words;
    const std::span<const float> all = sentence.masked_probabilities;
    const std::size_t count = sentence.tokens.size(), width = all.size() / count;
    found.tokens.resize(count);
    for (std::size_t p = 0; p < count; ++p)
        if (const int id = sentence.tokens[p].id; !is_mask(model, id))
            found.tokens[p] = surprise_of_probabilities(all.subspan(p * width, width), id);
    return found;
}

}  // namespace

TokenSurprise WordSurprise::at(int position) const {
    return position >= 0 && position < static_cast<int>(tokens.size()) ? tokens[position] : TokenSurprise{};
}

const WordSurprise& word_surprise(const Frame& frame, int slot) {
    CardSurprise& card = frame.own<SurpriseState>().of[slot];
    const WatchedSentence& sentence = frame.sentence(slot);
    const ModelInfo& model = frame.model(slot);
    if (!sentence.trace || model.config.output != OutputKind::words || model.config.input != InputKind::words)
        return card = {}, card.found;
    if (card.trace.lock() != sentence.trace) {
        card = {nullptr, sentence.trace, {}};
        if (guess_of(model) != Guess::next) {
            card.found = masked_surprise(model, sentence);
        } else {
            card.found.read = ReadBefore::earlier_words;
            card.reading = std::make_shared<NextTokenReading>(sentence.trace);
        }
    }
    if (card.reading) card.reading->update(card.found);
    const bool each_has_a_run = fills_masks(model) && sentence.masked_probabilities.empty() && !card.reading;
    // For A's sentence in another model or step, as B shows it, nobody makes these runs.
    const bool watched = slot == 0 || frame.snapshot.comparing.of_sentences() || worked_out(frame.snapshot, sentence);
    if (each_has_a_run && watched) show_masked(frame, sentence, card.found);
    if (!card.found.complete) frame.state.more_to_compute = true;
    return card.found;
}

bool coloured_by_surprise(const Frame& frame, int slot) {
    return frame.state.word_colour != WordColour::attention && frame.model(slot).config.output == OutputKind::words;
}

void no_word_surprise(const Frame& frame) {
    if (std::exchange(frame.own<SurpriseState>().asked, false)) frame.send(command::MaskEveryWord{false});
}

float share_of_bits(const Frame& frame, int slot, double bits) {
    if (std::isnan(bits)) return 0.0f;
    const double most = std::log2(static_cast<double>(std::max(frame.model(slot).config.d_vocab, 2)));
    return static_cast<float>(std::clamp(bits / most, 0.0, 1.0));
}

}  // namespace glassformer::app
