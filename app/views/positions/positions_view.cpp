#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/common/token_names.h"
#include "app/language/tr.h"
#include "app/views/positions/positions_sections.h"
#include "app/views/view.h"

namespace glassformer::app::views::positions {

namespace {

constexpr float wave_height = 128;  // pixels at 100 %

struct Said {
    std::string_view title, meaning;  // {1}: what a token is called; {2}: its plural
};

Said said(const TransformerConfig& config, Positions kind) {
    switch (kind) {
        case Positions::learned:
            return {tr("Learned positions"), tr("One learned vector per position, added to the {1}'s.")};
        case Positions::sinusoidal:
            return {tr("Sines and cosines"), tr("Each position's vector consists of sines and cosines, fast to slow, "
                                                "and is added to the {1}'s. Nothing is learned.")};
        case Positions::index:
            return {tr("Position index"), tr("p · w: one learned vector times the position's index.")};
        case Positions::index_over_length:
            return {tr("Position ∕ length"), tr("p ∕ P · w: one learned vector, from 0 at the first {1} towards 1.")};
        case Positions::rotary:
            return {tr("Rotary positions"),
                    tr("Nothing is added to the {2}. Each pair of features of a query or key is rotated by an angle "
                       "that grows with the position, so q·k depends on the distance.")};
        case Positions::alibi:
            return {tr("ALiBi"),
                    tr("Nothing is added to the {2}. The further away a key is, the more is subtracted from its score. "
                       "Each head has its own slope.")};
        case Positions::none:
            break;
    }
    if (config.recurrent())
        return {tr("No positions"), tr("The model reads one {1} at a time: its state carries the order.")};
    if (config.causal())
        return {tr("No positions"), tr("The model gets no positions. Only the causal mask shows the order: each {1} "
                                       "attends to itself and those before it, never to later ones.")};
    return {tr("No positions"),
            tr("The model gets no positions: the same {2} in another order give each {1} the same numbers.")};
}

/// Draws both matrices side by side with the curves below, or one matrix beside its curve.
float draw_similarity(const Frame& frame, int slot, const std::shared_ptr<const PositionCode>& code,
                      const std::shared_ptr<const PositionCode>& beside, const Box& box) {
    const Ui& ui = frame.ui;
    const char* letter = Frame::letter(slot);
    const float middle = std::round(box.min.x + box.width() / 2), gap = ui.px(8);
    const Box left = box.left_of(middle - gap), right{{middle + gap, box.min.y}, box.max};
    const CodeName own{beside ? tr("cosine, model") : tr("cosine"), ui.items->format("%s/cosine", letter), code};
    std::array<DistanceCurve, 2> curves{
        {{code->by_distance, false, ui.items->format("%s/cosine distance", letter), tr("this model")}, {}}};
    const double low = -1, high = 1;
    float y = draw_similarity_matrix(frame, *code, own, left);
    if (!beside) {
        const float bottom = std::max(y, box.min.y + ui.px(wave_height));
        draw_distance_curves(frame, std::span(curves).first(1), low, high, tr("mean by distance"),
                             right.above(std::min(bottom, box.min.y + 2 * ui.px(wave_height))));
        return bottom;
    }
    curves[1] = {beside->by_distance, true, ui.items->format("%s/cosine sinusoidal distance", letter),
                 tr("sinusoidal")};
    y = std::max(y, draw_similarity_matrix(
                        frame, *beside,
                        {tr("cosine, sinusoidal"), ui.items->format("%s/cosine sinusoidal", letter), beside}, right)) +
        ui.px(4);
    const Box below = box.between_y(y, y + ui.px(wave_height));
    draw_distance_curves(frame, curves, low, high, tr("mean by distance · dashed: sinusoidal"), below);
    return below.max.y;
}

std::string_view table_title(const Ui& ui, const ModelPositions& of, const PositionCode& code) {
    const char* what = of.kind == Positions::rotary ? tr("cos and sin of each pair's angle") : tr("the vectors");
    if (of.all > code.positions)
        return ui.items->format(tr("%s · the first %d of %d positions"), what, code.positions, of.all);
    return ui.items->format(tr("%s · %d positions × %d"), what, code.positions, code.width);
}

bool can_compare(const ModelPositions& of) {
    return of.code &&
           (of.kind == Positions::learned || of.kind == Positions::index || of.kind == Positions::index_over_length);
}

/// Draws the similarity, then the vectors themselves; returns the bottom.
float draw_code(const Frame& frame, int slot, const ModelPositions& of, const ScrollPage& page, float y) {
    const Ui& ui = frame.ui;
    const char* letter = Frame::letter(slot);
    std::shared_ptr<const PositionCode> sinusoidal;
    if (can_compare(of)) {
        checkbox(ui, ui.items->format("%s/beside sinusoidal", letter), {page.seen_left(), y},
                 tr("compare with sines and cosines"), frame.state.own<PositionsState>().beside_sinusoidal);
        y += ui.line(FontRole::body) + ui.px(8);
        if (frame.state.own<PositionsState>().beside_sinusoidal) sinusoidal = sinusoidal_beside(*of.code);
    }
    const Box box{{page.seen_left(), y}, {page.seen_right(), page.inside().max.y}};
    y = draw_similarity(frame, slot, of.code, sinusoidal, box) + ui.px(8);
    y = draw_position_table(frame, slot, *of.code, &of,
                            {table_title(ui, of, *of.code), ui.items->format("%s/positions", letter), of.code}, page,
                            y);
    if (!sinusoidal) return y;
    return draw_position_table(
        frame, slot, *sinusoidal, nullptr,
        {tr("sines and cosines"), ui.items->format("%s/positions sinusoidal", letter), sinusoidal}, page, y);
}

void draw_view(const Frame& frame, const Box& box, int slot) {
    const Ui& ui = frame.ui;
    const ModelPositions of = model_positions(frame, slot);
    const float wide = of.code ? position_table_width(frame, slot, of.code->positions, of.code->width) : 0;
    ScrollPage page(ui, slot == 0 ? "##positions A" : "##positions B", box, wide);
    const float left = page.seen_left(), right = page.seen_right();
    const Said words = said(frame.trace(slot)->model().config, of.kind);
    float y = page.inside().min.y;
    const float line = ui.line(FontRole::small_bold);
    draw::label(ui, {{left, y}, {right, y + line}}, words.title, {FontRole::small_bold},
                {ui.items->of_card(slot, "positions kind")});
    y += line + ui.px(4);
    const std::string meaning = filled(words.meaning, {token_name(frame.model(slot)), token_names(frame.model(slot))});
    y += draw::label_wrapped(ui, {left, y}, right - left, meaning, {FontRole::small, ui.theme->text_muted},
                             {ui.items->of_card(slot, "positions meaning")}) +
         ui.px(8);
    if (of.kind == Positions::rotary) y = draw_turns(frame, slot, page, y);
    if (of.code) y = draw_code(frame, slot, of, page, y);
    if (of.kind == Positions::alibi) y = draw_alibi(frame, slot, of, page, y);
    page.reaches(y);
}

/// What was under the mouse in the last frame is highlighted in this one.
void take_hovered(const Frame& frame) {
    PositionsState& state = frame.own<PositionsState>();
    state.hovered = std::exchange(state.hovering, {});
}

}  // namespace

extern constinit const View view{
    .name = N_("Positions"),
    .meaning = N_("How the model knows the position of each word."),
    .also = "order W_pos sinusoidal sine cosine rotary RoPE rotation pairs ALiBi distance",
    .draw = draw_view,
    .advance = take_hovered,
};

}  // namespace glassformer::app::views::positions
