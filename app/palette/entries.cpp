#include "app/palette/entries.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <numeric>

#include "app/common/glossary.h"
#include "app/common/sentence_edit.h"
#include "app/language/tr.h"
#include "app/palette/fuzzy.h"
#include "app/panels/leaving/leaving_question.h"
#include "app/panels/sentence/compare_controls.h"
#include "app/panels/sentence/sentence_card.h"
#include "app/panels/stages/stage_strip.h"
#include "app/panels/timeline/timeline_drawing.h"
#include "app/session/model_catalog.h"
#include "app/views/registry.h"

namespace glassformer::app {

namespace {

using Entries = std::vector<PaletteEntry>;

void add_commands(const Frame& frame, Entries& entries) {
    for (const WindowCommand& c : window_commands())
        if (!c.offered || c.offered(frame))
            entries.push_back(
                {std::string(c.title), N_("command"), std::string(c.keywords), std::string(c.key), c.run});
}

void add_comparisons(const Frame& frame, Entries& entries) {
    const std::vector<CompareKind> kinds = compare_kinds(frame);
    const int now = compare_kind(frame, kinds);
    for (int i = 0; i < static_cast<int>(kinds.size()); ++i) {
        if (i == now) continue;
        const CompareKind kind = kinds[i];
        entries.push_back({kind.both ? "Compare " + std::string(kind.name) : N_("Show one sentence"), N_("command"),
                           kind.both ? "side by side both A B difference" : "compare off single alone", "",
                           [kind](const Frame& f) { compare_by(f, kind); }, 0,
                           kind.both ? filled(tr("Compare {1}"), {tr(kind.name)}) : std::string()});
    }
}

void add_languages(const Frame& frame, Entries& entries) {
    for (const Language& other : frame.state.window.languages)
        if (other.code != language())
            entries.push_back({"Language: " + other.code, N_("command"), "translate locale " + other.code, "",
                               [other](const Frame& f) { f.state.window.choose(other); }, 0,
                               filled(tr("Language: {1}"), {other.name})});
}

/// Adds an entry that travels to a step, for "step 300" or a number alone.
void add_step(const Frame& frame, std::string_view query, Entries& entries) {
    const auto digit = query.find_first_of("0123456789");
    if (digit == std::string_view::npos || frame.snapshot.kept_steps.empty()) return;
    const std::int64_t asked = std::strtoll(std::string(query.substr(digit)).c_str(), nullptr, 10);
    const std::int64_t step = nearest_kept(frame.snapshot, asked);
    const Title title = titled("Go to step %lld", static_cast<long long>(step));
    entries.push_back({title.name, N_("timeline"), "travel " + std::to_string(asked), "",
                       [step](const Frame& f) { travel_to(f, step); }, 0, title.shown});
}

void add_views(const Frame& frame, Entries& entries) {
    const auto views = all_views();
    for (std::size_t i = 0; i < views.size(); ++i) {
        if (!is_offered(frame, views[i])) continue;
        entries.push_back({std::string(tab_title(frame, views[i])), N_("view"),
                           "view show " + std::string(views[i].name) + " " + std::string(views[i].also) + " " +
                               std::string(views[i].meaning) + " " + std::string(tr(views[i].meaning)),
                           "", [i](const Frame& f) { f.state.view = static_cast<int>(i); }});
    }
}

void add_stages(const Frame& frame, Entries& entries) {
    for (const NamedStage& stage : stages_here(frame)) {
        entries.push_back({stage.name, N_("stage"), "stage number " + stage.label, "",
                           [place = stage.place](const Frame& f) { open_stage(f, place); }, 0, stage.shown});
    }
}

void add_blocks(const Frame& frame, Entries& entries) {
    const TransformerConfig& config = frame.model().config;
    for (int layer = 0; layer < config.n_layers; ++layer) {
        const Title title = titled("Block %d", layer);
        entries.push_back({title.name, N_("block"), "layer", layer == 0 ? "↑ ↓" : "",
                           [layer](const Frame& f) { choose_layer(f.state, f.snapshot, layer); }, 0, title.shown});
    }
    if (config.recurrent()) return;  // there is no attention
    for (int layer = 0; layer < config.n_layers; ++layer)
        for (int head = 0; head < config.n_heads; ++head) {
            const Title title = titled("Block %d · head %d", layer, head);
            entries.push_back({title.name, N_("head"), "layer attention", layer == 0 && head == 0 ? "← →" : "",
                               [layer, head](const Frame& f) { choose_head(f.state, f.snapshot, layer, head); }, 0,
                               title.shown});
        }
}

/// Words of the current sentence come first.
void add_words(const Frame& frame, Entries& entries) {
    for (const int slot : {frame.state.slot, 1 - frame.state.slot}) {
        const std::string letter = Frame::letter(slot);
        const int count = static_cast<int>(frame.sentence(slot).tokens.size());
        for (int token = 0; token < count; ++token)
            entries.push_back({frame.word(slot, token),
                               filled(tr("word {1} of {2}"), {std::to_string(token + 1), letter}),
                               "word token choose " + letter, token == 0 ? "Tab" : "",
                               [slot, token](const Frame& f) {
                                   choose_token(f.state, f.snapshot, slot, token);
                                   f.state.narrow_panel = card_panel(slot);
                               },
                               0, frame.word(slot, token)});
    }
}

void add_samples(const Frame& frame, Entries& entries) {
    const std::string kind = filled(tr("sample for {1}"), {Frame::letter(frame.snapshot.text_slot(frame.state.slot))});
    for (const Sample& sample : frame.snapshot.model->samples) {
        const std::string& text = sample.text;
        entries.push_back({text, kind, "sample sentence", "",
                           [text](const Frame& f) {
                               f.state.own<SentenceEdits>().of[f.snapshot.text_slot(f.state.slot)].open = false;
                               f.send(command::Watch{f.snapshot.text_slot(f.state.slot), text});
                           },
                           0, text});
    }
}

void add_lessons(const Frame& frame, Entries& entries) {
    const std::vector<std::string>&titles = frame.state.window.lessons.titles, &also = frame.state.window.lessons.also;
    for (int i = 0; i < static_cast<int>(titles.size()); ++i) {
        const std::string& title = titles[i];
        entries.push_back({title, N_("lesson"), "start play course " + also[i], "",
                           [i](const Frame& f) {
                               LessonMenu& menu = f.state.window.lessons;
                               menu.ask = LessonMenu::Ask::start, menu.which = i;
                           },
                           0, title});
    }
}

/// Adds the entries of the list of worlds, by title.
void add_worlds(const Frame& frame, Entries& entries) {
    if (!frame.snapshot.catalog) return;
    const ModelCatalog& catalog = *frame.snapshot.catalog;
    const auto add = [&](const char* format, const std::string& name, const char* kind, Command command) {
        const std::string title(title_of(catalog, name)), about(summary_of(catalog, name));
        entries.push_back({filled(format, {title}), kind,
                           "open world model " + name + " " + about + " " + (about.empty() ? "" : tr(about)), "",
                           [command = std::move(command)](const Frame& f) { leave_for(f, command); }, 0,
                           filled(tr(format), {tr(title)})});
    };
    for (const ModelCatalog::Model& model : catalog.models)
        if (model.folder != frame.snapshot.model->folder)
            add(N_("{1}, trained"), model.name, N_("model"), command::OpenModel{model.folder});
    for (const ListedWorld& world : catalog.worlds)
        add(N_("{1}, from scratch"), world.name, N_("world"), command::OpenWorld{world.name});
}

void add_terms(Entries& entries) {
    for (const GlossaryTerm& term : glossary()) {
        const std::string name(term.name);
        entries.push_back({"What does “" + name + "” mean?", N_("glossary"),
                           "is a the meaning of " + std::string(term.also), "",
                           [name](const Frame& f) { f.state.window.term_card = name; }, 3,
                           titled("What does “%s” mean?", tr(name).c_str()).shown});
    }
}

}  // namespace

Title titled(const char* format, ...) {
    Title title;
    const char* const formats[] = {format, tr(format)};
    std::string* const texts[] = {&title.name, &title.shown};
    for (int i = 0; i < 2; ++i) {
        char text[200];
        va_list arguments;
        va_start(arguments, format);
        std::vsnprintf(text, sizeof text, formats[i], arguments);
        va_end(arguments);
        *texts[i] = text;
    }
    return title;
}

Entries all_entries(const Frame& frame, std::string_view query) {
    Entries entries;
    add_commands(frame, entries);
    add_comparisons(frame, entries);
    add_languages(frame, entries);
    add_step(frame, query, entries);
    add_views(frame, entries);
    add_stages(frame, entries);
    add_blocks(frame, entries);
    add_words(frame, entries);
    add_what_if(frame, entries);
    add_worlds(frame, entries);
    add_lessons(frame, entries);
    add_samples(frame, entries);
    add_terms(entries);
    return entries;
}

Entries found_entries(Entries entries, std::string_view query) {
    std::vector<float> scores;
    for (const PaletteEntry& e : entries) {
        const float found =
            std::max(match(query, e.title, e.keywords + " " + e.kind), match(query, e.text(), tr(e.kind)));
        scores.push_back(found > e.handicap ? found - e.handicap : found);
    }
    std::vector<std::size_t> order(entries.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
    Entries found;
    for (const std::size_t i : order)
        if (scores[i] > 0) found.push_back(std::move(entries[i]));
    if (!found.empty()) return found;
    // A question that no title matches literally.
    const std::string subject = subject_of(query);
    return subject.empty() ? found : found_entries(std::move(entries), subject);
}

}  // namespace glassformer::app
