#include <algorithm>
#include <array>
#include <cstdio>
#include <variant>

#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/lessons/live_reader.h"
#include "app/lessons/scene_format.h"
#include "app/panels/experiment/experiment_state.h"
#include "app/panels/meaning/meaning_map.h"
#include "app/views/registry.h"
#include "core/base/join.h"
#include "core/base/number_text.h"
#include "core/base/trimmed.h"

namespace glassformer::app {

namespace {

std::string line(const char* field, const std::string& value) { return std::string(field) + ": " + value + "\n"; }

/// Names the selected word as a lesson does: by its text, and which of several equal ones.
std::string word_line(const Frame& frame, int slot) {
    const WatchedSentence& sentence = frame.sentence(slot);
    const int at = frame.state.token[slot];
    if (at < 0 || at >= static_cast<int>(sentence.tokens.size())) return {};
    const std::string name = live::token_name(sentence, at);
    int same = 0, nth = 0;
    for (int i = 0; i < static_cast<int>(sentence.tokens.size()); ++i) {
        if (live::token_name(sentence, i) != name) continue;
        ++same;
        if (i <= at) ++nth;
    }
    const char* const field = slot == 0 ? "word A" : "word B";
    if (name.find('"') != std::string::npos) return line(field, "@" + std::to_string(at));
    return line(field, same > 1 ? "\"" + name + "\"#" + std::to_string(nth) : name);
}

std::string head_text(const HeadChoice& choice) {
    return "block " + std::to_string(choice.layer) + " head " + std::to_string(choice.head);
}

std::string beside(const Snapshot& s, const ViewState& state) {
    using What = Comparing::What;
    if (s.comparing.what == What::heads) return head_text(head_of(state, 1));
    if (s.comparing.what == What::steps) return "step " + std::to_string(s.comparing.step);
    if (s.comparing.what == What::models && s.catalog) {
        const auto& models = s.catalog->models;
        const auto found = std::ranges::find(models, s.comparing.folder, &ModelCatalog::Model::folder);
        if (found != models.end()) return "model " + found->name;
    }
    return "sentence";
}

/// How a lesson writes each kind of change after its block and head, by index in WhatIf.
constexpr std::array<const char*, std::variant_size_v<WhatIf>> endings{"off",      "attention off",
                                                                       "MLP off",  "positions off",
                                                                       "mask off", "scale off",
                                                                       "norm off", "residual off",
                                                                       "uniform",  "hard",
                                                                       "",         "",
                                                                       "norm",     ""};

/// "block 1 head 2 v at @3 from B"; the lesson works out again which words correspond.
std::string patch_line(const what_if::HeadPatch& c) {
    const char* const own = c.slot == 0 ? "A" : "B";
    const char* const other = c.slot == 0 ? "B" : "A";
    const std::string from = c.source == PatchSource::mean    ? std::string("mean of ") + own
                             : c.source == PatchSource::world ? std::string("mean of the world of ") + own
                                                              : std::string(other);
    return line("what if", head_text({c.block, c.head}) + " " +
                               std::string(head_part_names[static_cast<std::size_t>(c.part)]) +
                               (c.to == AttentionTo::source ? " to source at " : " at ") +
                               (c.position < 0 ? "every word" : "@" + std::to_string(c.position)) + " from " + from);
}

std::string change_line(const WhatIf& change) {
    if (const auto* part = std::get_if<what_if::HeadPatch>(&change)) return patch_line(*part);
    const std::string ending = endings[change.index()];
    if (ending.empty())
        return "# " + filled(tr("{1}: was on the screen, but a lesson cannot express it"), {describe(change)}) + "\n";
    if (const auto* norm = std::get_if<what_if::NormScaled>(&change))
        return line("what if", "norm " + norm->norm + " gamma " + typed_number(static_cast<double>(norm->gamma)) +
                                   " beta " + typed_number(static_cast<double>(norm->beta)));
    return std::visit(
        [&](const auto& c) {
            std::string text;
            if constexpr (requires { c.block; }) text += "block " + std::to_string(c.block) + " ";
            if constexpr (requires { c.head; }) text += "head " + std::to_string(c.head) + " ";
            text += ending;
            if constexpr (requires { c.to == AttentionTo::source; })
                if (c.to == AttentionTo::source) text += " to source";
            return line("what if", text);
        },
        change);
}

/// A field is one line without blanks at its ends.
std::string sentence_line(const char* name, const std::string& text) {
    if (text.empty()) return {};
    const bool breaks = std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < ' '; });
    if (!breaks && trimmed(text) == text) return line(name, text);
    return "# " + filled(tr("{1}: was on the screen, but a lesson cannot express it"), {name}) + "\n";
}

std::string meaning_line(const Frame& frame) {
    const int layer = frame.own<MeaningMapState>().layer;
    return line("meaning map", layer < 0 ? "follow" : layer == 0 ? "embedding" : std::to_string(layer - 1));
}

std::string experiment_lines(const Frame& frame, const std::vector<Knob>& knobs) {
    constexpr std::array<const char*, 3> cards{"attention", "prediction", "meaning"};
    const ExperimentState& page = frame.own<ExperimentState>();
    const std::string text = join(knobs, "; ", [](const Knob& knob) { return knob.name + " " + text_of(knob.values); });
    return line("experiment", text) + line("experiment cards", cards[static_cast<std::size_t>(page.shows)]) +
           (page.claim.empty() ? "" : line("experiment claim", page.claim));
}

}  // namespace

std::string lesson_head(const std::string& title, const ModelInfo& model) {
    return line("lesson", title) + (model.world.empty() ? "" : line("model", model.world));
}

std::string step_of_screen(const Frame& frame, const std::string& title) {
    const Snapshot& s = frame.snapshot;
    const ViewState& state = frame.state;
    std::string step = "\n== " + title + "\n" + sentence_line("A", s.text_of(0));
    step += sentence_line("B", s.text_of(1)) + word_line(frame, 0);
    if (s.comparing.of_sentences()) step += word_line(frame, 1);
    const HeadChoice head = head_of(state, 0);
    step += line("layer", std::to_string(head.layer)) + line("head", std::to_string(head.head));
    step += line("sentence", state.slot == 0 ? "A" : "B") + line("compare", state.compare ? "yes" : "no");
    step += line("beside", beside(s, state)) + line("view", std::string(all_views()[state.view].name));
    step += meaning_line(frame) + line("step", s.live ? "newest" : std::to_string(s.step));
    if (s.model->translates()) step += line("look at", state.cross_attention ? "source" : "itself");
    char temperature[16];
    std::snprintf(temperature, sizeof temperature, "%.2f",
                  static_cast<double>(std::clamp(state.temperature, 0.0f, 2.0f)));
    if (state.temperature != 1.0f) step += line("temperature", temperature);
    if (state.word_colour != WordColour::attention)
        step += line("colour", state.word_colour == WordColour::surprise ? "surprise" : "entropy");
    if (frame.own<ExperimentState>().open && s.experiment) step += experiment_lines(frame, s.experiment->plan.knobs);
    for (const WhatIf& change : s.what_if) step += change_line(change);
    return step + "\n" + tr("Describe here what there is to see.") + "\n";
}

}  // namespace glassformer::app
