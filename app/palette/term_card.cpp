#include <algorithm>
#include <cmath>

#include "app/common/glossary.h"
#include "app/language/tr.h"
#include "app/palette/palette.h"
#include "app/ui/child_window.h"
#include "app/views/registry.h"

namespace glassformer::app {

namespace {

constexpr float term_card_width = 460, term_card_padding = 18, close_side = 28, link_height = 30;  // pixels at 100 %

/// Returns the view that shows the term on this model; −1 if there is none.
int view_of(const Frame& frame, const GlossaryTerm& term) {
    const int view = view_index(term.view);
    const bool here = view >= 0 && is_offered(frame, all_views()[view]) && (!term.here || term.here(frame.model()));
    return here ? view : -1;
}

void close_card(const Frame& frame) { frame.state.window.term_card.clear(); }

/// Draws the links to the lesson about the term and to the view that shows it.
void draw_links(const Frame& frame, const GlossaryTerm& term, ImVec2 at) {
    const Ui& ui = frame.ui;
    ButtonStyle style{.tone = Tone::attention, .tooltip = tr("Starts the lesson at the step about this")};
    if (chip(ui, "term card/lesson", at, ui.px(link_height), tr("A lesson about this"), style)) {
        LessonMenu& menu = frame.state.window.lessons;
        menu.ask = LessonMenu::Ask::start;
        menu.named = term.lesson;
        menu.about = term.name;
        close_card(frame);
    }
    const int view = view_of(frame, term);
    if (view < 0) return;
    style.tooltip = tr("Opens the view that shows this");
    if (!chip(ui, "term card/show", at, ui.px(link_height), tr("Show me on this model"), style)) return;
    frame.state.view = view;
    const View& shown = all_views()[view];
    if (const auto page = std::ranges::find(shown.pages, term.page); page != shown.pages.end())
        shown.page(frame.state) = static_cast<int>(page - shown.pages.begin());
    close_card(frame);
}

void draw_content(const Frame& frame, const GlossaryTerm& term, const Box& card) {
    const Ui& ui = frame.ui;
    const float pad = ui.px(term_card_padding), side = ui.px(close_side), title = ui.line(FontRole::title_bold);
    draw::card(ui, card, ui.theme->attention);
    ui.items->add("term card", card, std::nullopt, term.name);
    draw::text_in(ui, {{card.min.x + pad, card.min.y + pad}, {card.max.x - pad - side, card.min.y + pad + title}},
                  tr(term.name), {FontRole::title_bold});
    draw::text_wrapped(ui, {card.min.x + pad, card.min.y + pad + title + ui.px(10)}, card.width() - 2 * pad,
                       tr(term.meaning));
    draw_links(frame, term, {card.min.x + pad, card.max.y - pad - ui.px(link_height)});
    const ImVec2 corner{card.max.x - ui.px(10) - side, card.min.y + ui.px(10)};
    if (close_button(ui, "term card/close", Box::sized(corner, side, side), tr("Close (Esc)"))) close_card(frame);
}

}  // namespace

void draw_term_card(const Frame& frame, const Box& window) {
    const GlossaryTerm* term = frame.state.window.term_card.empty() ? nullptr : find_term(frame.state.window.term_card);
    if (!term) return;
    const Ui& ui = frame.ui;
    const float pad = ui.px(term_card_padding), width = std::min(ui.px(term_card_width), window.width() - ui.px(32));
    const float height = 2 * pad + ui.line(FontRole::title_bold) + ui.px(10) +
                         draw::wrapped_height(ui, width - 2 * pad, tr(term->meaning)) + ui.px(14 + link_height);
    const ImVec2 min{std::round((window.min.x + window.max.x - width) / 2),
                     std::round(window.min.y + std::max(ui.px(64), window.height() * 0.12f))};
    const Box box{min, {min.x + width, min.y + height}};
    const ChildWindow card(ui, "##term card", box, ChildWindow::Kind::overlay);
    draw_content(frame, *term, box);
}

}  // namespace glassformer::app
