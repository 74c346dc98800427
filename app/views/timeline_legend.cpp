#include <algorithm>
#include <cmath>

#include "app/glossary.h"
#include "app/views/plot.h"
#include "app/views/timeline_parts.h"

namespace glassformer::app {

namespace {

constexpr float sample_width = 20, sample_gap = 7, entry_gap = 18;  // pixels at 100 %

struct Entry {
    std::string_view label, text, term;
    std::optional<double> value;
    ImU32 line, colour;
    bool dashed;
};

void draw_entry(const Ui& ui, ImVec2 at, const Entry& entry) {
    const float line = ui.line(FontRole::small_bold) + ui.px(3), sample = ui.px(sample_width);
    const float y = std::floor(at.y + line / 2) + 0.5f, thick = std::max(1.5f, 2 * ui.scale);
    const ImVec2 points[] = {{at.x, y}, {at.x + sample, y}};
    if (entry.dashed)
        draw::dashed_line(ui, points, entry.line, thick, 5, 3);
    else
        draw::line(ui, points, entry.line, thick);
    const float x = at.x + sample + ui.px(sample_gap);
    const ImVec2 max{x + draw::text_size(ui, entry.text, FontRole::small_bold).x + 1, at.y + line};
    draw::text_in(ui, {x, at.y}, max, entry.text, {FontRole::small_bold, entry.colour});
    ui.items->add(entry.label, at, max, entry.value, entry.text);
    term_tip(ui, at, max, entry.term);
}

}  // namespace

void draw_timeline_legend(const Frame& frame, ImVec2 at, bool beside) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const std::optional<double> loss = measured_loss(frame.snapshot);
    const bool measured = frame.snapshot.probe && !frame.snapshot.probe->accuracy.empty();
    const float accuracy = measured ? frame.snapshot.probe->accuracy.back() : -1.0f;
    const auto value = [](float v) { return v < 0 ? std::nullopt : std::optional<double>(static_cast<double>(v)); };
    const Entry entries[] = {
        {"timeline loss", loss ? ui.items->format("loss %.2f", *loss) : "loss –", "loss", loss, t.residual,
         t.residual_text, false},
        {"timeline accuracy",
         accuracy < 0 ? "sense accuracy –"
                      : ui.items->format("sense accuracy %.0f %%", static_cast<double>(100 * accuracy)),
         "sense accuracy", value(accuracy), t.attention_text, t.attention_text, true},
    };
    for (const Entry& entry : entries) {
        draw_entry(ui, at, entry);
        if (beside)
            at.x +=
                ui.px(sample_width + sample_gap + entry_gap) + draw::text_size(ui, "loss 0.00", FontRole::small_bold).x;
        else
            at.y += ui.line(FontRole::small_bold) + ui.px(6);
    }
}

float timeline_legend_width(const Ui& ui, bool beside) {
    const float sample = ui.px(sample_width + sample_gap);
    const float accuracy = sample + draw::text_size(ui, "sense accuracy 100 %", FontRole::small_bold).x;
    if (!beside) return accuracy;
    return accuracy + sample + ui.px(entry_gap) + draw::text_size(ui, "loss 0.00", FontRole::small_bold).x;
}

}  // namespace glassformer::app
