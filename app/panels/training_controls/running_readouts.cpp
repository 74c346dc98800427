#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "app/common/glossary.h"
#include "app/common/provenance.h"
#include "app/language/tr.h"
#include "app/panels/training_controls/running_controls.h"
#include "app/session/running_at.h"
#include "core/base/number_text.h"

namespace glassformer::app {

namespace {

constexpr float row_width = 168, readout_gap = 20;  // pixels at 100 %

/// One quantity of the training.
struct Readout {
    const char* label;  // of the item, and of the line
    std::string_view term;
    std::optional<double> value;
    std::string_view shown;
};

std::string_view readout_count(const Ui& ui, double n) {
    if (n < 1000) return ui.items->format("%.0f", n);
    if (n < 1e6) return ui.items->format("%s k", significant(n / 1e3).c_str());
    return ui.items->format("%s M", significant(n / 1e6).c_str());
}

/// Marks a figure of the trained model, in case an altered one is shown beside it.
std::string_view of_the_model(const Frame& frame, std::string figure) {
    return frame.ui.items->format("%s", of_the_training(frame, std::move(figure)).c_str());
}

Readout gradient(const Frame& frame, const Running& r) {
    if (r.gradient_norm < 0) return {"gradient norm", "gradient norm", std::nullopt, "–"};
    const double norm = r.gradient_norm, factor = r.clip_factor;
    const bool clipped = r.clip_factor >= 0.0f && r.clip_factor < 1.0f;
    return {"gradient norm", clipped ? "clipping" : "gradient norm", norm,
            of_the_model(frame, significant(norm) + (clipped ? " × " + significant(factor, 2) : ""))};
}

std::array<Readout, 5> readouts(const Frame& frame, const Running& r) {
    const Ui& ui = frame.ui;
    const double rate = r.learning_rate, held_out = r.held_out_loss;
    const auto known = [](bool is, double value) { return is ? std::optional(value) : std::nullopt; };
    return {gradient(frame, r),
            {"rate at step", "schedule", known(rate >= 0, rate),
             rate >= 0 ? ui.items->format("%s", significant(rate).c_str()) : "–"},
            {"tokens per second", "tokens per second", known(r.tokens_per_second > 0, r.tokens_per_second),
             r.tokens_per_second > 0 ? readout_count(ui, r.tokens_per_second) : "–"},
            {"held-out loss", "held-out loss", known(held_out >= 0, held_out),
             held_out >= 0 ? of_the_model(frame, with_decimals(held_out, 3)) : "–"},
            {"time left", "schedule", known(r.seconds_left >= 0, r.seconds_left),
             r.seconds_left >= 0 ? ui.items->format("%s", duration(std::round(r.seconds_left)).c_str()) : "–"}};
}

constexpr std::array<std::string_view, 5> readout_names{N_("gradient norm"), N_("learning rate"), N_("tokens / s"),
                                                        N_("held-out loss"), N_("time left")};

float readout_height(const Ui& ui) { return ui.line(FontRole::small) + ui.px(3); }

int columns(const Frame& frame, float width) {
    const float gap = frame.ui.px(readout_gap);
    return std::clamp(static_cast<int>((width + gap) / (running_readouts_width(frame) + gap)), 1, 5);
}

}  // namespace

float running_readouts_width(const Frame& frame) {
    return frame.ui.px(row_width) + draw::text_size(frame.ui, of_the_training(frame, ""), FontRole::small_bold).x;
}

float running_readouts_height(const Frame& frame, float width) {
    const int across = columns(frame, width);
    return readout_height(frame.ui) * to_float((5 + across - 1) / across);
}

void draw_running_readouts(const Frame& frame, const Box& box) {
    if (!frame.snapshot.current_run()) return;
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const int across = columns(frame, box.width());
    const float width = std::min(box.width(), running_readouts_width(frame)), high = readout_height(ui);
    const Running running = running_at(frame.snapshot);
    const std::array<Readout, 5> all = readouts(frame, running);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const int column = static_cast<int>(i) % across, row = static_cast<int>(i) / across;
        const Box line =
            Box::sized({box.min.x + to_float(column) * (width + ui.px(readout_gap)), box.min.y + to_float(row) * high},
                       width, high);
        const float value = draw::text_size(ui, all[i].shown, FontRole::small_bold).x + ui.px(6);
        // The factor of a clipped gradient leaves no room for both words.
        const float room = width - value;
        const bool brief = i == 0 && draw::text_size(ui, tr(readout_names[i]), FontRole::small).x > room;
        const std::string_view name = brief ? std::string_view(tr("gradient")) : tr(readout_names[i]);
        draw::label(ui, line.left(room), name, {FontRole::small, t.text_muted},
                    {ui.items->format("%s/name", all[i].label)});
        const bool clipped = i == 0 && all[i].term == "clipping";
        draw::label(ui, line, all[i].shown,
                    {FontRole::small_bold, clipped ? t.danger_text : t.text, draw::Align::right},
                    {all[i].label, all[i].value});
        term_tip(ui, line, all[i].term);
    }
}

}  // namespace glassformer::app
