#include "app/panels/sentence/compare_controls.h"

#include <algorithm>
#include <cmath>

#include "app/common/provenance.h"
#include "app/common/sentence_edit.h"
#include "app/language/tr.h"
#include "app/ui/input.h"
#include "core/base/number_text.h"
#include "core/text/words.h"

namespace glassformer::app {

namespace {

using What = Comparing::What;

constexpr float arrow_room = 37;  // pixels at 100 %: a list's width without its text

void compare_with(const Frame& frame, Comparing with) {
    frame.state.compare = true;
    // A chosen model is read again: its folder may have been saved anew.
    if (with.what == What::models || !(frame.snapshot.comparing == with)) frame.send(command::CompareWith{std::move(with)});
}

bool has_models(const Snapshot& snapshot) { return snapshot.catalog && !snapshot.catalog->models.empty(); }

/// Returns true if a model of the catalog knows all words of a text.
bool reads(const ModelCatalog::Model& model, const std::string& text) {
    const std::vector<std::string> words = split_words(text);
    return !words.empty() && std::ranges::all_of(words, [&](const std::string& word) {
        return word == "▢" || std::ranges::binary_search(model.words, word);
    });
}

/// Returns the folder of the included model of the same world, otherwise of the first one that can read A's text,
/// otherwise of the model itself.
std::string first_folder(const Snapshot& snapshot) {
    const std::vector<ModelCatalog::Model>& models = snapshot.catalog->models;
    const auto same = std::ranges::find(models, snapshot.model->world, &ModelCatalog::Model::name);
    if (same != models.end()) return same->folder;
    if (snapshot.model->config.input == InputKind::words) {
        const std::string& text = snapshot.sentences[0].text;
        const auto able = std::ranges::find_if(models, [&](const auto& model) { return reads(model, text); });
        if (able != models.end()) return able->folder;
    }
    return snapshot.model->folder.empty() ? models.front().folder : snapshot.model->folder;
}

std::int64_t first_step(const Snapshot& snapshot) {
    const std::vector<std::int64_t>& kept = snapshot.kept_steps;
    return kept.front() != snapshot.step ? kept.front() : kept.back();
}

float list_width(const Ui& ui, std::string_view widest) {
    return std::ceil(draw::text_size(ui, widest).x) + ui.px(arrow_room);
}

/// Returns "Block 0", "Block 1", …: `format` filled with each number.
IM_FMTLIST(2) std::vector<std::string_view> numbered(const Ui& ui, const char* format, int count) {
    std::vector<std::string_view> names;
    for (int i = 0; i < count; ++i) names.push_back(ui.items->format(format, i));
    return names;
}

void choose_head_of_b(const Frame& frame, int layer, int head) {
    frame.state.slot = 1;
    choose_head(frame.state, frame.snapshot, layer, head);
}

float draw_heads(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    const TransformerConfig& config = frame.model(1).config;
    const std::vector<std::string_view> block_names = numbered(ui, "Block %d", config.n_layers),
                                        head_names = numbered(ui, "Head %d", config.n_heads),
                                        blocks = numbered(ui, tr("Block %d"), config.n_layers),
                                        heads = numbered(
                                            ui, frame.state.cross_attention ? tr("Cross head %d") : tr("Head %d"),
                                            config.n_heads);
    const HeadChoice now = head_of(frame.state, 1);
    const float head = list_width(ui, heads.back()), block = list_width(ui, blocks.back());
    const float middle = box.max.x - head - ui.px(6), left = middle - block;
    const int layer_chosen =
        dropdown(ui, "B/block", box.between_x(left, middle), blocks[now.layer], block_names, now.layer, blocks);
    const int head_chosen = dropdown(ui, "B/head", box.right(head), heads[now.head], head_names, now.head, heads);
    if (layer_chosen >= 0) choose_head_of_b(frame, layer_chosen, now.head);
    if (head_chosen >= 0) choose_head_of_b(frame, now.layer, head_chosen);
    return left;
}

/// Lists the models of the catalog, and any folder.
float draw_models(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    const std::string& folder = frame.snapshot.comparing.folder;
    std::vector<std::string_view> choices;
    int current = -1;
    if (frame.snapshot.catalog)
        for (const ModelCatalog::Model& model : frame.snapshot.catalog->models) {
            if (model.folder == folder) current = int_size(choices);
            choices.push_back(model.name);
        }
    std::vector<std::string_view> shown_choices = choices;
    choices.push_back("Folder…");
    shown_choices.push_back(tr("Folder…"));
    const std::string shown = folder_name(folder);
    const float left = std::max(box.min.x, box.max.x - list_width(ui, shown));
    const int chosen = dropdown(ui, "B/model", box.right_of(left), shown, choices, current, shown_choices);
    if (chosen < 0) return left;
    const std::size_t at = chosen;
    SentenceEdit& edit = frame.state.own<SentenceEdits>().of[1];
    edit.open = edit.take_focus = at + 1 == choices.size();
    if (edit.open)
        edit.draft = folder;
    else
        compare_with(frame, {What::models, frame.snapshot.catalog->models[at].folder, 0});
    return left;
}

float draw_steps(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    const std::vector<std::int64_t>& kept = frame.snapshot.kept_steps;
    const auto at = std::ranges::lower_bound(kept, frame.sentence(1).step) - kept.begin();
    const int now = std::min(static_cast<int>(at), int_size(kept) - 1);
    std::vector<std::string_view> names, steps;
    for (const std::int64_t step : kept) {
        names.push_back(ui.items->format("step %s", grouped(step).c_str()));
        steps.push_back(ui.items->format(tr("step %s"), grouped(step).c_str()));
    }
    const auto go = [&](int index) { compare_with(frame, {What::steps, {}, kept[index]}); };
    const float square = box.height(), gap = ui.px(4), list = list_width(ui, steps.back());
    const float after = box.max.x - square, middle = after - gap - list, before = middle - gap - square;
    ButtonStyle style{.enabled = now > 0, .tooltip = tr("Previous kept step"), .icon = draw::Icon::step_back};
    if (button(ui, "B/step before", box.between_x(before, before + square), "", style)) go(now - 1);
    const int chosen = dropdown(ui, "B/step", box.between_x(middle, middle + list), steps[now], names, now, steps);
    if (chosen >= 0) go(chosen);
    style.enabled = now + 1 < int_size(kept);
    style.icon = draw::Icon::step_forward;
    style.tooltip = tr("Next kept step");
    if (button(ui, "B/step after", box.right_of(after), "", style)) go(now + 1);
    return before;
}

}  // namespace

std::vector<CompareKind> compare_kinds(const Frame& frame) {
    const TransformerConfig& config = frame.snapshot.model->config;
    std::vector<CompareKind> kinds = {{N_("off"), false}, {N_("two sentences")}};
    if (!config.recurrent() && config.n_layers * config.n_heads > 1)
        kinds.push_back({N_("two heads"), true, What::heads});
    if (has_models(frame.snapshot)) kinds.push_back({N_("two models"), true, What::models});
    if (frame.snapshot.kept_steps.size() > 1) kinds.push_back({N_("two steps"), true, What::steps});
    return kinds;
}

int compare_kind(const Frame& frame, std::span<const CompareKind> kinds) {
    for (std::size_t i = 0; i < kinds.size(); ++i)
        if (kinds[i].both == frame.state.compare && (!kinds[i].both || kinds[i].what == frame.snapshot.comparing.what))
            return static_cast<int>(i);
    return -1;
}

std::string_view compare_name(const Frame& frame) {
    if (!frame.state.compare) return N_("off");
    switch (frame.snapshot.comparing.what) {
        case What::heads:
            return N_("heads");
        case What::models:
            return N_("models");
        case What::steps:
            return N_("steps");
        default:
            return N_("sentences");
    }
}

void compare_by(const Frame& frame, const CompareKind& kind) {
    const Snapshot& s = frame.snapshot;
    if (s.comparing.what != kind.what) {
        Comparing with{kind.what, {}, 0};
        if (kind.what == What::models) with.folder = first_folder(s);
        if (kind.what == What::steps) with.step = first_step(s);
        compare_with(frame, std::move(with));
    }
    frame.state.compare = kind.both;
}

void draw_compare_choice(const Frame& frame, const Box& box, std::string_view shown) {
    const std::vector<CompareKind> kinds = compare_kinds(frame);
    std::vector<std::string_view> names;
    for (const CompareKind& kind : kinds) names.push_back(kind.name);
    const int chosen = dropdown(frame.ui, "compare", box, shown, names, compare_kind(frame, kinds));
    if (chosen >= 0) return compare_by(frame, kinds[chosen]);
    if (draw::hovered(box))
        draw::tip(
            frame.ui, box,
            tr("What to compare\nTwo sentences, or one sentence in two heads, in two models or at two steps of the "
               "training."));
}

float draw_compare_controls(const Frame& frame, const Box& box) {
    switch (frame.snapshot.comparing.what) {
        case What::heads:
            return draw_heads(frame, box);
        case What::models:
            return draw_models(frame, box);
        case What::steps:
            return frame.snapshot.kept_steps.empty() ? box.max.x : draw_steps(frame, box);
        default:
            return box.max.x;
    }
}

float draw_compare_folder(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    SentenceEdit& edit = frame.state.own<SentenceEdits>().of[1];
    bool entered = false;
    if (edit.take_focus) ui.focus->enter_field();
    edit.take_focus = false;
    const float bottom = box.min.y + ui.px(30);
    text_field(ui, "B/folder", box.above(bottom), edit.draft, tr("The folder of a model, then Enter"), &entered);
    if (entered) compare_with(frame, {What::models, edit.draft, 0});
    if (entered || key_pressed(Key::escape)) edit.open = false;
    return bottom;
}

}  // namespace glassformer::app
