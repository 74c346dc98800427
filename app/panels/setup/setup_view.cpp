#include "app/panels/setup/setup_view.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/panels/setup/setup_sections.h"
#include "app/panels/setup/setup_state.h"
#include "app/ui/opaque_fill.h"
#include "app/ui/scroll_page.h"

namespace glassformer::app {

namespace {

constexpr float title_height = 44, world_width = 236, training_width = 306, least_wide = 860;  // pixels at 100 %

void draw_setup_title(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    const float side = ui.px(12), close = ui.px(28), y = std::round((box.min.y + box.max.y - close) / 2);
    const SetupPreview* p = answer_for(frame);
    const std::string title =
        p && !p->title.empty() ? filled(tr("New run · {1}"), {tr_sentence(p->title)}) : tr("New run");
    draw::text_in(ui, box.between_x(box.min.x + side, box.max.x - side - close), title, {FontRole::title_bold});
    ui.items->add("setup/title", box.right_of(box.min.x + side), std::nullopt, title);
    const Box corner = Box::sized({box.max.x - side - close, y}, close, close);
    if (close_button(ui, "setup/close", corner, tr("Close without starting (Esc)")))
        frame.state.own<SetupState>().open = false;
}

/// Draws the choice whether more steps can be revisited than fit in memory. It applies to all runs at once.
float draw_disk_steps(const Frame& frame, const Box& box) {
    static constexpr std::array<std::string_view, 4> names{N_("1 GB"), N_("4 GB"), N_("16 GB"), N_("64 GB")};
    static_assert(names.size() == DiskSteps::budgets.size());
    const DiskSteps& now = frame.snapshot.disk_steps;
    DiskSteps steps = now;
    FieldColumn column(frame, box, "setup");
    column.heading(tr("KEPT STEPS"), "timeline");
    column.toggle(
        N_("more on disk"), steps.on,
        tr("Memory holds 192 MB of steps for each run and 768 MB for all runs. When it is full, some steps are "
           "dropped. With this option they go to a folder on disk instead, and you can still go to them. The "
           "folder is deleted when the program ends."));
    if (now.on) {
        constexpr auto& budgets = DiskSteps::budgets;
        const int size = static_cast<int>(std::ranges::find(budgets, now.gigabytes) - budgets.begin());
        const std::string_view line =
            frame.ui.items->format(tr("The limit for all runs together, in %s."), disk_steps_folder().string().c_str());
        const int chosen = column.choice(N_("disk budget"), names, std::min(size, 3), line);
        if (chosen >= 0) steps.gigabytes = budgets[chosen];
    }
    if (!(steps == now)) frame.send(command::KeepOnDisk{steps});
    return column.y();
}

float draw_training(const Frame& frame, const Box& box) {
    SetupState& s = frame.state.own<SetupState>();
    const TrainingSetup before = s.setup;
    const float bottom = draw_training_fields(frame, box, "setup", s.setup, true);
    if (!same_setup(before, s.setup)) s.preset = -1;
    return draw_disk_steps(frame, box.below(bottom));
}

/// Returns true once a proposal has been requested or has arrived. Until it arrives, the fields show the current setup,
/// and changes have no effect.
bool has_fields(const Frame& frame) {
    return frame.state.own<SetupState>().proposal || frame.state.own<SetupState>().proposing;
}

/// Draws world, model and training side by side; each scrolls separately.
void draw_columns(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    const float left = box.min.x + ui.px(world_width), right = box.max.x - ui.px(training_width);
    {
        const Box part = box.left_of(left);
        ScrollPage page(ui, "##setup world", part);
        page.reaches(draw_setup_world(frame, page.inside()));
    }
    draw::vertical_line(ui, left, box.min.y, box.max.y, ui.theme->card_border);
    draw::vertical_line(ui, right, box.min.y, box.max.y, ui.theme->card_border);
    if (!has_fields(frame)) return;
    {
        ScrollPage page(ui, "##setup model", box.between_x(left + ui.px(6), right - ui.px(2)));
        page.reaches(draw_setup_model(frame, page.inside()));
    }
    ScrollPage page(ui, "##setup training", box.right_of(right + ui.px(4)));
    page.reaches(draw_training(frame, page.inside()));
}

/// Draws the same parts below each other.
void draw_one_column(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    ScrollPage page(ui, "##setup", box);
    Box inside = page.inside();
    inside.min.y = draw_setup_world(frame, inside) + ui.px(14);
    if (has_fields(frame)) {
        inside.min.y = draw_setup_model(frame, inside) + ui.px(14);
        inside.min.y = draw_training(frame, inside);
    }
    page.reaches(inside.min.y);
}

}  // namespace

void draw_setup(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    ui.focus->take_keys();
    keep_asking(frame);
    const std::optional<TrainingSetup> shown =
        frame.state.own<SetupState>().proposal ? std::nullopt : std::optional(frame.state.own<SetupState>().setup);
    draw::opaque_fill(ui, box, ui.theme->card);
    ui.items->add("setup", box, item_state(answer_for(frame) ? 1 : 0));
    const float top = box.min.y + ui.px(title_height), foot = box.max.y - setup_foot_height(frame, box.width());
    draw_setup_title(frame, box.above(top));
    const Box body = box.between_y(top, foot);
    if (box.width() >= ui.px(least_wide))
        draw_columns(frame, body);
    else
        draw_one_column(frame, body);
    draw_setup_foot(frame, box.below(foot));
    if (shown) frame.state.own<SetupState>().setup = *shown;
}

}  // namespace glassformer::app
