#include "app/views/qkv/word_circuits.h"

#include <atomic>
#include <optional>
#include <utility>

#include "app/language/tr.h"
#include "core/base/background.h"

namespace glassformer::app::views::qkv {

namespace {

/// Multiplications over all pairs that a frame does by itself: a few milliseconds.
constexpr std::int64_t at_once = 20'000'000;

/// A circuit that is being computed. Releases the trace as soon as the weights are known.
class Task {
public:
    Task(std::shared_ptr<const Trace> trace, WordCircuitOf of, bool beside)
        : serial(++last_serial_), trace_(std::move(trace)), of_(std::move(of)) {
        if (beside)
            thread_ = Background(
                "word circuit",
                [this](const std::stop_token& stop) {
                    if (stop.stop_requested()) return Turn::done;
                    return turn() ? Turn::more : Turn::done;
                },
                [this](const std::string& why) {
                    failure_ = why;
                    failed_.store(true, std::memory_order_release);
                });
        else
            while (turn()) {
            }
    }

    /// Null until the vectors of all words are computed, and if that failed.
    const WordCircuit* made() const {
        const bool there = begun_.load(std::memory_order_acquire) && !failed_.load(std::memory_order_acquire);
        return there && circuit_->made() ? &*circuit_ : nullptr;
    }
    bool ended() const {
        return failed_.load(std::memory_order_acquire) || (begun_.load(std::memory_order_acquire) && circuit_->done());
    }
    std::string failure() const { return failed_.load(std::memory_order_acquire) ? failure_ : ""; }

    const int serial;

private:
    /// Returns true if there is more to do.
    bool turn() {
        if (begun_) {
            circuit_->step();
            return !circuit_->done();
        }
        circuit_.emplace(*trace_, of_);
        trace_ = nullptr;
        begun_.store(true, std::memory_order_release);
        return true;
    }

    static inline int last_serial_ = 0;
    std::shared_ptr<const Trace> trace_;
    WordCircuitOf of_;
    std::optional<WordCircuit> circuit_;
    std::string failure_;
    std::atomic<bool> begun_{false}, failed_{false};
    Background thread_;  // the last member: it stops before the others are destroyed
};

struct WordCircuitsState {
    struct Made {
        Parameters parameters;
        TransformerConfig config;
        WordCircuitOf of;
        std::shared_ptr<Task> task;
    };
    std::array<std::array<Made, 2>, 2> of_cards;  // by card, by kind
};

}  // namespace

ShownCircuit word_circuit(const Frame& frame, const HeadTrace& head, const WordCircuitOf& of) {
    auto& made =
        frame.state.own<WordCircuitsState>().of_cards[head.slot][of.kind == WordCircuitOf::Kind::query_key ? 0 : 1];
    const Trace& trace = *frame.trace(head.slot);
    const TransformerConfig& config = trace.model().config;
    if (!made.task || made.parameters != trace.parameters() || made.of != of || made.config != config) {
        const std::int64_t words = std::max(config.d_vocab, config.d_source_vocab),
                           products = words * std::max<std::int64_t>(words, config.d_model) * config.d_head();
        made = {};  // the previous task ends first
        made = {trace.parameters(), config, of,
                std::make_shared<Task>(frame.sentence(head.slot).trace, of, products > at_once)};
    }
    if (!made.task->ended()) frame.state.more_to_compute = true;
    return {made.task->made(), made.task->failure(), made.task->serial};
}

}  // namespace glassformer::app::views::qkv
