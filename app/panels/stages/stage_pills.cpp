#include "app/panels/stages/stage_pills.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/language/tr.h"

namespace glassformer::app {

namespace {

/// Indexed by StageGroup.
constexpr std::array<std::string_view, 8> group_names{N_("Embed"),     N_("Norm"), N_("Attention"), N_("Cross"),
                                                      N_("Recurrent"), N_("Add"),  N_("MLP"),       N_("Out")};

bool outside(const Stages& stages, const Stage& stage) { return stage.block < 0 || stage.block == stages.blocks(); }

}  // namespace

StagePills::StagePills(const Frame& frame, const Stages& stages, const Stage* chosen, float room)
    : small_gap_(frame.ui.px(4)), wide_gap_(frame.ui.px(10)) {
    for (const Fold fold : {Fold::nothing, Fold::outside, Fold::groups}) {
        fill(frame, stages, chosen, fold);
        fit(room);
        if (rows_.width <= room) return;
    }
    keep_around(frame, chosen, room);
}

void StagePills::fill(const Frame& frame, const Stages& stages, const Stage* chosen, Fold fold) {
    const std::vector<Stage>& walk = stages.walk();
    const int layer = frame.state.layer;
    count_ = 0;
    bool entered = false;
    const auto enter = [&] {
        if (entered) return;
        entered = true;
        if (layer > 0) add_block(frame, layer - 1, true);
        const Stage* x = stages.entry(layer);
        if (x) add(frame.ui, {StagePill::Kind::stage, x, x, 0, tr(std::string_view(x->label)), x->item, 0, wide_gap_});
    };
    for (std::size_t first = 0, end = 0; first < walk.size(); first = end) {
        const Stage& stage = walk[first];
        while (end < walk.size() && (walk[end].run == stage.run || (stage.source && walk[end].source))) ++end;
        if (stage.source) {
            add_source(frame, std::span(walk).subspan(first, end - first), chosen, fold);
            continue;
        }
        if (!outside(stages, stage) && stage.block != layer) continue;
        if (stage.block >= 0) enter();
        if (stage.block == stages.blocks() && layer + 1 < stages.blocks() && walk[first - 1].block >= 0)
            add_block(frame, layer + 1, false);
        const bool holds_chosen = chosen && chosen->run == stage.run && chosen->block == stage.block;
        const bool folded = fold == Fold::groups || (fold == Fold::outside && outside(stages, stage));
        add_run(frame, std::span(walk).subspan(first, end - first), chosen, holds_chosen || !folded);
    }
}

// The encoder is one closed group until one of its stages is explained; then its words and that block are open.
void StagePills::add_source(const Frame& frame, std::span<const Stage> source, const Stage* chosen, Fold fold) {
    if (!chosen || !chosen->source)
        return add(frame.ui, {StagePill::Kind::group, &source[0], &source.back(), 0, tr("Encoder"), "stages Encoder", 0,
                              wide_gap_});
    const int block = std::max(0, chosen->source_block);
    for (std::size_t first = 0, end = 0; first < source.size(); first = end) {
        while (end < source.size() && source[end].run == source[first].run) ++end;
        const Stage& stage = source[first];
        const bool embed = stage.source_block<0, entered = first> 0 && source[first - 1].source_block < block;
        if (!embed && stage.source_block != block) continue;
        if (!embed && entered && block > 0) add_source_block(frame, source, *chosen, block - 1);
        add_run(frame, source.subspan(first, end - first), chosen, chosen->run == stage.run || fold != Fold::groups);
    }
    if (source.back().source_block > block) add_source_block(frame, source, *chosen, block + 1);
}

/// Adds the same stage in another block of the encoder.
void StagePills::add_source_block(const Frame& frame, std::span<const Stage> source, const Stage& chosen, int block) {
    const Stage* same = nullptr;
    for (const Stage& stage : source)
        if (stage.source_block == block && (!same || stage.kind == chosen.kind)) same = &stage;
    if (!same) return;
    const bool before = block < chosen.source_block;
    add(frame.ui, {StagePill::Kind::stage, same, same, 0,
                   frame.ui.items->format(before ? tr("‹ block %d") : tr("block %d ›"), block),
                   frame.ui.items->format("stage/source block %d", block), 0, wide_gap_});
}

void StagePills::add_run(const Frame& frame, std::span<const Stage> run, const Stage* chosen, bool open) {
    if (!open && std::ranges::count_if(run, [](const Stage& s) { return s.kind->part_of.empty(); }) > 1) {
        const std::string_view name = group_names[static_cast<std::size_t>(run[0].kind->group)];
        const std::string_view item = frame.ui.items->format("stages %.*s", int_size(name), name.data());
        return add(frame.ui, {StagePill::Kind::group, &run[0], &run.back(), 0, tr(name), item, 0, wide_gap_});
    }
    bool first = true;
    for (const Stage& stage : run) {
        // The components of a stage appear only while it is explained.
        if (!stage.kind->part_of.empty() && (!chosen || !stage.belongs_to(*chosen))) continue;
        const float gap = std::exchange(first, false) ? wide_gap_ : small_gap_;
        add(frame.ui,
            {StagePill::Kind::stage, &stage, &stage, 0, tr(std::string_view(stage.label)), stage.item, 0, gap});
    }
}

void StagePills::add_block(const Frame& frame, int block, bool before) {
    const std::string_view text = frame.ui.items->format(before ? tr("‹ block %d") : tr("block %d ›"), block);
    add(frame.ui, {StagePill::Kind::block, nullptr, nullptr, block, text,
                   frame.ui.items->format("stage/block %d", block), 0, wide_gap_});
}

void StagePills::add(const Ui& ui, const StagePill& pill) {
    if (count_ == pills_.size()) return;
    pills_[count_] = pill;
    pills_[count_++].width =
        std::max(ui.px(32), std::ceil(draw::text_size(ui, pill.text, FontRole::small_bold).x) + ui.px(14));
}

float StagePills::row_width(std::size_t first, std::size_t end) const {
    float width = 0;
    for (std::size_t i = first; i < end; ++i) width += pills_[i].width + (i > first ? pills_[i].gap : 0);
    return width;
}

// One row if there is room, otherwise two rows of similar length.
void StagePills::fit(float room) {
    rows_ = {count_, row_width(0, count_)};
    if (rows_.width <= room) return;
    for (std::size_t split = 1; split < count_; ++split) {
        const float width = std::max(row_width(0, split), row_width(split, count_));
        if (width < rows_.width) rows_ = {split, width};
    }
}

// In the narrowest windows: removes what is farthest from the chosen stage, and leaves a pill that leads there.
void StagePills::keep_around(const Frame& frame, const Stage* chosen, float room) {
    const std::array<StagePill, 64> all = pills_;
    const std::size_t count = count_;
    std::size_t here = 0;
    for (std::size_t i = 0; i < count; ++i)
        if (chosen && all[i].stage == chosen) here = i;
    const auto more = [&](int step) {
        add(frame.ui, {StagePill::Kind::more, nullptr, nullptr, step, step < 0 ? "‹" : "›",
                       step < 0 ? "stage/back" : "stage/on", 0, wide_gap_});
    };
    for (std::size_t first = 0, end = count; end > first;) {
        count_ = 0;
        if (first > 0) more(-1);
        for (std::size_t i = first; i < end; ++i) pills_[count_++] = all[i];
        if (end < count) more(1);
        fit(room);
        if (rows_.width <= room || end - first == 1) return;
        if (here - first > end - 1 - here)
            ++first;
        else
            --end;
    }
}

void StagePills::place(const Ui& ui, const Box& box) {
    const bool two = rows_.split < count_;
    const float between = ui.px(5), lines = two ? 2 : 1;
    const float height = std::min(ui.px(28), std::floor((box.height() - between * (lines - 1)) / lines));
    const float left = std::max(box.min.x, box.max.x - rows_.width);
    ImVec2 at{left, std::round((box.min.y + box.max.y - height * lines - between * (lines - 1)) / 2)};
    for (std::size_t i = 0; i < count_; ++i) {
        if (two && i == rows_.split) at = {left, at.y + height + between};
        if (i > 0 && i != rows_.split) at.x += pills_[i].gap;
        pills_[i].box = {at, {at.x + pills_[i].width, at.y + height}};
        at.x += pills_[i].width;
    }
}

}  // namespace glassformer::app
