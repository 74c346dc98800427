#include <algorithm>
#include <array>
#include <utility>

#include "app/language/tr.h"
#include "app/panels/leaving/saving.h"
#include "app/panels/setup/setup_sections.h"
#include "app/panels/setup/setup_state.h"

namespace glassformer::app {

namespace {

constexpr std::array<std::string_view, 3> units{"characters", "words", "byte_pairs"},
    unit_names{N_("characters"), N_("words"), N_("byte pairs")};

/// Draws a world of the list: its name, and below it what it asks of a model. Returns the height taken.
float world_row(const Frame& frame, const ListedWorld& world, const Box& box) {
    const std::string& name = world.name;
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const SetupState& s = frame.state.own<SetupState>();
    const bool chosen = s.proposing ? s.wanted.world == name : s.proposal && s.setup.world == name;
    const float pad = ui.px(8), line = ui.line(FontRole::body) + ui.px(4);
    const float text_y = box.min.y + ui.px(4) + line;
    ui.list()->ChannelsSplit(2);
    ui.list()->ChannelsSetCurrent(1);
    const float height = ui.px(10) + line +
                         draw::text_wrapped(ui, {box.min.x + pad, text_y}, box.width() - 2 * pad,
                                            tr(world.kind->summary), {FontRole::small, t.text_muted});
    const Box card = box.top(height);
    const Response r = link_area(ui, ui.items->format("setup/world/%s", name.c_str()), card, item_state(chosen));
    draw::text_in(ui, {{box.min.x + pad, box.min.y + ui.px(4)}, {box.max.x - pad, text_y}}, name,
                  {chosen ? FontRole::body_bold : FontRole::body, chosen ? t.attention_text : t.text});
    ui.list()->ChannelsSetCurrent(0);
    if (chosen || r.hovered) draw::rounded_box(ui, card, chosen ? t.attention_tint : t.hover, 0, 6);
    ui.list()->ChannelsMerge();
    if (r.clicked && !chosen) propose_world(frame, name, std::nullopt);
    return height;
}

/// Draws the row for the user's own file: typed, chosen in the desktop's dialog, or dropped.
float file_row(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    SetupState& s = frame.state.own<SetupState>();
    float y = box.min.y;
    draw::text(ui, {box.min.x, y}, tr("or a file of your own"), {FontRole::small, ui.theme->text_muted});
    y += ui.line(FontRole::small) + ui.px(5);
    const float height = ui.px(30);
    FolderDialog& dialog = frame.state.window.folder_dialog;
    const bool choose = s.file.empty() && dialog.there;
    const ButtonStyle style{.enabled = choose || !s.file.empty()};
    const char* const name = choose ? tr("Choose…") : tr("Open");
    const float open = chip_width(ui, name, style);
    bool entered = false;
    text_field(ui, "setup/file", {{box.min.x, y}, {box.max.x - open - ui.px(6), y + height}}, s.file,
               "/home/…/story.txt", &entered);
    const bool pressed =
        button(ui, "setup/open file", {{box.max.x - open, y}, {box.max.x, y + height}}, name, style).clicked;
    if (pressed && choose)
        dialog.asked = FolderDialog::Ask::world;
    else if ((entered || pressed) && !s.file.empty())
        propose_world(frame, save_folder(s.file), std::nullopt);
    return y + height - box.min.y;
}

/// Draws the choice of what a text's tokens are.
float unit_row(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    SetupState& s = frame.state.own<SetupState>();
    draw::text(ui, box.min, tr("its tokens"), {FontRole::small, ui.theme->text_muted});
    const float y = box.min.y + ui.line(FontRole::small) + ui.px(5), height = ui.px(30);
    int chosen = static_cast<int>(std::ranges::find(units, s.unit) - units.begin());
    if (segmented(ui, "setup/unit", box.between_y(y, y + height), unit_names, chosen)) {
        s.unit = units[chosen];
        propose_world(frame, s.setup.world, s.unit);
    }
    return y + height - box.min.y;
}

}  // namespace

float draw_setup_world(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    SetupState& s = frame.state.own<SetupState>();
    float y = box.min.y;
    const auto below = [&] { return box.below(y); };
    const float heading = ui.line(FontRole::small_bold) + ui.px(8);  // as in the other columns
    draw::text_in(ui, box.above(y + heading), tr("WORLD"), {FontRole::small_bold, ui.theme->text_muted});
    y += heading + ui.px(2);
    if (frame.snapshot.catalog)
        for (const ListedWorld& world : frame.snapshot.catalog->worlds) y += world_row(frame, world, below());
    y += ui.px(10);
    y += file_row(frame, below()) + ui.px(10);
    const SetupPreview* preview = frame.snapshot.preview.get();
    const bool text = s.proposal && preview && !preview->units.empty();
    if (text) y += unit_row(frame, below()) + ui.px(10);
    if (s.failure.empty()) return y;
    y += draw::label_wrapped(ui, {box.min.x, y}, box.width(), s.failure, {FontRole::small, ui.theme->danger_text},
                             {"setup/failure"});
    if (std::exchange(s.failure_is_new, false)) ImGui::SetScrollFromPosY(y - ImGui::GetWindowPos().y, 1.0f);
    return y;
}

}  // namespace glassformer::app
