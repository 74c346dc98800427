#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "app/views/views.h"
#include "app/window/input.h"

namespace glassformer::app {

namespace {

constexpr float least_scale = 0.75f, most_scale = 2.0f, scale_step = 0.25f;
constexpr float chip_height = 32, gap = 6, group_gap = 16, margin = 16, logo_size = 24;  // pixels at 100 %

/// What can stand in the bar, from left to right. The last three groups are right-aligned.
enum Part {
    logo,
    name,
    world,
    model,
    train,
    reset,
    step,
    loss,
    rate,
    follow,
    backend,
    compare,
    presenter,
    theme,
    smaller,
    larger,
    help,
    part_count
};
constexpr Part first_right = compare;

/// The most important first: a narrow bar keeps the head of this list. The keyboard has the rest (A−/A+ are Ctrl − and
/// +).
constexpr std::array<Part, part_count> by_importance = {train, step,    follow, help,  larger,    smaller,
                                                        logo,  compare, reset,  loss,  presenter, theme,
                                                        name,  backend, rate,   model, world};

std::string count_text(std::int64_t n) {
    char text[32];
    if (n < 1000)
        std::snprintf(text, sizeof text, "%d", static_cast<int>(n));
    else if (n < 1000000)
        std::snprintf(text, sizeof text, "%.0f k", static_cast<double>(n) / 1e3);
    else
        std::snprintf(text, sizeof text, "%.1f M", static_cast<double>(n) / 1e6);
    return text;
}

std::string counted(int n, const char* thing) { return std::to_string(n) + " " + thing + (n == 1 ? "" : "s"); }

/// The first two pieces of "CPU · AVX2 · 2 threads".
std::string short_backend(const std::string& full) {
    const std::string dot = " · ";
    const std::size_t first = full.find(dot), second = first == std::string::npos ? first : full.find(dot, first + 1);
    return full.substr(0, second);
}

std::string sizes_tooltip(const ModelInfo& m) {
    const TransformerConfig& c = m.config;
    const auto row = [](const char* what, std::int64_t n) {
        return std::string("\n") + what + " " + std::to_string(n);
    };
    return "The model's sizes" + row("n_layers (blocks)", c.n_layers) + row("n_heads (in each block)", c.n_heads) +
           row("d_model (numbers per word)", c.d_model) + row("d_head (numbers per head)", c.d_head()) +
           row("d_mlp (width of the MLP)", c.d_mlp) + row("d_vocab (words it knows)", c.d_vocab) +
           row("n_ctx (longest sentence)", c.n_ctx) + row("parameters (learned numbers)", m.parameter_count);
}

/// Chooses what fits, then draws it. Lives for one call.
class TopBar {
public:
    TopBar(const Frame& frame, const Box& box) : frame_(frame), ui_(frame.ui), s_(frame.snapshot), box_(box) {
        write_texts();
        choose_parts();
    }
    void draw();

private:
    void write_texts();
    void choose_parts();
    float width_of(Part part) const;
    float space_before(Part part) const;
    float number_width(Part part) const;
    std::string short_text(Part part) const;
    bool wanted(Part part) const;
    ButtonStyle style_of(Part part) const;
    const std::string& text_of(Part part) const { return text_[part]; }

    void draw_part(Part part, float x);
    void draw_logo(float x) const;
    void draw_number(Part part, float x, double value, FontRole font) const;
    Response draw_chip(Part part, float x, const char* label, std::optional<double> value,
                       std::string_view tooltip = {});
    void draw_session_part(Part part, float x);
    void draw_view_part(Part part, float x);
    void draw_reset(float x);
    void confirm_reset(ImVec2 at) const;

    const Frame& frame_;
    const Ui& ui_;
    const Snapshot& s_;
    Box box_;
    std::array<std::string, part_count> text_;
    std::array<bool, part_count> shown_{};
};

void TopBar::write_texts() {
    const ModelInfo& m = *s_.model;
    char text[64];
    text_[name] = "Glassformer";
    text_[world] = m.world_title;
    text_[model] = "encoder · " + counted(m.config.n_layers, "layer") + " · " + counted(m.config.n_heads, "head") +
                   " · " + count_text(m.parameter_count);
    text_[train] = s_.state == RunState::training ? "Pause" : "Train";
    text_[reset] = "Reset";
    text_[step] = "step " + std::to_string(s_.step);
    std::snprintf(text, sizeof text, "loss %.2f", static_cast<double>(s_.loss));
    text_[loss] = text;
    std::snprintf(text, sizeof text, "%.0f steps/s", static_cast<double>(s_.steps_per_second));
    text_[rate] = text;
    text_[follow] = "looking at step " + std::to_string(s_.step) + " · back to now";
    text_[backend] = short_backend(m.backend);
    text_[compare] = "A | B compare";
    text_[presenter] = "Presenter";
    text_[theme] = frame_.state.theme == ThemeKind::light ? "Light" : "Dark";
    text_[smaller] = "A−", text_[larger] = "A+", text_[help] = "?";
}

bool TopBar::wanted(Part part) const {
    if (part == rate) return s_.state == RunState::training;
    if (part == follow) return !s_.live;
    return part != world || !text_[world].empty();
}

/// Room for the digits to come, so that the bar does not shake while it trains.
float TopBar::number_width(Part part) const {
    const FontRole font = part == step ? FontRole::body_bold : FontRole::body;
    const std::string steps = "step " + std::to_string(std::max<std::int64_t>(s_.live_step, 100));
    const std::string_view usual = part == step ? std::string_view(steps) : part == loss ? "loss 0.00" : "0000 steps/s";
    const float now = draw::text_size(ui_, text_[part], font).x;
    return std::ceil(std::max(draw::text_size(ui_, usual, font).x, now)) + ui_.px(2);
}

/// What a part says where there is little room; empty when it is shown whole or not at all.
std::string TopBar::short_text(Part part) const {
    const TransformerConfig& c = s_.model->config;
    if (part == model) return counted(c.n_layers, "layer") + " · " + counted(c.n_heads, "head");
    return part == follow ? "back to now" : part == compare ? "A | B" : "";
}

ButtonStyle TopBar::style_of(Part part) const {
    ButtonStyle style;
    switch (part) {
        case world:
        case model:
            style.tone = Tone::quiet;
            break;
        case train:
            style.tone = Tone::primary;
            style.icon = static_cast<int>(s_.state == RunState::training ? draw::Icon::pause : draw::Icon::play);
            style.font = FontRole::body_bold;
            break;
        case follow:
            style.gold = true;
            break;
        case backend:
            style.tone = Tone::good;
            break;
        case compare:
            style.tone = frame_.state.compare ? Tone::attention : Tone::plain;
            break;
        case presenter:
            style.tone = frame_.state.presenter ? Tone::attention : Tone::plain;
            break;
        case smaller:
            style.enabled = frame_.state.scale > least_scale;
            break;
        case larger:
            style.enabled = frame_.state.scale < most_scale;
            break;
        default:
            break;
    }
    return style;
}

float TopBar::width_of(Part part) const {
    if (part == logo) return ui_.px(logo_size);
    if (part == name) return std::ceil(draw::text_size(ui_, text_[name], FontRole::title_bold).x);
    if (part == step || part == loss || part == rate) return number_width(part);
    // "Train" and "Pause" take turns in one place.
    if (part == train)
        return std::max(chip_width(ui_, "Train", style_of(train)), chip_width(ui_, "Pause", style_of(train)));
    return chip_width(ui_, text_[part], style_of(part));
}

float TopBar::space_before(Part part) const {
    const bool group = part == world || part == train || part == step || part == follow || part == backend ||
                       part == loss || part == rate;
    return ui_.px(part == name ? 10 : group ? 14 : gap);
}

// Adds the most important parts while they fit. A notice that takes more than half of the bar is shortened at once.
void TopBar::choose_parts() {
    const float room = box_.width() - 2 * ui_.px(margin) - ui_.px(group_gap);
    float taken = 0;
    const auto fits = [&](Part part) {
        const float most = part == follow ? room * 0.55f : room;
        return taken + width_of(part) + space_before(part) <= most;
    };
    for (const Part part : by_importance) {
        if (!wanted(part)) continue;
        const std::string shorter = short_text(part);
        if (!fits(part) && !shorter.empty()) text_[part] = shorter;
        const float width = width_of(part) + space_before(part);
        if (taken + width > room) return;
        taken += width;
        shown_[part] = true;
    }
}

void TopBar::draw() {
    ui_.list()->AddRectFilled(box_.min, box_.max, ui_.theme->card);
    draw::horizontal_line(ui_, box_.min.x, box_.max.x, box_.max.y - ui_.px(1), ui_.theme->card_border);
    float x = box_.min.x + ui_.px(margin);
    for (int part = 0; part < first_right; ++part) {
        if (!shown_[static_cast<std::size_t>(part)]) continue;
        if (x > box_.min.x + ui_.px(margin)) x += space_before(static_cast<Part>(part));
        draw_part(static_cast<Part>(part), x);
        x += width_of(static_cast<Part>(part));
    }
    float right = box_.max.x - ui_.px(margin);
    for (int part = first_right; part < part_count; ++part)
        if (shown_[static_cast<std::size_t>(part)]) right -= width_of(static_cast<Part>(part)) + ui_.px(gap);
    right += ui_.px(gap);
    for (int part = first_right; part < part_count; ++part) {
        if (!shown_[static_cast<std::size_t>(part)]) continue;
        draw_part(static_cast<Part>(part), right);
        right += width_of(static_cast<Part>(part)) + ui_.px(gap);
    }
}

void TopBar::draw_part(Part part, float x) {
    if (part == logo) return draw_logo(x);
    if (part >= first_right) return draw_view_part(part, x);
    if (part != name) return draw_session_part(part, x);
    const ImVec2 min = {x, box_.min.y}, max = {x + width_of(name) + 1, box_.max.y};
    draw::text_in(ui_, min, max, text_[name], {FontRole::title_bold});
    ui_.items->add("name", min, max, std::nullopt, text_[name]);
}

// A pane of glass with two lines that cross in it, one in the query's colour and one in attention's.
void TopBar::draw_logo(float x) const {
    const Theme& t = *ui_.theme;
    const float size = ui_.px(logo_size), y = std::round((box_.min.y + box_.max.y - size) / 2),
                in = std::round(size * 0.29f);
    draw::rounded_box(ui_, {x, y}, {x + size, y + size}, t.attention_tint, t.text, 6, 1.5f);
    const ImVec2 a = {x + in, y + in}, b = {x + size - in, y + size - in};
    const float width = std::max(1.5f, ui_.px(2));
    ui_.list()->AddLine(a, b, t.query, width);
    ui_.list()->AddLine({a.x, b.y}, {b.x, a.y}, t.attention_text, width);
    ui_.list()->AddCircleFilled({(a.x + b.x) / 2, (a.y + b.y) / 2}, ui_.px(2.5f), t.value);
}

void TopBar::draw_number(Part part, float x, double value, FontRole font) const {
    const ImVec2 min = {x, box_.min.y}, max = {x + number_width(part), box_.max.y};
    draw::text_in(ui_, min, max, text_[part], {font, part == step ? ui_.theme->text : ui_.theme->text_muted});
    const char* label = part == step ? "step" : part == loss ? "loss" : "rate";
    ui_.items->add(label, min, max, value, text_[part]);
    if (!draw::hovered(min, max)) return;
    draw::tooltip(
        ui_, part == step ? "step\nHow many batches of sentences the model on screen has learned from."
             : part == loss
                 ? "loss\nHow surprised the model is by the hidden words, averaged over recent steps. Lower is better."
                 : "steps per second\nHow fast it is training now.");
}

/// A chip in its place. The item's value, where it has one, replaces the button's own.
Response TopBar::draw_chip(Part part, float x, const char* label, std::optional<double> value,
                           std::string_view tooltip) {
    const float height = std::min(ui_.px(chip_height), box_.height()),
                y = std::round((box_.min.y + box_.max.y - height) / 2);
    const ImVec2 min = {x, y}, max = {x + width_of(part), y + height};
    ButtonStyle style = style_of(part);
    style.tooltip = tooltip;
    const Response r = button(ui_, label, min, max, text_[part], style);
    if (value) ui_.items->add(label, min, max, value, text_[part]);
    return r;
}

void TopBar::draw_session_part(Part part, float x) {
    const bool training = s_.state == RunState::training;
    switch (part) {
        case world:
            draw_chip(part, x, "world", std::nullopt,
                      text_[world] +
                          "\nThe small language that the model learns, made by a grammar: for every sentence we know "
                          "what each word means.");
            break;
        case model:
            draw_chip(part, x, "model", static_cast<double>(s_.model->parameter_count), sizes_tooltip(*s_.model));
            break;
        case train:
            if (draw_chip(part, x, "train", training ? 1 : 0,
                          training ? "Pause the training\nSpace does the same."
                                   : "Train from the newest step\nSpace does the same.")) {
                if (training)
                    frame_.send(command::Pause{});
                else
                    frame_.send(command::Train{});
            }
            break;
        case reset:
            draw_reset(x);
            break;
        case step:
            draw_number(part, x, static_cast<double>(s_.step), FontRole::body_bold);
            break;
        case loss:
            draw_number(part, x, static_cast<double>(s_.loss), FontRole::body);
            break;
        case rate:
            draw_number(part, x, static_cast<double>(s_.steps_per_second), FontRole::body);
            break;
        case follow: {
            const std::string now = "Every panel shows step " + std::to_string(s_.step) +
                                    "\nClick to see the newest, step " + std::to_string(s_.live_step) + ".";
            if (draw_chip(part, x, "follow live", static_cast<double>(s_.live_step), now))
                frame_.send(command::FollowLive{});
            break;
        }
        default:
            draw_chip(part, x, "backend", std::nullopt, "What computes the model\n" + s_.model->backend);
            break;
    }
}

void TopBar::draw_view_part(Part part, float x) {
    ViewState& v = frame_.state;
    switch (part) {
        case compare:
            if (draw_chip(part, x, "compare", v.compare ? 1 : 0,
                          "Two sentences side by side\nOff: only the one you are working on."))
                v.compare = !v.compare;
            break;
        case presenter:
            if (draw_chip(part, x, "presenter", v.presenter ? 1 : 0, "Larger text for an audience\nF5 does the same."))
                v.presenter = !v.presenter;
            break;
        case theme:
            if (draw_chip(part, x, "theme", v.theme == ThemeKind::dark ? 1 : 0, "Light or dark colours"))
                v.theme = v.theme == ThemeKind::light ? ThemeKind::dark : ThemeKind::light;
            break;
        case smaller:
            if (draw_chip(part, x, "smaller", static_cast<double>(v.scale), "Smaller text\nCtrl − does the same."))
                v.scale = std::max(least_scale, v.scale - scale_step);
            break;
        case larger:
            if (draw_chip(part, x, "larger", static_cast<double>(v.scale), "Larger text\nCtrl + does the same."))
                v.scale = std::min(most_scale, v.scale + scale_step);
            break;
        default:
            if (draw_chip(part, x, "help", v.help ? 1 : 0, "Keys, and what this is\nF1 does the same."))
                v.help = !v.help;
            break;
    }
}

// An untrained model has nothing to lose; a trained one is asked for.
void TopBar::draw_reset(float x) {
    const bool clicked = draw_chip(reset, x, "reset", std::nullopt, "Start over with fresh weights").clicked;
    if (clicked && s_.live_step == 0)
        frame_.send(command::Reset{});
    else if (clicked)
        ImGui::OpenPopup("##reset");
    confirm_reset({x, box_.max.y + ui_.px(4)});
}

void TopBar::confirm_reset(ImVec2 at) const {
    if (!ImGui::IsPopupOpen("##reset")) return;
    constexpr std::string_view question = "Start over from step 0 with fresh weights?";
    const float pad = ui_.px(14), height = ui_.px(30), line = ui_.line(FontRole::body);
    const float width = std::min(std::ceil(draw::text_size(ui_, question).x) + ui_.px(2),
                                 ImGui::GetIO().DisplaySize.x - 2 * pad - ui_.px(16));
    const float lines = draw::text_size(ui_, question).x > width ? 2.6f : 1.0f;
    const ImVec2 size = {width + 2 * pad, 2 * pad + line * lines + ui_.px(10) + height};
    ImGui::SetNextWindowPos(
        {std::max(ui_.px(8), std::min(at.x, ImGui::GetIO().DisplaySize.x - size.x - ui_.px(8))), at.y});
    ImGui::SetNextWindowSize(size);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(pad, pad));
    if (ImGui::BeginPopup("##reset", ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoScrollbar)) {
        const ImVec2 from = ImGui::GetCursorScreenPos();
        draw::text_wrapped(ui_, from, width, question);
        ImVec2 place = {from.x, from.y + line * lines + ui_.px(10)};
        ButtonStyle danger;
        danger.tone = Tone::danger;
        const bool yes = chip(ui_, "reset/confirm", place, height, "Reset", danger).clicked;
        const bool no = chip(ui_, "reset/cancel", place, height, "Cancel").clicked;
        if (yes) frame_.send(command::Reset{});
        if (yes || no || key_pressed(Key::escape)) ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
}

}  // namespace

void draw_top_bar(const Frame& frame, const Box& box) { TopBar(frame, box).draw(); }

}  // namespace glassformer::app
