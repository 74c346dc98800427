#include "app/panels/top_bar/top_bar_layout.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "app/common/metric_curves.h"
#include "app/common/provenance.h"
#include "app/common/text_size.h"
#include "app/common/what_if_changes.h"
#include "app/language/tr.h"
#include "app/panels/sentence/compare_controls.h"
#include "app/panels/setup/setup_words.h"
#include "core/base/number_text.h"

namespace glassformer::app {

namespace {

constexpr float group_gap = 16;  // pixels at 100 %

/// The most important first: a narrow bar keeps the start of this list. The keyboard covers the rest (A−/A+ are Ctrl −
/// and Ctrl +).
constexpr std::array<TopBarLayout::Part, TopBarLayout::part_count> by_importance = [] {
    using enum TopBarLayout::Part;
    return std::array{train,   step, altered,   follow,  reset, help, larger, smaller, logo,   lessons,
                      compare, loss, presenter, colours, world, name, rate,   model,   backend};
}();

/// Formats "1 layer", "4 layers" with the matching plural form, which contains %d.
std::string counted(int n, const char* format) {
    char text[120];
    std::snprintf(text, sizeof text, format, n);
    return text;
}

/// 28 → "28 parameters", 12000 → "12 k", 1500000 → "1.5 M".
std::string count_text(std::int64_t n) {
    if (n < 1000) return counted(static_cast<int>(n), tr("%d parameter", "%d parameters", static_cast<long>(n)));
    char text[32];
    if (n < 1000000)
        std::snprintf(text, sizeof text, "%.0f k", static_cast<double>(n) / 1e3);
    else
        std::snprintf(text, sizeof text, "%.1f M", static_cast<double>(n) / 1e6);
    return text;
}

/// "2 layers · 4 heads".
std::string sizes(const TransformerConfig& c) {
    const std::string layers = counted(c.n_layers, tr("%d layer", "%d layers", c.n_layers));
    return c.recurrent() ? layers : layers + " · " + counted(c.n_heads, tr("%d head", "%d heads", c.n_heads));
}

}  // namespace

TopBarLayout::TopBarLayout(const Frame& frame, float width)
    : frame_(frame), state_(frame.state), ui_(frame.ui), s_(frame.snapshot), changes_(what_if_changes(frame)) {
    write_texts();
    choose_parts(width);
}

std::vector<TopBarLayout::Part> TopBarLayout::shown_between(int first, int last) const {
    std::vector<Part> parts;
    for (int part = first; part < last; ++part)
        if (shown_[part]) parts.push_back(static_cast<Part>(part));
    return parts;
}

void TopBarLayout::write_texts() {
    const ModelInfo& m = *s_.model;
    text_[name] = "Glassformer";
    const std::string from = folder_name(m.folder);  // a model from elsewhere has no world, but a name
    text_[world] = !m.world_title.empty() ? brief_title(m.world_title) : from.empty() ? tr("No world") : from;
    text_[model] = std::string(tr(setup_choices(m.config.family)[static_cast<std::size_t>(m.config.family)].name)) +
                   " · " + sizes(m.config) + " · " + count_text(m.parameter_count);
    text_[train] = s_.state == RunState::training ? tr("Pause") : tr("Train");
    text_[reset] = tr("Reset");
    text_[step] = filled(tr("step {1}"), {std::to_string(s_.step)});
    const std::optional<double> measured = measured_loss(s_);
    text_[loss] = measured ? of_the_training(frame_, filled(tr("loss {1}"), {with_decimals(*measured)})) : tr("loss –");
    text_[rate] = filled(tr("{1} steps/s"), {with_decimals(s_.steps_per_second, 0)});
    text_[follow] = filled(tr("viewing step {1} · back to newest"), {std::to_string(s_.step)});
    text_[altered] = altered_count(changes_.size());
    text_[backend] = backend_name(frame_);
    text_[compare] = "A | B " + std::string(tr(compare_name(frame_)));
    text_[presenter] = tr("Presenter");
    text_[colours] = state_.theme == ThemeKind::light ? tr("Light") : tr("Dark");
    text_[lessons] = tr("Lessons");
    text_[smaller] = "A−", text_[larger] = "A+", text_[help] = "?";
}

bool TopBarLayout::wanted(Part part) const {
    if (part == step) return s_.model->has_training;
    if (part == rate) return s_.state == RunState::training;
    if (part == follow) return !s_.live;
    if (part == altered) return !changes_.empty();
    if (part == lessons) return !state_.window.lessons.titles.empty();
    return true;
}

/// Reserves room for more digits, so that the bar does not shake during training.
float TopBarLayout::number_width(Part part) const {
    const FontRole font = part == step ? FontRole::body_bold : FontRole::body;
    const std::string steps = filled(tr("step {1}"), {std::to_string(std::max<std::int64_t>(s_.live_step, 100))});
    const std::string_view usual = part == step   ? std::string_view(steps)
                                   : part == loss ? tr("loss 0.00")
                                                  : tr("0000 steps/s");
    const float now = draw::text_size(ui_, text_[part], font).x;
    return std::ceil(std::max(draw::text_size(ui_, usual, font).x, now)) + ui_.px(2);
}

/// Returns a part's short form; empty if it is shown in full or not at all.
std::string TopBarLayout::short_text(Part part) const {
    const TransformerConfig& c = s_.model->config;
    if (part == model) return sizes(c);
    if (part == world) return tr("World");
    if (part == altered) return tr("altered");
    return part == follow ? tr("back to newest") : part == compare ? "A | B" : "";
}

ButtonStyle TopBarLayout::style_of(Part part) const {
    const bool training = s_.state == RunState::training, trainable = s_.model->trainable();
    const TextSize size = text_size(state_);
    switch (part) {
        case train:
            return {.tone = Tone::primary,
                    .enabled = trainable,
                    .font = FontRole::body_bold,
                    .icon = training ? draw::Icon::pause : draw::Icon::play};
        case reset:
            if (text_[reset].empty()) return {.enabled = trainable, .icon = draw::Icon::restart};
            return {.enabled = trainable};
        case follow:
            return {.gold = true};
        case altered:
            return {.gold = true, .icon = draw::Icon::close};
        case presenter:
            return {.tone = state_.presenter ? Tone::attention : Tone::plain};
        case smaller:
            return {.enabled = size.scale > size.least};
        case larger:
            return {.enabled = size.scale < size.most};
        default:
            return {};
    }
}

float TopBarLayout::width_of(Part part) const {
    if (part == logo) return ui_.px(logo_size);
    if (part == name) return std::ceil(draw::text_size(ui_, text_[name], FontRole::title_bold).x);
    if (part == step || part == loss || part == rate) return number_width(part);
    if (part == world && !offers()) return std::ceil(draw::text_size(ui_, text_[part], FontRole::small).x) + 2;
    if (part == world) return std::ceil(draw::text_size(ui_, text_[part]).x + ui_.px(37));
    if (part == model) return std::ceil(draw::text_size(ui_, text_[part], FontRole::small).x) + 2;
    if (part == compare || part == backend) return std::ceil(draw::text_size(ui_, text_[part]).x + ui_.px(37));
    if (part == lessons) return std::ceil(draw::text_size(ui_, text_[lessons]).x) + ui_.px(35);  // with its arrow
    // "Train" and "Pause" share one place.
    if (part == train)
        return std::max(chip_width(ui_, tr("Train"), style_of(train)), chip_width(ui_, tr("Pause"), style_of(train)));
    return chip_width(ui_, text_[part], style_of(part));
}

float TopBarLayout::space_before(Part part) const {
    const bool group = part == world || part == train || part == step || part == follow || part == altered ||
                       part == backend || part == loss || part == rate;
    return ui_.px(part == name ? 10 : group ? 14 : gap);
}

bool TopBarLayout::left_of_status(Part part) { return part < step; }

/// Returns a part's width independent of the training: its maximum, or that of its shortest form.
float TopBarLayout::reserved_width(Part part) const {
    if (part == step) return draw::text_size(ui_, tr("step 00000"), FontRole::body_bold).x + ui_.px(2);
    if (part == loss) return draw::text_size(ui_, tr("loss 0.00"), FontRole::body).x + ui_.px(2);
    if (part == rate) return draw::text_size(ui_, tr("0000 steps/s"), FontRole::body).x + ui_.px(2);
    if (part == colours) return std::max(chip_width(ui_, tr("Light")), chip_width(ui_, tr("Dark")));
    if (part == follow || part == altered) return chip_width(ui_, short_text(part), style_of(part));
    if (part == compare) return std::ceil(draw::text_size(ui_, short_text(part)).x) + ui_.px(37);
    return width_of(part);
}

/// Returns the width of all parts down to "A | B", without the logo and what is rare.
float TopBarLayout::usual_width() const {
    float width = 0;
    for (const Part part : by_importance) {
        if (part == logo || part == follow || part == altered || !wanted(part)) continue;
        width += reserved_width(part) + space_before(part);
        if (part == compare) break;
    }
    return width;
}

// Train must stay under the mouse, so what is left of the status depends only on the room, as if every part of the
// status were present.
void TopBarLayout::choose_steady_parts(float room) {
    // The word "Reset", long in some languages, and the logo go before the lessons or "A | B" have to.
    if (usual_width() > room) text_[reset].clear();
    const bool logo_fits = usual_width() + reserved_width(logo) + space_before(logo) <= room;
    float reserved = 0;
    for (const Part part : by_importance) {
        if (part == altered) continue;  // rare: it may push out what is right of it
        if (part == logo && !logo_fits) continue;
        const auto fits = [&] { return reserved + reserved_width(part) + space_before(part) <= room; };
        if ((part == model || part == world) && !fits()) text_[part] = short_text(part);
        if (!fits()) return;
        reserved += reserved_width(part) + space_before(part);
        if (left_of_status(part)) shown_[part] = true;
    }
}

/// Returns the width of the less important parts of status and choices, without the backend.
float TopBarLayout::reserved_after(Part part) const {
    float width = 0;
    const auto at = std::ranges::find(by_importance, part);
    for (auto i = at + 1; i != by_importance.end(); ++i)
        if (!left_of_status(*i) && *i != backend && wanted(*i)) width += reserved_width(*i) + space_before(*i);
    return width;
}

// Adds the most important parts while they fit.
void TopBarLayout::choose_parts(float width) {
    const float room = width - 2 * ui_.px(margin) - ui_.px(group_gap);
    choose_steady_parts(room);
    shown_[train] = true;
    float taken = 0;
    for (int part = 0; part < step; ++part)
        if (shown_[part]) taken += width_of(static_cast<Part>(part)) + space_before(static_cast<Part>(part));
    for (const Part part : by_importance) {
        if (left_of_status(part) || !wanted(part)) continue;
        // The notice and "A | B off" are shortened before anything else has to go.
        const float later = part == follow || part == altered || part == compare ? reserved_after(part) : 0;
        const auto fits = [&](float more) { return taken + width_of(part) + space_before(part) + more <= room; };
        if (const std::string shorter = short_text(part); !shorter.empty() && !fits(later)) text_[part] = shorter;
        if (!fits(0)) return;
        taken += width_of(part) + space_before(part);
        shown_[part] = true;
    }
}

}  // namespace glassformer::app
