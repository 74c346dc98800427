#include "app/panels/setup/setup_words.h"

#include <array>
#include <utility>

namespace glassformer::app {

namespace {

/// A choice and its meaning.
using Word = std::pair<std::string_view, std::string_view>;

constexpr std::array<Word, 5> families{{
    {"encoder", "Every word sees the whole sentence, before and after it, as in BERT."},
    {"decoder", "Every word sees only the words before it, as in GPT: it can go on writing."},
    {"encoder–decoder", "One side reads the source; the other writes and looks at it. The transformer of 2017."},
    {"RNN", "No attention: one vector is handed from word to word and must remember everything."},
    {"GRU", "An RNN with gates that learn what of its vector to keep and what to replace."},
}};
constexpr std::array<Word, 7> positions{{
    {"none", "Nothing tells where a word stands; only a causal mask gives the order away."},
    {"place number", "Adds the place's number times one learned vector: later words stand farther out."},
    {"place ÷ length", "Adds how far through the sentence a word stands, times one learned vector."},
    {"learned table", "Adds one learned vector for each place, as in BERT and GPT-2."},
    {"sines, cosines", "Adds fixed waves of many lengths; nothing is learned, any place has a code."},
    {"rotary (RoPE)", "Turns queries and keys by an angle that grows with the place: scores see distance."},
    {"ALiBi", "Lowers each score by the distance of the two words, in each head at its own rate."},
}};
constexpr std::array<Word, 5> placements{{
    {"before (pre-LN)", "Each part reads a normalized copy; the stream itself stays free. Trains most easily."},
    {"after (post-LN)", "The stream is normalized after each addition, as in 2017. Wants a warm-up."},
    {"stream first", "The stream is normalized, and part and addition both start from that."},
    {"before and after", "Each part reads a normalized copy, and what it adds is normalized too, as in Gemma."},
    {"none", "Nothing is normalized: numbers may grow from block to block."},
}};
constexpr std::array<Word, 3> norms{{
    {"LayerNorm", "Brings a word's numbers to mean 0 and spread 1, then stretches and shifts them."},
    {"RMSNorm", "Only divides a word's numbers by their size; no mean is taken away."},
    {"BatchNorm", "Normalises each feature over the whole batch, so sentences influence each other."},
}};
constexpr std::array<Word, 6> activations{{
    {"ReLU", "Negative numbers become 0, the others pass: a neuron is off or on."},
    {"GELU", "A smooth ReLU that lets slightly negative numbers through a little."},
    {"GELU (tanh)", "GELU by the faster formula that GPT-2 used."},
    {"SwiGLU", "Two halves: one decides how much of the other passes. Three matrices in place of two."},
    {"GEGLU (tanh)", "Like SwiGLU, with GELU as the gate, as in Gemma."},
    {"none", "No MLP at all: attention only."},
}};
constexpr std::array<Word, 3> projections{{
    {"W_Q, W_K, W_V", "Three learned matrices: looking for, being found and handing over may differ."},
    {"one for all", "One matrix makes query, key and value: words look for what resembles them."},
    {"none", "The stream itself is query, key and value; attention has nothing to learn."},
}};
constexpr std::array<Word, 4> optimizers{{
    {"SGD", "Each step goes straight down the gradient of its batch."},
    {"momentum", "Steps gather speed where gradients agree, and wobble less where they don't."},
    {"Adam", "Every parameter gets its own step size, from the mean and spread of its gradients."},
    {"AdamW", "Adam, with weight decay that shrinks the weights themselves."},
}};
constexpr std::array<Word, 3> schedules{{
    {"constant", "The same learning rate from the first step to the last."},
    {"cosine", "Rises during the warm-up, then falls along half a wave."},
    {"linear", "Rises during the warm-up, then falls in a straight line."},
}};

/// The names alone, as lists of choices take them.
template <std::size_t count>
constexpr std::array<std::string_view, count> names(const std::array<Word, count>& words) {
    std::array<std::string_view, count> list;
    for (std::size_t i = 0; i < count; ++i) list[i] = words[i].first;
    return list;
}

template <std::size_t count, class Enum>
std::string_view meaning(const std::array<Word, count>& words, Enum value) {
    return words[static_cast<std::size_t>(value)].second;
}

}  // namespace

std::span<const std::string_view> choices_of_family() {
    static constexpr auto list = names(families);
    return list;
}

std::span<const std::string_view> choices_of_positions() {
    static constexpr auto list = names(positions);
    return list;
}

std::span<const std::string_view> choices_of_norm_placement() {
    static constexpr auto list = names(placements);
    return list;
}

std::span<const std::string_view> choices_of_norm() {
    static constexpr auto list = names(norms);
    return list;
}

std::span<const std::string_view> choices_of_activation() {
    static constexpr auto list = names(activations);
    return list;
}

std::span<const std::string_view> choices_of_projections() {
    static constexpr auto list = names(projections);
    return list;
}

std::span<const std::string_view> choices_of_optimizer() {
    static constexpr auto list = names(optimizers);
    return list;
}

std::span<const std::string_view> choices_of_schedule() {
    static constexpr auto list = names(schedules);
    return list;
}

std::string_view meaning_of(Family value) { return meaning(families, value); }
std::string_view meaning_of(Positions value) { return meaning(positions, value); }
std::string_view meaning_of(NormPlacement value) { return meaning(placements, value); }
std::string_view meaning_of(NormKind value) { return meaning(norms, value); }
std::string_view meaning_of(Activation value) { return meaning(activations, value); }
std::string_view meaning_of(Projections value) { return meaning(projections, value); }
std::string_view meaning_of(OptimizerKind value) { return meaning(optimizers, value); }
std::string_view meaning_of(ScheduleKind value) { return meaning(schedules, value); }

}  // namespace glassformer::app
