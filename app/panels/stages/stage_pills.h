#pragma once

#include <array>
#include <span>
#include <string_view>

#include "app/common/frame.h"
#include "app/common/stages.h"

/// The pills of the stage strip: which stages get a pill of their own, which groups are closed, and where each pill is.
/// Nothing is drawn here.
namespace glassformer::app {

/// One pill.
struct StagePill {
    enum class Kind {
        stage,
        group,  ///< a closed group: opens its first stage
        block,  ///< the block before or after: chooses it
        more,   ///< stages that do not fit: steps to them
    };
    Kind kind = Kind::stage;
    const Stage* stage = nullptr;  ///< the stage; for a group, its first
    const Stage* last = nullptr;   ///< for a group, its last
    int target = 0;                ///< block: its index; more: −1 back or 1 forward
    std::string_view text, item;
    float width = 0, gap = 0;  ///< gap before it, unless it is the first of its row
    Box box{};
};

/// The strip of the chosen block, in one or two rows.
class StagePills {
public:
    /// `chosen` is the stage that must be visible, or null; `room` is the maximum width of a row.
    StagePills(const Frame& frame, const Stages& stages, const Stage* chosen, float room);

    std::span<StagePill> all() { return std::span(pills_).first(count_); }
    float width() const { return rows_.width; }  ///< of the longer row
    /// Aligns the rows with the right end of the box, and centres them vertically.
    void place(const Ui& ui, const Box& box);

private:
    struct Rows {
        std::size_t split = 0;  // first pill of the second row; the count if there is one row
        float width = 0;
    };
    /// How much is folded: nothing, what is outside of the block, or every group.
    enum class Fold { nothing, outside, groups };

    void fill(const Frame& frame, const Stages& stages, const Stage* chosen, Fold fold);
    void add_run(const Frame& frame, std::span<const Stage> run, const Stage* chosen, bool open);
    void add_source(const Frame& frame, std::span<const Stage> source, const Stage* chosen, Fold fold);
    void add_source_block(const Frame& frame, std::span<const Stage> source, const Stage& chosen, int block);
    void add_block(const Frame& frame, int block, bool before);
    void add(const Ui& ui, const StagePill& pill);
    void keep_around(const Frame& frame, const Stage* chosen, float room);
    void fit(float room);
    float row_width(std::size_t first, std::size_t end) const;

    std::array<StagePill, 64> pills_;
    std::size_t count_ = 0;
    Rows rows_;
    float small_gap_, wide_gap_;
};

}  // namespace glassformer::app
