#pragma once

#include <array>
#include <span>
#include <string_view>

#include "app/common/frame.h"
#include "app/common/stages.h"

/// The pills of the stage strip: which of the stages stand there one by one, which groups are closed, and where each
/// pill lies. Nothing is drawn here.
namespace glassformer::app {

/// One pill.
struct StagePill {
    enum class Kind {
        stage,
        group,  ///< a closed group: opens its first stage
        block,  ///< the block before or after: chooses it
        more,   ///< stages that have no room: steps there
    };
    Kind kind = Kind::stage;
    const Stage* stage = nullptr;  ///< the stage; of a group its first
    const Stage* last = nullptr;   ///< of a group its last
    int target = 0;                ///< block: which; more: −1 back or 1 on
    std::string_view text, item;
    float width = 0, gap = 0;  ///< gap before it, where it is not the first of its row
    Box box{};
};

/// The strip of the chosen block in one or two rows.
class StagePills {
public:
    /// `chosen` is the stage that must be seen, or null; `room` is the most that a row may take.
    StagePills(const Frame& frame, const Stages& stages, const Stage* chosen, float room);

    std::span<StagePill> all() { return std::span(pills_).first(count_); }
    float width() const { return rows_.width; }  ///< of the longer row
    /// Puts the rows at the right end of the box, in its middle.
    void place(const Ui& ui, const Box& box);

private:
    struct Rows {
        std::size_t split = 0;  // first pill of the second row; the count where there is one
        float width = 0;
    };
    /// How much is folded up: nothing, what lies outside of the block, every group.
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
