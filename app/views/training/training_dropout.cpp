#include "app/views/training/training_dropout.h"

#include <algorithm>
#include <cmath>

#include "app/language/tr.h"
#include "app/session/masks.h"
#include "app/ui/cell_grid.h"
#include "core/train/dropout_mask.h"

namespace glassformer::app::views::training {

namespace {

constexpr float row_height = 15, cell_most = 12, word_width = 84, choice_width = 280;  // pixels at 100 %

/// Which place of the model is shown.
struct DropoutLook {
    int place = 0;
    void on_model_changed() { place = 0; }
};

}  // namespace

float draw_dropout_mask(const Frame& frame, const Inspection& found, const Box& box) {
    const RunInfo* run = frame.snapshot.current_run();
    if (!run || found.batch.empty()) return box.min.y;
    const std::vector<DropoutPlace> places = dropout_places(run->setup.config);
    if (places.empty()) return box.min.y;
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    DropoutLook& look = frame.own<DropoutLook>();
    look.place = std::clamp(look.place, 0, static_cast<int>(places.size()) - 1);
    std::vector<std::string_view> names;
    for (const DropoutPlace& place : places) names.push_back(place.name);
    const DropoutPlace& place = places[look.place];
    const LearnedSentence& sentence = found.batch.front();
    const int words = static_cast<int>(sentence.tokens.size());
    const std::vector<float> kept = dropout_mask(place, frame.snapshot.seed, found.step, words);
    const auto dropped = std::ranges::count(kept, 0.0f);

    float y = box.min.y;
    const std::string text = filled(
        tr("Dropout set {1} of the {2} numbers of the first sentence to 0 here in this update (white), and made the "
           "others "
           "larger by 1 ÷ (1 − {3}). In the next update it takes others. When the model is used, it takes none."),
        {std::to_string(dropped), std::to_string(kept.size()), in_short(static_cast<double>(place.rate), 2)});
    y += draw::text_wrapped(ui, {box.min.x, y}, box.width(), text, {FontRole::small, t.text_muted}) + ui.px(4);
    const ImVec2 end{std::min(box.max.x, box.min.x + ui.px(choice_width)), y + ui.px(24)};
    if (const int chosen =
            dropdown(ui, "training/dropout place", {{box.min.x, y}, end}, place.name, names, look.place, names);
        chosen >= 0)
        look.place = chosen;
    y = end.y + ui.px(6);
    CellGrid grid;
    grid.rows = words, grid.columns = place.width;
    const float left = box.min.x + ui.px(word_width);
    grid.min = {left, y};
    grid.pitch = {std::clamp((box.max.x - left) / static_cast<float>(place.width), 1.0f, ui.px(cell_most)),
                  std::max(ui.px(row_height), ui.line(FontRole::small))};
    draw_cells(ui, "training/dropout", grid,
               {words, place.width, kept, place.width, HeatColours::attention, 1, {}, {}});
    const ModelInfo& model = *frame.snapshot.model;
    for (int word = 0; word < words; ++word) {
        const float top = y + grid.pitch.y * static_cast<float>(word);
        const int id = sentence.tokens[word].id;
        const std::string name = !sentence.read.empty() ? std::to_string(word + 1)
                                 : is_mask(model, id)   ? "▢"
                                                        : model.token_text(id);
        draw::text_in(ui, {{box.min.x, top}, {left - ui.px(6), top + grid.pitch.y}}, name,
                      {FontRole::small, t.text_muted, draw::Align::right});
    }
    ui.items->add("training/dropped", {grid.min, grid.max()}, item_state(static_cast<double>(dropped)));
    return grid.max().y + ui.px(12);
}

}  // namespace glassformer::app::views::training
