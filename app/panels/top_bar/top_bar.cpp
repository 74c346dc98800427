#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "app/common/glossary.h"
#include "app/common/metric_curves.h"
#include "app/common/text_size.h"
#include "app/common/token_names.h"
#include "app/common/what_if_changes.h"
#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/panels/leaving/leaving_question.h"
#include "app/panels/panels.h"
#include "app/panels/sentence/compare_controls.h"
#include "app/panels/setup/setup_view.h"
#include "app/panels/top_bar/top_bar_layout.h"
#include "app/session/model_catalog.h"
#include "app/ui/choice_list.h"
#include "app/ui/opaque_fill.h"
#include "app/views/registry.h"
#include "core/base/number_text.h"

namespace glassformer::app {

namespace {

constexpr float chip_height = 32;  // pixels at 100 %

std::string sizes_tooltip(const ModelInfo& m) {
    const TransformerConfig& c = m.config;
    const auto row = [](const std::string& what, std::int64_t n) { return "\n" + what + " " + grouped(n); };
    std::string text = filled(tr("The model's sizes{1}"), {row(tr("n_layers (blocks)"), c.n_layers)});
    if (!c.recurrent()) text += row(tr("n_heads (in each block)"), c.n_heads);
    if (!c.recurrent() && c.n_key_value_heads() < c.n_heads)
        text += row(tr("key heads (each shared by several heads)"), c.n_key_value_heads());
    text += row(filled(tr("d_model (numbers per {1})"), {token_name(m)}), c.d_model);
    if (!c.recurrent()) text += row(tr("d_head (numbers per head)"), c.d_head());
    if (!c.recurrent() && c.activation != Activation::none) text += row(tr("d_mlp (width of the MLP)"), c.d_mlp);
    if (c.d_vocab > 0)
        text += row(filled(tr("d_vocab ({1} it knows, including special ones)"), {token_names(m)}), c.d_vocab);
    if (c.input == InputKind::values) text += row(tr("d_input (numbers it reads at each position)"), c.d_input);
    return text + row(filled(tr("n_ctx ({1} of the longest sentence)"), {token_names(m)}), c.n_ctx) +
           row(tr("parameters (weights and biases)"), m.parameter_count);
}

/// Draws the parts that the layout chose. Must not outlive the call that created it.
class TopBar {
public:
    TopBar(const Frame& frame, const Box& box)
        : frame_(frame), ui_(frame.ui), s_(frame.snapshot), box_(box), layout_(frame, box.width()) {}
    void draw();

private:
    using Part = TopBarLayout::Part;
    using enum TopBarLayout::Part;

    /// Returns a part's box: of this height in pixels at 100 %, centred vertically in the bar.
    Box place_of(Part part, float x, float pixels_high = chip_height) const {
        const float height = std::min(ui_.px(pixels_high), box_.height());
        return Box::sized({x, std::round((box_.min.y + box_.max.y - height) / 2)}, layout_.width_of(part), height);
    }
    void draw_left(Part part, float x);
    void draw_logo(float x) const;
    void draw_number(Part part, float x, const ItemValue& value, FontRole font) const;
    void draw_badge(Part part, float x, const char* label, const ItemValue& value, std::string_view tooltip) const;
    Response draw_chip(Part part, float x, const char* label, const ItemValue& value, std::string_view tooltip = {});
    void draw_train(float x);
    void draw_world(float x);
    void explain_disabled(const char* label) const;
    void draw_follow(float x);
    void draw_altered(float x);
    void draw_lessons(float x);
    void draw_session_part(Part part, float x);
    void draw_view_part(Part part, float x);

    const Frame& frame_;
    const Ui& ui_;
    const Snapshot& s_;
    Box box_;
    TopBarLayout layout_;
};

void TopBar::draw() {
    draw::opaque_fill(ui_, box_, ui_.theme->card);
    draw::horizontal_line(ui_, box_.min.x, box_.max.x, box_.max.y - ui_.px(1), ui_.theme->card_border);
    const float margin = ui_.px(TopBarLayout::margin), gap = ui_.px(TopBarLayout::gap);
    float x = box_.min.x + margin;
    for (const Part part : layout_.left()) {
        if (x > box_.min.x + margin) x += layout_.space_before(part);
        draw_left(part, x);
        x += layout_.width_of(part);
    }
    const std::vector<Part> right = layout_.right();
    x = box_.max.x - margin + gap;
    for (const Part part : right) x -= layout_.width_of(part) + gap;
    for (const Part part : right) {
        draw_view_part(part, x);
        x += layout_.width_of(part) + gap;
    }
}

void TopBar::draw_left(Part part, float x) {
    if (part == logo) return draw_logo(x);
    if (part != name) return draw_session_part(part, x);
    draw::label(ui_, box_.between_x(x, x + layout_.width_of(name) + 1), layout_.text(name), {FontRole::title_bold},
                {"name"});
}

// Draws a pane of glass with two crossing lines in it, one in the query's colour and one in attention's.
void TopBar::draw_logo(float x) const {
    const Theme& t = *ui_.theme;
    const float size = ui_.px(TopBarLayout::logo_size), y = std::round((box_.min.y + box_.max.y - size) / 2),
                in = std::round(size * 0.29f);
    draw::rounded_box(ui_, {{x, y}, {x + size, y + size}}, t.attention_tint, t.text, 6, 1.5f);
    const ImVec2 a = {x + in, y + in}, b = {x + size - in, y + size - in};
    const float width = std::max(1.5f, ui_.px(2));
    ui_.list()->AddLine(a, b, t.query, width);
    ui_.list()->AddLine({a.x, b.y}, {b.x, a.y}, t.attention_text, width);
    ui_.list()->AddCircleFilled({(a.x + b.x) / 2, (a.y + b.y) / 2}, ui_.px(2.5f), t.value);
}

void TopBar::draw_number(Part part, float x, const ItemValue& value, FontRole font) const {
    const Box box = box_.between_x(x, x + layout_.width_of(part));
    const char* label = part == step ? "step" : part == loss ? "loss" : "rate";
    draw::label(ui_, box, layout_.text(part), {font, part == step ? ui_.theme->text : ui_.theme->text_muted},
                {label, value, part == rate ? tr("steps per second\nHow fast it is training now.") : ""});
    if (part != rate) term_tip(ui_, box, label);
}

/// Flat, because it only informs: it must not look like a button.
void TopBar::draw_badge(Part part, float x, const char* label, const ItemValue& value, std::string_view tooltip) const {
    draw::label(ui_, place_of(part, x, TopBarLayout::badge_height), layout_.text(part),
                {FontRole::small, ui_.theme->text_muted, draw::Align::centre}, {label, value, tooltip});
}

/// Draws a part as a chip. If `value` is set, it replaces the button's own.
Response TopBar::draw_chip(Part part, float x, const char* label, const ItemValue& value, std::string_view tooltip) {
    const Box box = place_of(part, x);
    ButtonStyle style = layout_.style_of(part);
    style.tooltip = tooltip;
    const Response r = button(ui_, label, box, layout_.text(part), style);
    if (value.value) ui_.items->add(label, box, item_state(value), layout_.text(part));
    return r;
}

/// Says why a training control is disabled.
void TopBar::explain_disabled(const char* label) const {
    const Item* item = ui_.items->find(label);
    if (!s_.model->trainable() && item && draw::hovered(*item))
        draw::tooltip(ui_, filled(tr("Read-only\n{1}"), {tr_sentence(s_.model->why_not_trained)}));
}

/// Lists what can be opened: trained models first, then a fresh one of every world.
void TopBar::draw_world(float x) {
    const std::string tip =
        filled(tr("{1}\nThe world that the model learns. Choose another model, or a new one to train from scratch."),
               {s_.model->world_title.empty() ? tr("A model without a world") : tr_sentence(s_.model->world_title)});
    if (!layout_.offers()) return draw_badge(world, x, "world", std::nullopt, tip);
    const Box box = place_of(world, x);
    std::vector<ListedChoice> choices;
    int current = -1;
    for (const ModelCatalog::Model& m : s_.catalog->models) {
        if (m.folder == s_.model->folder) current = int_size(choices);
        choices.push_back({ui_.items->format("%s, trained", m.name.c_str()), tr(title_of(*s_.catalog, m.name)),
                           tr(summary_of(*s_.catalog, m.name))});
    }
    const std::size_t models = choices.size();
    for (const ListedWorld& fresh : s_.catalog->worlds) {
        if (s_.model->folder.empty() && fresh.name == s_.model->world) current = int_size(choices);
        choices.push_back({ui_.items->format("%s, from scratch", fresh.name.c_str()),
                           tr(title_of(*s_.catalog, fresh.name)), tr(summary_of(*s_.catalog, fresh.name))});
    }
    const std::size_t worlds = choices.size();
    choices.push_back({"new run…", tr("New run…"), tr("any world, any model")});
    choices.back().heading = tr("Your own");
    if (models > 0) choices.front().heading = tr("Trained models, to explore");
    if (worlds > models) choices[models].heading = tr("From scratch, to train");
    const int chosen =
        dropdown(ui_, "world", box, layout_.text(world), std::span<const ListedChoice>(choices), current);
    if (draw::hovered(box)) draw::tooltip(ui_, tip);
    if (chosen < 0) return;
    const std::size_t at = chosen;
    if (at == worlds)
        open_setup(frame_);
    else if (at < models)
        leave_for(frame_, command::OpenModel{s_.catalog->models[at].folder});
    else
        leave_for(frame_, command::OpenWorld{s_.catalog->worlds[at - models].name});
}

void TopBar::draw_train(float x) {
    explain_disabled("train");
    const bool training = s_.state == RunState::training;
    if (!draw_chip(train, x, "train", training,
                   training  ? tr("Pause the training (T)")
                   : s_.live ? tr("Train from the newest step (T)")
                             : filled(tr("Train from step {1}, the newest (T)"), {grouped(s_.live_step)})))
        return;
    if (training)
        frame_.send(command::Pause{});
    else
        frame_.send(command::Train{});
}

void TopBar::draw_follow(float x) {
    const std::string now = filled(tr("Every panel shows step {1}\nClick to see the newest, step {2}."),
                                   {grouped(s_.step), grouped(s_.live_step)});
    if (draw_chip(follow, x, "follow live", s_.live_step, now)) frame_.send(command::FollowLive{});
}

/// The model is not as trained: says so wherever one looks.
void TopBar::draw_altered(float x) {
    const std::vector<WhatIf>& changes = what_if_changes(frame_);
    std::string list = tr("The model is altered");
    for (const WhatIf& change : changes) list += "\n" + change_text(frame_, change);
    list += tr("\nClick to undo every change (R).");
    if (draw_chip(altered, x, "altered", changes.size(), list)) restore_model(frame_);
}

void TopBar::draw_lessons(float x) {
    LessonMenu& menu = frame_.state.window.lessons;
    std::vector<std::string_view> titles(menu.titles.begin(), menu.titles.end());
    titles.push_back(ui_.items->format(
        "%s", filled(tr("A lesson about the view {1}"), {tr(chosen_view(frame_.state).name)}).c_str()));
    titles.push_back(tr("All lessons…"));
    const int chosen = dropdown(ui_, "lessons", place_of(lessons, x), layout_.text(lessons), titles, menu.open, titles);
    if (chosen < 0) return;
    if (chosen + 1 == int_size(titles)) return void(menu.course = true);
    menu.ask = LessonMenu::Ask::start;
    menu.of_view = chosen == int_size(menu.titles);
    menu.which = chosen;
    menu.step = -1;
}

void TopBar::draw_session_part(Part part, float x) {
    switch (part) {
        case world:
            return draw_world(x);
        case model:
            return draw_badge(part, x, "model", s_.model->parameter_count, sizes_tooltip(*s_.model));
        case train:
            return draw_train(x);
        case reset:
            explain_disabled("reset");
            return draw_reset_question(
                frame_, draw_chip(part, x, "reset", std::nullopt, tr("Start over with new random weights")).clicked,
                {x, box_.max.y + ui_.px(4)});
        case step:
            return draw_number(part, x, s_.step, FontRole::body_bold);
        case loss:
            return draw_number(part, x, measured_loss(s_), FontRole::body);
        case rate:
            return draw_number(part, x, s_.steps_per_second, FontRole::body);
        case follow:
            return draw_follow(x);
        case altered:
            return draw_altered(x);
        default:
            return draw_backend_choice(frame_, place_of(backend, x), layout_.text(backend));
    }
}

void TopBar::draw_view_part(Part part, float x) {
    ViewState& v = frame_.state;
    const auto pressed = [&](const char* label, const ItemValue& value, std::string_view tooltip) {
        return draw_chip(part, x, label, value, tooltip).clicked;
    };
    switch (part) {
        case lessons:
            return draw_lessons(x);
        case compare:
            return draw_compare_choice(frame_, place_of(compare, x), layout_.text(compare));
        case presenter:
            if (pressed("presenter", v.presenter, tr("One panel fills the screen, for an audience (F5, F11)")))
                v.presenter = !v.presenter;
            return;
        case colours:
            if (pressed("theme", v.theme == ThemeKind::dark, tr("Light or dark colours")))
                v.theme = v.theme == ThemeKind::light ? ThemeKind::dark : ThemeKind::light;
            return;
        case smaller:
            if (pressed("smaller", text_size(v).scale, tr("Smaller text (Ctrl −)")))
                change_text_size(v, -text_scale::step);
            return;
        case larger:
            if (pressed("larger", text_size(v).scale, tr("Larger text (Ctrl +)")))
                change_text_size(v, text_scale::step);
            return;
        default:
            if (pressed("help", v.window.help, tr("Help and keys (F1)"))) v.window.help = !v.window.help;
    }
}

}  // namespace

void draw_top_bar(const Frame& frame, const Box& box) { TopBar(frame, box).draw(); }

}  // namespace glassformer::app
