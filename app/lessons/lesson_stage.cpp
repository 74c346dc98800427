#include "app/lessons/lesson_stage.h"

#include <algorithm>
#include <utility>

#include "app/common/head_summaries.h"
#include "app/common/sentence_edit.h"
#include "app/common/what_if_changes.h"
#include "app/common/what_if_paint.h"
#include "app/common/word_alignment.h"
#include "app/panels/meaning/meaning_map.h"
#include "app/views/generate/generation.h"
#include "app/views/registry.h"
#include "core/base/filled.h"
#include "core/base/mark_text.h"
#include "core/graph/hook_names.h"

namespace glassformer::app {

namespace {

/// Returns the kept step that LookAt(step) shows.
std::int64_t nearest_kept(const Snapshot& snapshot, std::int64_t step) {
    const auto& kept = snapshot.kept_steps;
    const auto distance = [&](std::int64_t k) { return std::abs(k - step); };
    const auto found = std::ranges::min_element(kept, {}, distance);
    return found == kept.end() ? snapshot.step : *found;
}

bool is_head_patch(const SceneChange& change) { return std::holds_alternative<what_if::HeadPatch>(change.change); }

/// Whether there are changes whose head or word is known only once the scene is on screen.
bool has_own_place(const Scene& scene) {
    return std::ranges::any_of(scene.what_if, [](const SceneChange& c) { return c.this_head || is_head_patch(c); });
}

/// Returns the position of a word that a scene names as live numbers do ("la"#2, @3); a plain word needs no quotes.
std::optional<int> place_of_word(const Snapshot& snapshot, int slot, const std::string& word, int line) {
    const bool named = word.starts_with('"') || word.starts_with('@');
    const Expression place =
        parse_expression((slot ? "B: place " : "A: place ") + (named ? word : '"' + word + '"'), line);
    const LiveValue found = evaluate(place, {snapshot});
    if (!found.number) return {};
    return static_cast<int>(*found.number);
}

/// The same in the source sentence of a translation; the first of several.
std::optional<int> place_of_source_word(const Snapshot& snapshot, int slot, std::string word) {
    const auto& source = snapshot.sentences[slot].source;
    if (word.starts_with('@')) {
        const int place = std::atoi(word.c_str() + 1);
        return place < int_size(source) ? std::optional(place) : std::nullopt;
    }
    std::erase(word, '"');
    const auto found = std::ranges::find(source, word, &WordTokenizer::Token::text);
    return found == source.end() ? std::nullopt : std::optional(static_cast<int>(found - source.begin()));
}

/// The same change in another head.
WhatIf at_head(WhatIf change, int block, int head) {
    std::visit(
        [&](auto& c) {
            if constexpr (requires {
                              c.block = block;
                              c.head = head;
                          })
                c.block = block, c.head = head;
        },
        change);
    return change;
}

}  // namespace

std::string LessonStage::folder_of(const Snapshot& snapshot, const std::string& model) {
    if (!snapshot.catalog) return {};
    const auto found = std::ranges::find(snapshot.catalog->models, model, &ModelCatalog::Model::name);
    return found == snapshot.catalog->models.end() ? std::string() : found->folder;
}

std::vector<WhatIf> LessonStage::changes_of(const Scene& scene) const {
    std::vector<WhatIf> changes;
    for (const SceneChange& change : scene.what_if) {
        if ((change.this_head && !found_) || is_head_patch(change)) continue;
        changes.push_back(change.this_head ? at_head(change.change, layer_, head_) : change.change);
    }
    changes.insert(changes.end(), rows_.begin(), rows_.end());
    return changes;
}

Comparing LessonStage::comparing_of(const Snapshot& snapshot, const Scene& scene) const {
    if (scene.beside.what != Comparing::What::models) return {scene.beside.what, {}, scene.beside.step};
    const std::string folder = folder_of(snapshot, scene.beside.model);
    return folder.empty() ? Comparing{}
                          : Comparing{Comparing::What::models, folder, 0};  // the step is shown without it
}

void LessonStage::begin(const Frame& frame, const Scene& scene, const std::array<std::string, 2>& texts) {
    found_ = false;
    written_ = 0;
    rows_.clear();
    texts_ = texts;
    const HeadSearch& search = scene.search;
    const bool searches = search.how != FindHead::no && !has_found(frame, search);
    Wish wish{scene.sentences, scene.step, comparing_of(frame.snapshot, scene), changes_of(scene), scene.fresh};
    if (searches) wish = {search.sentences, search.step, {}, {}, scene.fresh};
    for (std::size_t slot = 0; slot < 2; ++slot)
        if (wish.texts[slot].empty()) wish.texts[slot] = texts[slot];
    ask(frame, std::move(wish));
    searching_ = searches;
}

bool LessonStage::has_found(const Frame& frame, const HeadSearch& search) const {
    return found_head_ && found_head_->model == frame.snapshot.model && found_head_->search == search;
}

void LessonStage::ask(const Frame& frame, Wish wish) {
    const Snapshot& s = frame.snapshot;
    searching_ = false;
    // Until the last answer arrives, the snapshot does not tell what the worker is going to show.
    const bool unsure = waiting_;
    bool sent = false;
    const auto send = [&](Command command) {
        frame.send(std::move(command));
        sent = true;
    };
    for (SentenceEdit& edit : frame.state.own<SentenceEdits>().of) edit = {};
    const auto change = [&](std::vector<WhatIf> changes) {
        make_changes(frame, std::move(changes));
        sent = true;
    };
    // Some changes fit only one sentence: remove all before the sentences change.
    const bool changed = unsure || what_if_changes(frame) != wish.what_if;
    if (changed && (unsure || !what_if_changes(frame).empty())) change({});
    for (int slot = 0; slot < 2; ++slot) {
        const std::string& text = wish.texts[slot];
        if (unsure || s.asked_of(slot) != text) send(command::Watch{slot, text});
    }
    if (unsure || !(s.comparing == wish.comparing)) send(command::CompareWith{wish.comparing});
    if (changed && !wish.what_if.empty()) change(wish.what_if);
    const bool beyond = wish.train && wish.step.value_or(0) > s.live_step;
    if (beyond) {
        if (unsure || !s.live) send(command::FollowLive{});
        send(command::TrainUntil{StopAt{.step = wish.step}});
    } else if (wish.step && s.live && s.step == *wish.step && !unsure) {
        // Nothing to do.
    } else if (wish.step && (unsure || s.live || s.step != nearest_kept(s, *wish.step))) {
        send(command::LookAt{*wish.step});
    } else if (!wish.step && (unsure || !s.live)) {
        send(command::FollowLive{});
    }
    wish_ = std::move(wish);
    asked_at_ = sent ? s.number : 0;
    errors_before_ = s.error_number;
    waiting_ = true;
}

bool LessonStage::shows(const Snapshot& snapshot) const {
    for (std::size_t slot = 0; slot < 2; ++slot)
        if (snapshot.text_of(static_cast<int>(slot)) != wish_.texts[slot]) return false;
    if (!(snapshot.comparing == wish_.comparing) || snapshot.what_if != wish_.what_if) return false;
    if (!wish_.step) return snapshot.live;
    // If training stopped by itself, it goes no further: show its last step.
    if (wish_.train && snapshot.live_step < *wish_.step) return snapshot.trouble && snapshot.live;
    const bool there = snapshot.live && snapshot.step == *wish_.step;
    return there || snapshot.step == nearest_kept(snapshot, *wish_.step);
}

bool LessonStage::arrives(const Frame& frame, const Scene* scene, int line, const Report& report) {
    if (!waiting_ || frame.snapshot.number <= asked_at_) return false;
    if (frame.snapshot.error_number != errors_before_ && frame.snapshot.what_if != wish_.what_if && scene) {
        // This model cannot have the change: show the rest of the scene without it.
        report(line, "what if", frame.snapshot.error);
        wish_.what_if = frame.snapshot.what_if;
    }
    if (!shows(frame.snapshot)) return false;
    waiting_ = false;
    if (!scene) return true;
    if (searching_) {
        found_head_ = {frame.snapshot.model, scene->search, find_head(frame, scene->search.how)};
        begin(frame, *scene, std::array(texts_));
        return false;
    }
    const bool again = !found_ && (has_own_place(*scene) || !scene->paints.empty());
    show(frame, *scene, line, report);
    if (!again) return !go_on_writing(frame, *scene);
    // The head and its rows are known only now; ask for the changes and wait once more.
    paint(frame, *scene, report);
    patch_heads(frame, *scene, line, report);
    Wish wish = wish_;
    wish.what_if = changes_of(*scene);
    ask(frame, std::move(wish));
    return false;
}

/// Adds the rows with the scene's weights, from the pattern on screen.
void LessonStage::paint(const Frame& frame, const Scene& scene, const Report& report) {
    for (const Paint& paint : scene.paints) {
        const auto refuse = [&] {
            report(paint.cell.line, "paint", filled_with(N_("{{1}} is not an attention weight"), paint.cell.source));
        };
        const std::optional<TracedCell> cell = evaluate(paint.cell, place(frame.snapshot)).cell;
        const Trace* const trace = cell ? frame.trace(cell->slot) : nullptr;
        const NodePlace node = trace ? node_place(trace->graph()[cell->cell.node].name) : NodePlace();
        if (!node.is_pattern()) {
            refuse();
            continue;
        }
        const Shape& shape = trace->shape(cell->cell.node);  // [head, query, key]
        const std::int64_t keys = shape.back(), queries = shape.back(1), row = cell->cell.offset / keys;
        what_if::AttentionRow painted{.slot = cell->slot,
                                      .block = node.block,
                                      .head = static_cast<int>(row / queries),
                                      .query = static_cast<int>(row % queries),
                                      .weights = {},
                                      .to = node.cross() ? AttentionTo::source : AttentionTo::itself};
        const SliceView part = trace->part_of({cell->cell.node, row * keys});
        const std::span<const float> weights = part.cells(row * keys, keys);
        std::vector<bool> hidden;
        for (const float weight : weights) hidden.push_back(weight == 0.0f);  // softmax gives 0 only to masked keys
        painted.weights = repainted(weights, hidden, static_cast<int>(cell->cell.offset % keys), paint.weight);
        rows_.emplace_back(std::move(painted));
    }
}

/// Adds the head patches at the words that the scene names.
void LessonStage::patch_heads(const Frame& frame, const Scene& scene, int line, const Report& report) {
    for (const SceneChange& change : scene.what_if) {
        if (!is_head_patch(change)) continue;
        const auto& asked = std::get<what_if::HeadPatch>(change.change);
        const bool of_source = is_of_source(asked.part, asked.to);
        const std::optional<int> at = change.word.empty() ? -1
                                      : of_source ? place_of_source_word(frame.snapshot, asked.slot, change.word)
                                                  : place_of_word(frame.snapshot, asked.slot, change.word, line);
        if (asked.source == PatchSource::other && !can_patch(frame)) {
            report(line, "what if", N_("there is no other sentence to patch from"));
            continue;
        }
        if (!at) {
            report(line, "what if",
                   filled_with(N_("\"{1}\" is not in \"{2}\""), change.word, frame.sentence(asked.slot).text));
            continue;
        }
        const HeadChoice head = change.this_head ? HeadChoice{layer_, head_} : HeadChoice{asked.block, asked.head};
        rows_.emplace_back(
            head_patch(asked.slot, head, asked.to, asked.part, *at, asked.source, patch_alignment(frame, asked.slot)));
    }
}

/// Appends the most likely word to A, while the scene wants more.
bool LessonStage::go_on_writing(const Frame& frame, const Scene& scene) {
    const Trace* const trace = frame.trace(0);
    const bool room = trace && trace->positions() < frame.model(0).config.n_ctx;
    if (written_ >= scene.generate || !room || !views::generate::generates(frame.model(0)) ||
        !views::generate::why_not_longer(frame, 0).empty())
        return false;
    ++written_;
    Wish wish = wish_;
    wish.texts[0] = views::generate::text_with(frame, 0, views::generate::next_words(*trace, 1, 0, 1).front().id);
    ask(frame, std::move(wish));
    return true;
}

LessonStage::Chosen LessonStage::chosen_in(const ViewState& state) {
    return {state.view, {head_of(state, 0), head_of(state, 1)}, state.token, state.compare, state.cross_attention};
}

bool LessonStage::led_elsewhere(const Frame& frame) const {
    return !waiting_ && !(shows(frame.snapshot) && chosen_in(frame.state) == chosen_);
}

void LessonStage::show(const Frame& frame, const Scene& s, int line, const Report& report) {
    ViewState& state = frame.state;
    const int view = view_index(s.view);
    state.view = view < 0 ? attention_view() : view;
    if (const View& shown = chosen_view(state); shown.page) shown.page(state) = s.page;
    state.compare = s.compare;
    state.temperature = s.temperature;
    state.word_colour = s.colour;
    state.cross_attention = s.to_source.value_or(frame.snapshot.model->translates());
    state.own<MeaningMapState>().layer = s.meaning_layer;
    choose_words(frame, s, line, report);
    const TransformerConfig& config = frame.snapshot.model->config;
    const int last = config.n_layers - 1;
    if (s.layer.value_or(last) > last && s.layer != last_layer)
        report(
            line, "layer",
            filled_with(config.n_layers == 1 ? N_("the model has only {1} block") : N_("the model has only {1} blocks"),
                        config.n_layers));
    if (s.head.value_or(0) >= config.n_heads)
        report(line, "head",
               filled_with(config.n_heads == 1 ? N_("the model has only {1} head") : N_("the model has only {1} heads"),
                           config.n_heads));
    if (s.search.how != FindHead::no && found_head_)
        state.layer = found_head_->head.layer, state.head = found_head_->head.head;
    choose_head(state, frame.snapshot, s.layer.value_or(state.layer), s.head.value_or(state.head));
    layer_ = state.layer, head_ = state.head;
    found_ = true;
    settle(state, frame.snapshot);  // as it will be drawn: comparing links the words
    choose_other_head(frame, s, line, report);
    chosen_ = chosen_in(state);
    state.follow_strongest = true;  // drop what the previous step explained
    if (!s.explain) return;
    const LiveValue value = evaluate(*s.explain, place(frame.snapshot));
    if (value.cell)
        explain(state, *value.cell);
    else
        report(s.explain->line, "explain", filled_with(N_("{{1}} is not a number of this trace"), s.explain->source));
}

/// If two heads are compared, B's is the one in the scene, otherwise the next one.
void LessonStage::choose_other_head(const Frame& frame, const Scene& scene, int line, const Report& report) {
    head_of_b_.reset();
    ViewState& state = frame.state;
    if (state.comparing.what != Comparing::What::heads) return;
    const TransformerConfig& config = frame.snapshot.model->config;
    const HeadChoice next{state.layer, (state.head + 1) % config.n_heads};
    state.other_head = scene.beside.head.value_or(next);
    if (state.other_head.layer >= config.n_layers || state.other_head.head >= config.n_heads) {
        report(line, "beside",
               filled_with(config.n_layers == 1 ? N_("the model has only {1} block of {2} heads")
                                                : N_("the model has only {1} blocks of {2} heads"),
                           config.n_layers, config.n_heads));
        state.other_head = next;
    }
    head_of_b_ = state.other_head;
}

/// Returns the head that does `how` best in sentence A; or the one in which the words with two meanings attend most
/// strongly to another word, whichever words are selected: the scene may hide what they attend to, for a question.
HeadChoice LessonStage::find_head(const Frame& frame, FindHead how) const {
    if (how == FindHead::strongest) {
        ViewState state = frame.state;
        for (int slot = 0; slot < 2; ++slot) state.token[slot] = first_token(frame.model(slot), frame.sentence(slot));
        choose_strongest_head(state, frame.snapshot);
        return {state.layer, state.head};
    }
    HeadChoice best_head{frame.state.layer, frame.state.head};
    const Trace* trace = frame.trace(0);
    const TransformerConfig& config = frame.snapshot.model->config;
    double best = -1;
    for (int layer = 0; trace && layer < config.n_layers; ++layer)
        for (int head = 0; head < config.n_heads; ++head) {
            const HeadSummary found = summarize_head(*trace, layer, head);
            const double score = (how == FindHead::previous ? found.previous : found.induction).value_or(-1);
            if (score <= best) continue;
            best = score;
            best_head = {layer, head};
        }
    return best_head;
}

void LessonStage::choose_words(const Frame& frame, const Scene& scene, int line, const Report& report) const {
    for (int slot = 0; slot < 2; ++slot) {
        const std::size_t i = slot;
        const WatchedSentence& sentence = frame.sentence(slot);
        frame.state.token[i] = first_token(frame.model(slot), sentence);
        frame.state.own<SentenceEdits>().of[i].last_good =
            sentence.text;  // otherwise the picker takes it for new and selects the word itself
        const std::string& wanted = scene.words[i];
        if (wanted.empty()) continue;
        if (const std::optional<int> at = place_of_word(frame.snapshot, slot, wanted, line))
            frame.state.token[i] = *at;
        else
            report(line, std::string("word ") + Frame::letter(slot),
                   filled_with(N_("\"{1}\" is not in \"{2}\""), wanted, sentence.text));
    }
    frame.state.slot = scene.slot;
}

}  // namespace glassformer::app
