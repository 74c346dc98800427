#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "app/common/colour_legend.h"
#include "app/common/signed_map.h"
#include "app/language/tr.h"
#include "app/ui/scroll_page.h"
#include "app/views/training/training_pages.h"
#include "app/views/training/training_view.h"

namespace glassformer::app::views::training {

namespace {

constexpr std::int64_t map_most = 64;  // maximum rows and columns of a map whose cells are clickable
constexpr float picker_side = 12, cell_least = 4, picker_cell_most = 26, field = 96;  // pixels at 100 %

/// The parameter's values at the step on screen, without what-ifs; empty if no sentence could be traced.
std::span<const float> values_of(const Frame& frame, const TrainedParameter& p) {
    const WatchedSentence& sentence = frame.sentence(0);
    const Trace* trace = sentence.original ? sentence.original.get() : sentence.trace.get();
    if (!trace) return {};
    const std::optional<int> node = trace->graph().find(p.name);
    if (!node || trace->shape(*node).elements() != p.shape.elements()) return {};
    return trace->values(*node);
}

void pick(const Frame& frame, const TrainedParameter& p, std::int64_t in_parameter) {
    TrainingLook& look = frame.state.own<TrainingLook>();
    choose_weight(look, p.offset + in_parameter);
    look.page = TrainingLook::weight_page;
    look.picking = -1;
}

std::int64_t columns_of(const TrainedParameter& p) { return p.shape.rank() > 0 ? p.shape.back() : 1; }

bool as_map(const TrainedParameter& p) {
    return columns_of(p) <= map_most && p.shape.elements() / columns_of(p) <= map_most;
}

float draw_map(const Frame& frame, const TrainedParameter& p, std::span<const float> values, const Box& box) {
    const Ui& ui = frame.ui;
    SignedMap map;
    map.columns = static_cast<int>(columns_of(p));
    map.rows = static_cast<int>(p.shape.elements() / columns_of(p));
    map.values = values;
    map.stride = map.columns;
    map.range = largest_magnitude(map);
    const float wide = box.width() / to_float(map.columns), high = box.height() / to_float(map.rows);
    const float pitch = std::clamp(std::floor(std::min(wide, high)), ui.px(cell_least), ui.px(picker_cell_most));
    map.min = box.min;
    map.pitch = {pitch, pitch};
    light_under_mouse(map);
    const CellHit hit = signed_map(ui, "training/pick", map);
    const std::int64_t chosen = frame.state.own<TrainingLook>().cell - p.offset;
    if (chosen >= 0 && chosen < p.shape.elements())
        frame_cells(ui, map, static_cast<int>(chosen / map.columns), static_cast<int>(chosen % map.columns), 1, 1);
    if (hit.row >= 0) {
        const std::int64_t cell = std::int64_t{hit.row} * map.columns + hit.column;
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        draw::tooltip(ui, filled(tr("{1}{2} = {3}\nClick to follow this weight"),
                                 {p.name, p.index(cell), in_short(map.value(hit.row, hit.column))}));
        if (hit.clicked) pick(frame, p, cell);
    }
    return map.max().y;
}

std::optional<std::int64_t> number_in(const std::string& text, std::int64_t below) {
    std::int64_t n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error != std::errc() || end != text.data() + text.size() || n < 0 || n >= below) return {};
    return n;
}

/// Draws one field per index; Enter or the button follows that weight.
float draw_fields(const Frame& frame, const TrainedParameter& p, const Box& box) {
    const Ui& ui = frame.ui;
    auto& typed = frame.state.own<TrainingLook>().typed;
    float x = box.min.x;
    const float height = ui.px(28), line = ui.line(FontRole::small);
    std::optional<std::int64_t> cell = 0;
    bool go = false;
    for (int axis = 0; axis < std::min(p.shape.rank(), int_size(typed)); ++axis) {
        std::string& text = typed[axis];
        draw::text(ui, {x, box.min.y}, ui.items->format("0 … %lld", static_cast<long long>(p.shape[axis] - 1)),
                   {FontRole::small, ui.theme->text_muted});
        bool entered = false;
        text_field(ui, ui.items->format("training/index %d", axis),
                   {{x, box.min.y + line + ui.px(3)}, {x + ui.px(field), box.min.y + line + ui.px(3) + height}}, text,
                   "0", &entered);
        go |= entered;
        const auto index = text.empty() ? std::optional<std::int64_t>(0) : number_in(text, p.shape[axis]);
        cell = cell && index ? std::optional<std::int64_t>(*cell * p.shape[axis] + *index) : std::nullopt;
        x += ui.px(field + 10);
    }
    ImVec2 at{x, box.min.y + line + ui.px(3)};
    const ButtonStyle style{.tone = Tone::primary, .enabled = cell.has_value(), .font = FontRole::small_bold};
    go |= chip(ui, "training/follow", at, height, tr("Follow this weight"), style).clicked;
    if (go && cell) pick(frame, p, *cell);
    return at.y + height;
}

/// Draws the way back, the name, and what the colours mean; returns the bottom.
float draw_picker_heading(const Frame& frame, const TrainedParameter& p, bool legend, const Box& box) {
    const Ui& ui = frame.ui;
    const float height = ui.px(26);
    ImVec2 at = box.min;
    if (chip(ui, "training/all parameters", at, height, tr("‹ All parameters"), {.font = FontRole::small}))
        frame.state.own<TrainingLook>().picking = -1;
    const float legend_width = legend ? signed_legend_width(ui) + ui.px(10) : 0, right = box.max.x - legend_width;
    const std::string title = filled(tr("Which weight of {1}?  {2}"), {p.name, sizes_text(p.shape)});
    draw::text_in(ui, {{at.x + ui.px(6), at.y}, {right, at.y + height}}, title, {FontRole::small_bold});
    if (legend)
        draw_signed_legend(ui, {{right + ui.px(10), at.y}, {box.max.x, at.y + height}}, "training/pick legend",
                           tr("The largest weight has the full colour."));
    return box.min.y + height + ui.px(10);
}

}  // namespace

void draw_weight_picker(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    TrainingLook& look = frame.state.own<TrainingLook>();
    const auto& all = *look.known_parameters;
    look.picking = std::min(look.picking, int_size(all) - 1);
    const TrainedParameter& p = all[look.picking];
    const std::span<const float> values = values_of(frame, p);
    const bool map = !values.empty() && as_map(p);
    const Box heading = box.inset(ui.px(picker_side), 0);
    const float top = draw_picker_heading(frame, p, map, heading);
    const float wide = map ? to_float(columns_of(p)) * ui.px(cell_least) : 0;
    ScrollPage page(ui, "##training picker", box.below(top), wide);
    const Box& inside = page.inside();
    page.reaches(map ? draw_map(frame, p, values, inside) : draw_fields(frame, p, inside));
}

}  // namespace glassformer::app::views::training
