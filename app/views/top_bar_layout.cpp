#include "app/views/top_bar_layout.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace glassformer::app {

namespace {

constexpr float group_gap = 16;  // pixels at 100 %

/// The most important first: a narrow bar keeps the head of this list. The keyboard has the rest (A−/A+ are Ctrl − and
/// +).
constexpr std::array<TopBarLayout::Part, TopBarLayout::part_count> by_importance = [] {
    using enum TopBarLayout::Part;
    return std::array{train, step,      follow, help, larger,  smaller, logo,  compare, reset,
                      loss,  presenter, theme,  name, backend, rate,    model, world};
}();

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

}  // namespace

TopBarLayout::TopBarLayout(const Frame& frame, float width) : state_(frame.state), ui_(frame.ui), s_(frame.snapshot) {
    write_texts();
    choose_parts(width);
}

std::vector<TopBarLayout::Part> TopBarLayout::shown_between(int first, int last) const {
    std::vector<Part> parts;
    for (int part = first; part < last; ++part)
        if (shown_[static_cast<std::size_t>(part)]) parts.push_back(static_cast<Part>(part));
    return parts;
}

void TopBarLayout::write_texts() {
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
    text_[theme] = state_.theme == ThemeKind::light ? "Light" : "Dark";
    text_[smaller] = "A−", text_[larger] = "A+", text_[help] = "?";
}

bool TopBarLayout::wanted(Part part) const {
    if (part == rate) return s_.state == RunState::training;
    if (part == follow) return !s_.live;
    return part != world || !text_[world].empty();
}

/// Room for the digits to come, so that the bar does not shake while it trains.
float TopBarLayout::number_width(Part part) const {
    const FontRole font = part == step ? FontRole::body_bold : FontRole::body;
    const std::string steps = "step " + std::to_string(std::max<std::int64_t>(s_.live_step, 100));
    const std::string_view usual = part == step ? std::string_view(steps) : part == loss ? "loss 0.00" : "0000 steps/s";
    const float now = draw::text_size(ui_, text_[part], font).x;
    return std::ceil(std::max(draw::text_size(ui_, usual, font).x, now)) + ui_.px(2);
}

/// What a part says where there is little room; empty when it is shown whole or not at all.
std::string TopBarLayout::short_text(Part part) const {
    const TransformerConfig& c = s_.model->config;
    if (part == model) return counted(c.n_layers, "layer") + " · " + counted(c.n_heads, "head");
    return part == follow ? "back to now" : part == compare ? "A | B" : "";
}

ButtonStyle TopBarLayout::style_of(Part part) const {
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
            style.tone = state_.compare ? Tone::attention : Tone::plain;
            break;
        case presenter:
            style.tone = state_.presenter ? Tone::attention : Tone::plain;
            break;
        case smaller:
            style.enabled = state_.scale > text_scale::least;
            break;
        case larger:
            style.enabled = state_.scale < text_scale::most;
            break;
        default:
            break;
    }
    return style;
}

float TopBarLayout::width_of(Part part) const {
    if (part == logo) return ui_.px(logo_size);
    if (part == name) return std::ceil(draw::text_size(ui_, text_[name], FontRole::title_bold).x);
    if (part == step || part == loss || part == rate) return number_width(part);
    // "Train" and "Pause" take turns in one place.
    if (part == train)
        return std::max(chip_width(ui_, "Train", style_of(train)), chip_width(ui_, "Pause", style_of(train)));
    return chip_width(ui_, text_[part], style_of(part));
}

float TopBarLayout::space_before(Part part) const {
    const bool group = part == world || part == train || part == step || part == follow || part == backend ||
                       part == loss || part == rate;
    return ui_.px(part == name ? 10 : group ? 14 : gap);
}

// Adds the most important parts while they fit. A notice that takes more than half of the bar is shortened at once.
void TopBarLayout::choose_parts(float width) {
    const float room = width - 2 * ui_.px(margin) - ui_.px(group_gap);
    float taken = 0;
    const auto fits = [&](Part part) {
        const float most = part == follow ? room * 0.55f : room;
        return taken + width_of(part) + space_before(part) <= most;
    };
    for (const Part part : by_importance) {
        if (!wanted(part)) continue;
        const std::string shorter = short_text(part);
        if (!fits(part) && !shorter.empty()) text_[part] = shorter;
        const float wide = width_of(part) + space_before(part);
        if (taken + wide > room) return;
        taken += wide;
        shown_[part] = true;
    }
}

}  // namespace glassformer::app
