#include <algorithm>
#include <array>

#include "app/common/colour_legend.h"
#include "app/common/explanation.h"
#include "app/common/hidden_by_quiz.h"
#include "app/common/model_colours.h"
#include "app/language/tr.h"
#include "app/ui/controls_hidden.h"
#include "app/views/registry.h"
#include "app/views/whole_model/canvas.h"
#include "core/base/number_text.h"
#include "core/graph/hook_names.h"

namespace glassformer::app::views::whole_model {

namespace {

constexpr float row_height = 26, gap = 8, narrow = 440;  // pixels at 100 %; a narrower footer has two rows
constexpr std::array<std::string_view, canvas_levels> level_names{N_("model"), N_("block"), N_("head"), N_("number")};

/// "2 blocks · 4 heads · 64 dimensions · 122,752 parameters".
std::string facts(const Frame& frame) {
    const ModelInfo& model = frame.model();
    const TransformerConfig& config = model.config;
    const int blocks = config.n_layers, heads = config.n_heads, width = config.d_model;
    Items& items = *frame.ui.items;
    std::string text(items.format(tr("%d block", "%d blocks", blocks), blocks));
    if (!config.recurrent()) text += " · " + std::string(items.format(tr("%d head", "%d heads", heads), heads));
    text += " · " + std::string(items.format(tr("%d dimension", "%d dimensions", width), width));
    return text + " · " + filled(tr("{1} parameters"), {grouped(model.parameter_count)});
}

/// The names of what the camera shows, from the whole model to the number.
std::vector<std::string> crumbs(const Canvas& c) {
    const ViewState& state = c.frame.state;
    const auto level = static_cast<int>(c.state.camera.level());
    std::vector<std::string> names{tr("Whole model")};
    if (level >= 1)
        names.push_back(filled(c.state.source ? tr("source block {1}") : tr("block {1}"), {std::to_string(c.block())}));
    const bool through_head = level == 2 || (level == 3 && c.state.number_from == CanvasLevel::head);
    if (through_head) names.push_back(filled(tr("head {1}"), {std::to_string(c.head())}));
    const bool number = level == 3 && !state.trail.empty() && state.trail.back().slot == c.slot;
    if (number) names.push_back(c.frame.cell_name(c.slot, state.trail.back().cell));
    return names;
}

void go_to_level(const Canvas& c, CanvasLevel wanted) {
    const CanvasLevel now = c.state.camera.level();
    if (wanted == CanvasLevel::head && !c.has_heads()) wanted = CanvasLevel::block;
    if (wanted == CanvasLevel::model) c.state.source = false;
    if (wanted == CanvasLevel::number && now != wanted) c.state.number_from = now;
    c.state.camera.go(wanted, ImGui::GetTime(), c.ui().reduce_motion);
}

/// Draws the crumbs; moves `x` to their end.
void draw_crumbs(const Canvas& c, Box box, float& x) {
    const Ui& ui = c.ui();
    const std::vector<std::string> names = crumbs(c);
    for (std::size_t i = 0; i < names.size(); ++i) {
        const bool last = i + 1 == names.size();
        const FontRole font = i == 0 ? FontRole::body_bold : FontRole::body;
        const float arrow = i > 0 ? ui.px(10) : 0;
        if (box.max.x - x - arrow < ui.px(20)) return;
        if (i > 0) draw::icon(ui, draw::Icon::chevron_right, {x, box.middle_y()}, ui.px(9), c.theme().text_faint);
        x += arrow;
        const float width = draw::text_size(ui, names[i], FontRole::body_bold).x + ui.px(2);
        const Box at = box.between_x(x, std::min(x + width, box.max.x));
        const std::string_view label = ui.items->format("whole/crumb %d", static_cast<int>(i));
        const Response r = link_area(ui, label, at, item_state(last), names[i], !last);
        draw::text_in(
            ui, at, names[i],
            {last ? FontRole::body_bold : font, i == 0 || r.hovered ? c.theme().text : c.theme().attention_text});
        if (r.clicked) go_to_level(c, static_cast<CanvasLevel>(std::min<std::size_t>(i, canvas_levels - 1)));
        x = at.max.x + ui.px(12);
    }
    // The model map runs in the opposite direction.
    const std::string way = tr("up ↑");
    const float width = draw::text_size(ui, way, FontRole::small).x;
    if (names.size() > 1 || x + width > box.max.x) return;
    const Box at = box.between_x(x, x + width + 1);
    draw::label(ui, at, way, {FontRole::small, c.theme().text_muted}, {"whole/direction"});
    if (draw::hovered(at))
        draw::tooltip(ui, tr("Which way the picture runs\nUp, from the input to the prediction. The model map runs "
                             "down, from the input at the top."));
    x = at.max.x + ui.px(12);
}

/// Says what the difference is, as far as there is room, or why there is none.
std::string difference_line(const Canvas& c, const std::string& why_not, float room) {
    if (!why_not.empty()) return why_not;
    const bool sides = c.frame.state.compare;
    return std::string(draw::first_fitting(
        c.ui(), room,
        {sides ? tr("B − A: red where B has more, blue where A has. A word without a match is empty.")
               : tr("With the change − without it: red is more, blue is less."),
         sides ? tr("B − A: red is more, blue is less.") : tr("Change: red is more, blue is less.")},
        FontRole::small));
}

// ------------------------------------------------------------------------------------------------------------ footer

void choose_head_by_colour(const Canvas& c, int head) {
    if (c.state.source)
        c.state.source_head = head;
    else
        choose_head(c.frame.state, c.frame.snapshot, c.frame.state.layer, head);
}

/// Draws the colour of each head. Heads beyond the last colour share one grey, and the last entry, which cycles through
/// them. In a difference, only the frames have the heads' colours; a strip in front explains the fills.
float draw_legend(const Canvas& c, const Box& box) {
    const Ui& ui = c.ui();
    const TransformerConfig& config = c.trace.model().config;
    if (config.recurrent()) return box.max.x;
    const int heads = std::min(config.n_heads, coloured_heads), last = config.n_heads - 1;
    const bool rest = last >= heads;
    const float swatch = ui.px(13), text = draw::text_size(ui, tr("head 00"), FontRole::small).x,
                step = swatch + text + ui.px(18);
    const bool brief = rest || step * to_float(heads) > box.width() * 0.5f;
    const float brief_step = swatch + draw::text_size(ui, "00", FontRole::small).x + ui.px(12),
                each = brief ? brief_step : step;
    const std::string others = std::to_string(heads) + " – " + std::to_string(last);
    const float more = rest ? swatch + draw::text_size(ui, others, FontRole::small_bold).x + ui.px(12) : 0;
    float x = box.max.x - each * to_float(heads) - more;
    if (x < box.min.x) return box.max.x;
    float left = x;
    if (c.difference) {
        const float width = signed_legend_width(ui);
        left = x - width - ui.px(18);
        draw_signed_legend(ui, box.between_x(left, left + width), "whole/difference legend",
                           tr("Differences: above 0 is more, below 0 less. A head's frame has its colour."));
    }
    const float y = box.middle_y();
    for (int head = 0; head < heads + rest; ++head) {
        const bool all_others = head == heads, chosen = all_others ? c.head() >= heads : head == c.head();
        const Box at = box.between_x(x, x + (all_others ? more : each) - ui.px(4));
        const Response r = link_area(ui, ui.items->format("whole/head %d", head), at, item_state(chosen));
        const ImU32 ink = head_colour(c.theme(), head);
        draw::rounded_box(ui, {{x, y - swatch / 2}, {x + swatch, y + swatch / 2}}, c.difference ? 0 : ink,
                          c.difference ? ink : 0, 3, 2);
        draw::text_in(ui, at.right_of(x + swatch + ui.px(6)),
                      all_others ? others : ui.items->format(brief ? "%d" : tr("head %d"), head),
                      {chosen ? FontRole::small_bold : FontRole::small,
                       r.hovered || chosen ? c.theme().text : c.theme().text_muted});
        if (r.hovered && all_others)
            draw::tooltip(
                ui, at, tr("These heads are grey: there are not enough distinct colours.\nClick to go through them."));
        if (r.clicked) choose_head_by_colour(c, all_others && chosen && c.head() < last ? c.head() + 1 : head);
        x += each;
    }
    return left;
}

/// The view that shows more about a node.
std::string_view view_about(const std::string& node) {
    const NodePlace place = node_place(node);
    if (place.of_pairs()) return N_("Flow");
    using enum NodePlace::Module;
    if (place.attention() && place.quantity != "hook_result") return "Q K V";
    if (place.module == mlp) return N_("MLP");
    if (place.module == norm) return N_("LayerNorm");
    if (node.find("embed") != std::string::npos) return N_("Embedding");
    return N_("Logit lens");
}

bool clicked_number(const Canvas& c) {
    const ViewState& state = c.frame.state;
    return !state.follow_strongest && !state.trail.empty() && state.trail.back().slot == c.slot &&
           state.trail.back().cell.node >= 0 && !is_hidden_by_quiz(c.frame, c.slot, state.trail.back().cell) &&
           !waits_for_guess(state, c.slot);
}

/// Draws the clicked number on one line: its name, its value, how it was computed, and where there is more.
void draw_number_line(const Canvas& c, const Box& box) {
    const Ui& ui = c.ui();
    const Theme& t = c.theme();
    const Cell cell = c.frame.state.trail.back().cell;
    const std::string& node = c.trace.graph()[cell.node].name;
    Box rest = box;
    const ButtonStyle style{.tone = Tone::quiet, .font = FontRole::small};
    const int view = view_index(view_about(node));
    const auto chip_at_right = [&](std::string_view label, std::string_view text) {
        return button(ui, label, rest.cut_right(chip_width(ui, text, style), ui.px(6)), text, style).clicked;
    };
    const View* about = view >= 0 ? &all_views()[view] : nullptr;
    if (about && (!about->offered || about->offered(c.frame)) && box.width() > ui.px(560)) {
        const std::string_view text = ui.items->format(tr("Open in %s"), tr(std::string(about->name)).c_str());
        if (chip_at_right("whole/open in", text)) c.frame.state.view = view;
    }
    if (c.state.camera.level() != CanvasLevel::number && chip_at_right("whole/closer", tr("Zoom in")))
        go_to_level(c, CanvasLevel::number);
    const std::string name = c.frame.cell_name(c.slot, cell) + " = " + precise(c.trace, cell);
    const float wide = std::min(draw::text_size(ui, name, FontRole::body_bold).x + 1, rest.width());
    draw::text_in(ui, box.left(wide), name, {FontRole::body_bold, node_text_colour(t, node)});
    const float x = box.min.x + wide + ui.px(14);
    if (rest.max.x - x < ui.px(80)) return;
    const Explanation e = c.trace.explain(cell);
    const std::string how =
        was_made(e) ? typographic(e.formula + "  =  " + e.numbers) : std::string(tr("a learned or given number"));
    draw::text_in(ui, box.between_x(x, rest.max.x - ui.px(6)), how, {FontRole::small, t.text_muted});
    ui.items->add("whole/number line", rest, c.trace.at(cell), name);
}

void draw_caption(const Canvas& c, const Box& box, const std::vector<StoryStage>& stages) {
    const Ui& ui = c.ui();
    const int stage = c.state.story.stage(int_size(stages));
    const std::string caption = story_caption(c, stages[stage]);
    const bool fits = draw::text_size(ui, caption, FontRole::body).x <= box.width();
    draw::text_told(ui, box, caption, {fits ? FontRole::body : FontRole::small, c.theme().text});
    ui.items->add("whole/story/caption", box, item_state(stage), caption);
}

/// `above`: the row for the caption; if it is empty, the caption takes what the controls leave.
void draw_story_line(const Canvas& c, const Box& box, const Box& above) {
    const Ui& ui = c.ui();
    ForwardStory& story = c.state.story;
    const std::vector<StoryStage> stages = story_stages(c.layout);
    const int count = int_size(stages);
    if (story.filmed) return draw_caption(c, box, stages);
    const float size = box.height(), air = ui.px(4);
    Box rest = box;
    const auto icon_button = [&](std::string_view label, draw::Icon icon, std::string_view tip, const Box& at) {
        return button(ui, label, at, "", {.tone = Tone::quiet, .tooltip = tip, .icon = icon}).clicked;
    };
    if (icon_button("whole/story/back", draw::Icon::step_back, tr("Previous stage  (,)"), rest.cut_left(size, air)))
        story.step(-1, count);
    if (icon_button("whole/story/play", story.playing ? draw::Icon::pause : draw::Icon::play,
                    tr("Play or pause  (Space)"), rest.cut_left(size, air)))
        story.play_or_pause(count);
    if (icon_button("whole/story/forward", draw::Icon::step_forward, tr("Next stage  (.)"), rest.cut_left(size, air)))
        story.step(1, count);
    if (icon_button("whole/story/close", draw::Icon::close, tr("Stop  (Esc)"), rest.cut_right(size, ui.px(10))))
        return void(story = {});
    if (box.width() > ui.px(700)) {
        static constexpr std::array<std::string_view, 3> names{"½×", "1×", "2×"};
        segmented(ui, "whole/story/speed", rest.cut_right(ui.px(108), ui.px(10)), names, story.speed);
    }
    if (box.width() > ui.px(900)) {
        float at = story.at;
        const Box track = rest.cut_right(std::min(ui.px(240), box.width() * 0.2f), ui.px(14));
        if (slider(ui, "whole/story/at", track, at, 0, to_float(count))) story.at = at, story.playing = false;
    }
    const ButtonStyle style{
        .tone = Tone::quiet,
        .font = FontRole::small,
        .tooltip = tr("Save the animation\nAs numbered PNG files of the window in a new folder, or as one film.")};
    if (const float wide = chip_width(ui, tr("Save as pictures…"), style);
        box.width() > ui.px(1100) &&
        button(ui, "whole/story/pictures", rest.cut_right(wide, ui.px(14)), tr("Save as pictures…"), style))
        ask_where_to_film_forward(c.frame.state);
    draw_caption(c, above.empty() ? rest.right_of(rest.min.x + ui.px(8)) : above, stages);
}

float footer_row(const Ui& ui) { return std::max(ui.px(row_height), ui.line(FontRole::small) + ui.px(6)); }

}  // namespace

float draw_canvas_header(const Canvas& c, const Box& box) {
    const Ui& ui = c.ui();
    const float space = ui.px(gap);
    Box rest = box.top(ui.px(row_height));  // each control is cut off its right end
    const auto take_chip = [&](std::string_view label, std::string_view text, const ButtonStyle& style) {
        const float width = chip_width(ui, text, style);
        return rest.max.x - width > box.min.x + ui.px(100) &&
               button(ui, label, rest.cut_right(width, space), text, style).clicked;
    };
    // Models without attention have no heads to choose.
    std::vector<CanvasLevel> levels{CanvasLevel::model, CanvasLevel::block, CanvasLevel::head, CanvasLevel::number};
    if (c.trace.model().config.recurrent()) std::erase(levels, CanvasLevel::head);
    std::vector<std::string_view> names;
    for (const CanvasLevel one : levels) names.push_back(level_names[static_cast<std::size_t>(one)]);
    int level = static_cast<int>(std::ranges::find(levels, c.state.camera.level()) - levels.begin());
    float needed = 0;
    for (const std::string_view name : names)
        needed += draw::text_size(ui, tr(name), FontRole::small_bold).x + ui.px(8);
    const Box zoom = rest.cut_right(std::min(ui.px(300), std::max(box.width() * 0.44f, needed)), space);
    if (!controls_hidden() && segmented(ui, "whole/zoom", zoom, names, level))  // in a picture, the crumbs show it
        go_to_level(c, levels[level]);
    if (c.state.camera.level() == CanvasLevel::head && c.model().translates() && !c.state.source) {
        static constexpr std::array<std::string_view, 2> sides{N_("to the source"), N_("to itself")};
        bool itself = !c.frame.state.cross_attention;
        if (segmented(ui, "whole/attends", rest.cut_right(ui.px(200), space), sides, itself))
            c.frame.state.cross_attention = !itself;
    }
    const ButtonStyle play{
        .tone = Tone::attention,
        .font = FontRole::small_bold,
        .tooltip = tr("Play the computation\nFrom the words to the prediction, stage by stage.  (Space)"),
        .icon = draw::Icon::play};
    const auto take_play = [&] {
        if (rest.max.x - chip_width(ui, tr("Play"), play) > box.min.x + ui.px(100))
            return take_chip("whole/play", tr("Play"), play);
        const Box small = rest.cut_right(ui.px(row_height), space);  // on a phone
        return small.min.x > box.min.x && button(ui, "whole/play", small, "", play).clicked;
    };
    if (!c.state.story.open && take_play()) c.state.story.play_or_pause(int_size(story_stages(c.layout)));
    const bool both = c.frame.state.compare && c.frame.trace(0) && c.frame.trace(1);
    const std::string why_not = both ? why_no_difference(c.frame) : "";
    const bool at_model = c.state.camera.level() == CanvasLevel::model;  // closer, the numbers themselves are shown
    // If one of two traces cannot be read, nothing is subtracted: the picture shows the other one.
    if (!both && (c.frame.state.compare || !c.frame.sentence(c.slot).original)) {
        c.state.difference = false;
    } else if (at_model) {
        const ButtonStyle style{
            .tone = Tone::quiet,
            .selected = c.state.difference,
            .font = FontRole::small,
            .tooltip = !both ? tr("Effect of the change\nTiles show each number minus that of the unaltered model.")
                       : why_not.empty() ? tr("B minus A\nOne picture of how the numbers of B differ from those of A.")
                                         : why_not.c_str()};
        if (take_chip("whole/difference", tr("Difference"), style)) c.state.difference = !c.state.difference;
    }
    draw_crumbs(c, rest, rest.min.x);
    const bool told = c.state.difference && at_model;
    const std::string text = told ? difference_line(c, why_not, rest.width()) : facts(c.frame);
    const ImU32 ink = !told || why_not.empty() ? c.theme().text_muted : c.theme().danger_text;
    if (told || draw::text_size(ui, text, FontRole::small).x <= rest.width())
        draw::text_told(ui, rest, text, {FontRole::small, ink});
    if (told) ui.items->add("whole/difference line", rest, std::nullopt, text);
    return rest.max.y;
}

float canvas_footer_height(const Ui& ui, const Box& box, bool story) {
    if (box.height() < ui.px(200)) return story && box.height() >= ui.px(110) ? footer_row(ui) : 0;
    return footer_row(ui) * (box.width() < ui.px(narrow) ? 2 : 1);  // the hint above the legend
}

void draw_canvas_footer(const Canvas& c, const Box& box) {
    const Ui& ui = c.ui();
    const bool two_rows = box.height() > 1.5f * footer_row(ui);
    const Box first = two_rows ? box.row(0, 2) : Box{}, last = two_rows ? box.row(1, 2) : box;
    if (c.state.story.open) return draw_story_line(c, last, first);
    if (clicked_number(c)) return draw_number_line(c, last);
    const float left = c.state.camera.level() == CanvasLevel::number ? box.max.x : draw_legend(c, last);
    const Box at = two_rows ? first : box.left_of(left - ui.px(14));
    const std::string text = canvas_hint(c, at.width());
    draw::text_told(ui, at, text, {FontRole::small, c.theme().text_muted});
    ui.items->add("whole/hint", at, std::nullopt, text);
}

void draw_minimap(const Canvas& c) {
    const CanvasShot& shot = c.state.camera.shot();
    const bool part = shot.level != CanvasLevel::model || shot.zoom > 1.05f;
    const Ui& ui = c.ui();
    if (!part || c.view.width() < ui.px(420) || c.view.height() < ui.px(260)) return;
    const bool low = c.view.height() < ui.px(440);  // then it stays above the top of the page's content
    const float width = ui.px(low ? 60 : 84), height = width * c.view.height() / c.view.width(),
                pad = ui.px(low ? 4 : 8);
    const Box box = Box::sized({c.view.max.x - width - pad, c.view.min.y + pad}, width, height);
    const Theme& t = c.theme();
    draw::rounded_box(ui, box, with_alpha(t.card, 0.94f), t.control_border, 5);
    const PagePlace place{box.min, width / c.layout.room.width, height / c.layout.room.height};
    for (const CanvasSide& side : c.layout.sides)
        for (int word = 0; word < side.words && side.pitch() * place.sx >= ui.px(3); ++word)
            draw::vertical_line(ui, place.at(side.lane(word), 0).x, place.at(0, c.layout.top_of(side.source)).y,
                                place.at(0, c.layout.words_bottom).y,
                                !side.source && word == c.token() ? t.selection : t.card_border);
    for (const CanvasBlock& block : c.layout.blocks) {
        const Box at = place.of(block.box);
        const bool here =
            shot.level != CanvasLevel::model && block.block == c.block() && block.source == c.state.source;
        draw::rounded_box(ui, at, here ? t.selection_tint : with_alpha(t.background, 0.8f),
                          here ? t.selection : t.card_border, 2);
    }
    if (shot.level == CanvasLevel::model) {
        const float half = 0.5f / shot.zoom;
        const Box seen{{box.min.x + (shot.centre.x - half) * width, box.min.y + (shot.centre.y - half) * height},
                       {box.min.x + (shot.centre.x + half) * width, box.min.y + (shot.centre.y + half) * height}};
        draw::rounded_box(ui, seen, 0, t.selection, 2, 1.5f);
    }
    const Response r = click_area(ui, "whole/minimap", box);
    if (r.hovered) draw::tooltip(ui, box, tr("The whole model\nClick to go back to it.  (Home)"));
    if (!r.clicked) return;
    c.state.source = false;
    c.state.camera.go(CanvasLevel::model, ImGui::GetTime(), ui.reduce_motion);
}

}  // namespace glassformer::app::views::whole_model
