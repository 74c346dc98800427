#include "app/views/whole_model/forward_story.h"

#include <algorithm>
#include <cmath>

namespace glassformer::app::views::whole_model {

namespace {

/// True if a row is explained together with the rows before it.
bool joins(const CanvasLayout& layout, const StoryStage& stage, const CanvasRow& row) {
    const RowKind first = layout.rows[stage.first_row].kind;
    if (layout.rows[stage.first_row].source != row.source) return false;
    if (row.kind == RowKind::add || row.kind == RowKind::norm)
        return first == RowKind::mix || first == RowKind::add || first == RowKind::other;
    return row.kind == RowKind::stream && (first == RowKind::add || first == RowKind::norm);
}

}  // namespace

std::vector<StoryStage> story_stages(const CanvasLayout& layout) {
    std::vector<StoryStage> stages{{StoryStage::Kind::words, 0, 0}};
    for (int i = 0; i < int_size(layout.rows); ++i) {
        const CanvasRow& row = layout.rows[i];
        if (stages.back().kind == StoryStage::Kind::rows && joins(layout, stages.back(), row))
            stages.back().end_row = i + 1;
        else
            stages.push_back({StoryStage::Kind::rows, i, i + 1});
    }
    stages.push_back({StoryStage::Kind::said, 0, 0});
    return stages;
}

float story_seconds(int stages) { return std::clamp(30.0f / to_float(std::max(1, stages)), 1.8f, 3.0f); }

int story_pictures(int stages) {
    const double seconds = static_cast<double>(story_seconds(stages)) * stages;
    return std::max(1, static_cast<int>(seconds * story_pictures_a_second));
}

void ask_where_to_film_forward(ViewState& state) {
    state.window.palette.open_page(PaletteState::Page::forward_film, "forward-film");
}

void ForwardStory::play_or_pause(int stages) {
    if (!open || at >= to_float(stages)) at = 0;
    playing = !open || !playing;
    open = true;
}

void ForwardStory::step(int by, int stages) {
    const int told = open ? stage(stages) + 1 : by > 0 ? 0 : stages + 1;
    at = to_float(std::clamp(told + by, 1, stages));
    open = true, playing = false;
}

void ForwardStory::advance(float seconds, int stages) {
    if (!open || !playing) return;
    const float factor = story_speeds[std::clamp(speed, 0, 2)];
    at = std::min(at + seconds * factor / story_seconds(stages), to_float(stages));
    if (at >= to_float(stages)) playing = false;
}

int ForwardStory::stage(int stages) const {
    return std::clamp(static_cast<int>(std::ceil(at)) - 1, 0, std::max(0, stages - 1));
}

float ForwardStory::shown(const std::vector<StoryStage>& stages, int row) const {
    if (!open) return 1;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        if (stages[i].kind != StoryStage::Kind::rows || row < stages[i].first_row || row >= stages[i].end_row) continue;
        const float of_stage = std::clamp(at - to_float(i), 0.0f, 1.0f);
        // The rows of a stage appear one after the other.
        const auto count = to_float(stages[i].end_row - stages[i].first_row);
        return std::clamp(of_stage * count - to_float(row - stages[i].first_row), 0.0f, 1.0f);
    }
    return 1;
}

float ForwardStory::said(const std::vector<StoryStage>& stages) const {
    return open ? std::clamp(at - to_float(stages.size() - 1), 0.0f, 1.0f) : 1;
}

}  // namespace glassformer::app::views::whole_model
