#include <algorithm>
#include <cmath>
#include <vector>

#include "app/common/number_controls.h"
#include "app/language/tr.h"
#include "app/panels/runs/run_branch.h"
#include "app/panels/runs/run_panel.h"
#include "app/panels/setup/setup_words.h"
#include "app/panels/timeline/timeline_state.h"
#include "app/ui/scroll_area.h"
#include "core/base/number_text.h"
#include "core/train/optimizer.h"

namespace glassformer::app {

namespace {

constexpr float branch_padding = 16, control_height = 28, row_gap = 10, column_gap = 12, branch_button_height = 32;
constexpr float own_width = 88;  // pixels at 100 %, like all of these
constexpr std::array<std::string_view, 5> factor_names = {"× 0.1", "× 0.3", "× 1", "× 3", "× 10"};
constexpr std::array<float, 5> dropouts = {0, 0.1f, 0.2f, 0.3f, 0.5f}, decays = {0, 0.001f, 0.01f, 0.1f, 1};
constexpr std::array<float, 5> branch_batches = {8, 16, 32, 64, 128};
constexpr std::array<OptimizerKind, 4> methods = {OptimizerKind::sgd, OptimizerKind::momentum, OptimizerKind::adam,
                                                  OptimizerKind::adamw};

float branch_caption_height(const Ui& ui) { return ui.line(FontRole::small) + ui.px(3); }
float branch_row_height(const Ui& ui) { return branch_caption_height(ui) + ui.px(control_height); }
float words_height(const Ui& ui) { return branch_caption_height(ui) + 2 * std::round(ui.line(FontRole::body) * 1.22f); }

/// One card for one frame: stacked rows, each control under its name.
class BranchCard {
public:
    BranchCard(const Frame& frame, const RunInfo& parent, const Box& content)
        : frame_(frame),
          ui_(frame.ui),
          parent_(parent),
          draft_(frame.state.own<TimelineState>().branch),
          content_(content),
          y_(content.min.y) {}

    void draw() {
        draw_title();
        draw_rate();
        draw_numbers();
        draw_method();
        draw_head();
        draw_name();
        draw_words();
        draw_buttons();
    }

private:
    /// Returns a part of the row that starts at y_: columns `first` to `last` of `count`, with the name above.
    Box column(int first, int last, int count, std::string_view name) const {
        const float gap = ui_.px(column_gap), top = y_ + branch_caption_height(ui_);
        const float left = content_.column(first, count, gap).min.x,
                    right = content_.column(last, count, gap).min.x - gap;
        draw::text_in(ui_, {{left, y_}, {right, top}}, name, {FontRole::small, ui_.theme->text_muted});
        return {{std::round(left), top}, {std::round(right), top + ui_.px(control_height)}};
    }
    void next_row() { y_ += branch_row_height(ui_) + ui_.px(row_gap); }

    void draw_title() {
        const float line = ui_.line(FontRole::body_bold) + ui_.px(4), close = ui_.px(26);
        const std::string_view title = ui_.items->format(tr("Branch from step %s"), grouped(draft_.step).c_str());
        draw::label(ui_, {{content_.min.x, y_}, {content_.max.x - close, y_ + line}}, title, {FontRole::body_bold},
                    {"branch/from", item_state(draft_.step)});
        const Box corner = Box::sized({content_.max.x - close, y_ - ui_.px(4)}, close, close);
        if (close_button(ui_, "branch/close", corner, tr("Close"))) draft_.open = false;
        const std::string_view from =
            ui_.items->format(tr("of %s; its curve stays beside the new one"), parent_.name.c_str());
        draw::text_in(ui_, content_.between_y(y_ + line, y_ + line + branch_caption_height(ui_)), from,
                      {FontRole::small, ui_.theme->text_muted});
        y_ += line + branch_caption_height(ui_) + ui_.px(row_gap);
    }

    void draw_rate() {
        const std::optional<float> rate = branch_rate(draft_, parent_.setup);
        const std::string_view name =
            rate ? ui_.items->format(tr("learning rate (peak): %s"), significant(*rate).c_str())
                 : std::string_view(tr("learning rate (peak): above 0, at most 10"));
        const Box row = column(0, 1, 1, name);
        const float own = ui_.px(own_width), gap = ui_.px(8);
        if (rate) ui_.items->add("branch/learning rate", row, item_state(*rate), name);
        segmented(ui_, "branch/rate", row.left_of(row.max.x - own - gap), factor_names, draft_.rate);
        if (text_field(ui_, "branch/own rate", row.right(own), draft_.own_rate, tr("other")))
            draft_.rate = draft_.own_rate.empty() ? 2 : -1;
        next_row();
    }

    void draw_list(std::string_view item, const Box& box, std::span<const float> usual, float& value) {
        value = usual_numbers(ui_, item, box, usual, value).value_or(value);
    }

    void draw_numbers() {
        TrainOptions& options = draft_.setup.options;
        draw_list("branch/dropout", column(0, 1, 3, tr("dropout")), dropouts, draft_.setup.config.dropout);
        draw_list("branch/weight decay", column(1, 2, 3, tr("weight decay")), decays, options.optimizer.weight_decay);
        float batch = to_float(options.batch);
        draw_list("branch/batch", column(2, 3, 3, tr("batch")), branch_batches, batch);
        options.batch = static_cast<int>(batch);
        next_row();
    }

    void draw_method() {
        TrainOptions& options = draft_.setup.options;
        const Box box = column(0, 1, 3, tr("optimizer"));
        std::vector<std::string_view> names, shown;
        int now = 0;
        for (int i = 0; i < int_size(methods); ++i) {
            if (methods[i] == options.optimizer.kind) now = i;
            names.push_back(name_of(methods[i]));
            shown.push_back(tr(setup_choices(methods[i])[static_cast<std::size_t>(methods[i])].name));
        }
        const int chosen = dropdown(ui_, "branch/optimizer", box, shown[now], names, now, shown);
        if (chosen >= 0) options.optimizer.kind = methods[chosen];
        seed_field(ui_, "branch/seed", column(1, 2, 3, tr("seed from here on")), options.seed);
        draw_warm_up(column(2, 3, 3, tr("schedule")));
        next_row();
    }

    void draw_warm_up(const Box& box) {
        std::int64_t& warmup = draft_.setup.options.schedule.warmup;
        const std::int64_t before = parent_.setup.options.schedule.warmup;
        const float y = std::round((box.min.y + box.max.y - ui_.line(FontRole::body)) / 2);
        if (before == 0)
            return void(draw::text_in(ui_, box, tr("has no warm-up"), {FontRole::small, ui_.theme->text_faint}));
        bool none = warmup == 0;
        if (checkbox(ui_, "branch/no warm-up", {box.min.x, y}, tr("no warm-up"), none)) warmup = none ? 0 : before;
    }

    void draw_head() {
        const TransformerConfig& config = parent_.setup.config;
        const std::vector<RemovableLayer> layers = removable_layers(config);
        const Box block = column(0, 1, 3, draft_.more.empty() ? tr("remove a head") : tr("remove another head"));
        if (layers.empty()) {
            draw::text_in(ui_, block, tr("none to remove"), {FontRole::small, ui_.theme->text_faint});
            return next_row();
        }
        std::vector<std::string_view> names = {N_("none")};
        for (const RemovableLayer& layer : layers) names.push_back(ui_.items->format("%s", layer.name.c_str()));
        const int chosen = dropdown(ui_, "branch/block", block, names[draft_.block + 1], names, draft_.block + 1);
        if (chosen >= 0) draft_.block = chosen - 1;
        if (draft_.block >= 0) draw_head_of_block(column(1, 2, 3, tr("which head")), config.n_heads);
        draw_more_heads(column(2, 3, 3, ""));
        next_row();
    }

    /// Draws the button for removing more than one head: adds another one, or takes the last one back.
    void draw_more_heads(const Box& box) {
        ButtonStyle style{.tone = Tone::quiet, .font = FontRole::small};
        if (draft_.block >= 0) {
            style.tooltip = tr("Remove this head and another one");
            if (button(ui_, "branch/another head", box, tr("another"), style))
                choose_another_head(draft_, parent_.setup.config);
        } else if (!draft_.more.empty()) {
            style.tooltip = tr("Keep the head that was removed last");
            if (button(ui_, "branch/head back", box, tr("undo last"), style)) draft_.more.pop_back();
        }
    }

    void draw_head_of_block(const Box& box, int count) {
        std::vector<std::string_view> names, shown;
        for (int i = 0; i < count; ++i) {
            names.push_back(ui_.items->format("head %d", i));
            shown.push_back(ui_.items->format(tr("head %d"), i));
        }
        draft_.head = std::min(draft_.head, count - 1);
        const int chosen = dropdown(ui_, "branch/head", box, shown[draft_.head], names, draft_.head, shown);
        if (chosen >= 0) draft_.head = chosen;
    }

    void draw_name() {
        const Box box = column(0, 1, 1, tr("name"));
        text_field(ui_, "branch/name", box, draft_.name, tr("e.g. ten times the learning rate"));
        next_row();
    }

    void draw_words() {
        const std::string changes = branch_words(draft_, parent_);
        const std::string words = changes.empty() ? tr("nothing") : changes;
        const float top = y_ + branch_caption_height(ui_);
        draw::text_in(ui_, content_.between_y(y_, top), tr("differences"), {FontRole::small, ui_.theme->text_muted});
        const float bottom = y_ + words_height(ui_);
        draw::text_wrapped(ui_, {content_.min.x, top}, content_.width(), words,
                           {FontRole::body, changes.empty() ? ui_.theme->text_muted : ui_.theme->text});
        ui_.items->add("branch/words", content_.between_y(top, bottom), std::nullopt, words);
        y_ = bottom + ui_.px(row_gap);
    }

    void draw_buttons() {
        ImVec2 at{content_.min.x, y_};
        const ButtonStyle style{
            .tone = Tone::primary,
            .enabled = !branch_words(draft_, parent_).empty() && branch_rate(draft_, parent_.setup).has_value(),
            .tooltip = tr("Create the branch\nIt waits at its first step until you press Train.")};
        if (chip(ui_, "branch/make", at, ui_.px(branch_button_height), tr("Branch"), style)) make_branch(frame_);
        if (chip(ui_, "branch/cancel", at, ui_.px(branch_button_height), tr("Cancel"))) draft_.open = false;
    }

    const Frame& frame_;
    const Ui& ui_;
    const RunInfo& parent_;
    BranchDraft& draft_;
    Box content_;
    float y_;
};

}  // namespace

float branch_card_height(const Ui& ui) {
    const float title = ui.line(FontRole::body_bold) + ui.px(4) + branch_caption_height(ui);
    return 2 * ui.px(branch_padding) + title + 5 * branch_row_height(ui) + words_height(ui) + 7 * ui.px(row_gap) +
           ui.px(branch_button_height);
}

void draw_branch_card(const Frame& frame, const Box& box) {
    const RunInfo* parent = frame.snapshot.current_run();
    BranchDraft& draft = frame.state.own<TimelineState>().branch;
    if (!parent || parent->id != draft.run) return void(draft.open = false);
    const Ui& ui = frame.ui;
    draw::card(ui, box);
    const float pad = ui.px(branch_padding);
    const Box inside = box.inset(pad);
    const ScrollArea area(ui, "##branch", inside, branch_card_height(ui) - 2 * pad);
    BranchCard(frame, *parent, area.content()).draw();
}

}  // namespace glassformer::app
