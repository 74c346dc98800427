#include "app/language/sentences.h"

#include <array>
#include <optional>

#include "app/language/tr.h"

namespace glassformer::app {

namespace {

/// What core writes with something in it, the longer ones first.
constexpr const char* patterns[] = {
    // core/train/training_events.cpp
    N_("head {1} began to attend to the previous word: previous-word score {2} → {3}"),
    N_("head {1} began to copy what followed last time: induction score {2} → {3}"),
    N_("head {1} began to attend to the earlier copy of its word: duplicate-token score {2} → {3}"),
    N_("the model is starting to overfit: since step {1} the held-out loss rose from {2} to {3}, while the training "
       "loss fell from {4} to {5}"),
    N_("{1} passed {2}: {3}"),
    N_("{1} fell below {2}: {3}"),
    // what the worlds measure, core/tasks
    N_("aligned, block {1}, best head"),
    N_("aligned, block {1}"),
    N_("copy of {1} to {2} syllables back"),
    N_("copy of {1} syllables back"),
    N_("{1}, pair {2}"),
    N_("block {1}"),
    N_("{1}, last half of the pairs"),
    N_("{1}, nats per token"),
    N_("held-out {1}"),
};
constexpr std::size_t most_places = 5;
using Places = std::array<std::string_view, most_places>;

/// What is in a pattern's places {1}, {2} …, which come in this order; nothing where the text is of another one.
std::optional<Places> places_of(std::string_view text, std::string_view pattern) {
    Places places{};
    std::size_t place = pattern.find('{');
    if (!text.starts_with(pattern.substr(0, place))) return {};
    text.remove_prefix(place);
    for (std::size_t i = 0; place != std::string_view::npos; ++i) {
        const std::size_t next = pattern.find('{', place + 3);
        const std::string_view after = pattern.substr(place + 3, next - place - 3);
        const std::size_t end = next == std::string_view::npos
                                    ? (text.ends_with(after) ? text.size() - after.size() : std::string_view::npos)
                                    : text.find(after);
        if (end == std::string_view::npos || end == 0) return {};
        places[i] = text.substr(0, end);
        text.remove_prefix(end + after.size());
        place = next;
    }
    return places;
}

}  // namespace

std::string tr_sentence(std::string_view text) {
    if (language() == "en") return std::string(text);
    if (const std::string_view whole = tr(text); whole != text) return std::string(whole);
    for (const char* pattern : patterns) {
        const std::optional<Places> places = places_of(text, pattern);
        if (!places) continue;
        std::array<std::string, most_places> said;
        for (std::size_t i = 0; i < most_places; ++i) said[i] = tr_sentence((*places)[i]);
        return filled(tr(pattern), {said[0], said[1], said[2], said[3], said[4]});
    }
    return std::string(text);
}

}  // namespace glassformer::app
