#include <algorithm>
#include <cfloat>
#include <cmath>

#include "app/common/glossary.h"
#include "app/language/tr.h"
#include "app/palette/palette.h"

namespace glassformer::app {

namespace {

constexpr float term_card_width = 460, term_card_padding = 18, close_side = 28;  // pixels at 100 %

void draw_content(const Frame& frame, const GlossaryTerm& term, const Box& card) {
    const Ui& ui = frame.ui;
    const float pad = ui.px(term_card_padding), close = ui.px(close_side), title = ui.line(FontRole::title_bold);
    draw::card(ui, card.min, card.max, ui.theme->attention);
    ui.items->add("term card", card.min, card.max, std::nullopt, term.name);
    draw::text_in(ui, {card.min.x + pad, card.min.y + pad}, {card.max.x - pad - close, card.min.y + pad + title},
                  tr(term.name), {FontRole::title_bold});
    draw::text_wrapped(ui, {card.min.x + pad, card.min.y + pad + title + ui.px(10)}, card.width() - 2 * pad,
                       tr(term.meaning));
    const ImVec2 corner{card.max.x - ui.px(10) - close, card.min.y + ui.px(10)};
    ButtonStyle style;
    style.tone = Tone::bare;
    style.icon = static_cast<int>(draw::Icon::close);
    style.tooltip = tr("Close (Esc)");
    if (button(ui, "term card/close", corner, {corner.x + close, corner.y + close}, "", style))
        frame.state.own<TermCard>().term.clear();
}

}  // namespace

void draw_term_card(const Frame& frame, const Box& window) {
    const GlossaryTerm* term =
        frame.state.own<TermCard>().term.empty() ? nullptr : find_term(frame.state.own<TermCard>().term);
    if (!term) return;
    const Ui& ui = frame.ui;
    const float pad = ui.px(term_card_padding), width = std::min(ui.px(term_card_width), window.width() - ui.px(32));
    const float height = 2 * pad + ui.line(FontRole::title_bold) + ui.px(10) +
                         draw::wrapped_height(ui, width - 2 * pad, tr(term->meaning));
    const ImVec2 min{std::round((window.min.x + window.max.x - width) / 2),
                     std::round(window.min.y + std::max(ui.px(64), window.height() * 0.12f))};
    ImGui::SetCursorScreenPos(min);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::BeginChild("##term card", {width, height}, false,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    draw_content(frame, *term, {min, {min.x + width, min.y + height}});
    ImGui::EndChild();
    ImGui::PopStyleVar();
}

}  // namespace glassformer::app
