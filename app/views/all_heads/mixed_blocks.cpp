#include <utility>

#include "app/common/block_pattern.h"
#include "app/views/all_heads/together.h"

namespace glassformer::app::views::all_heads {

namespace {

constexpr std::int64_t mixed_cells_a_frame = 1'000'000;  // a few milliseconds of work

}  // namespace

MixedBlocks::MixedBlocks(const std::shared_ptr<const Trace>& trace, int layers, int heads, double own)
    : trace_(trace),
      heads_(heads),
      mixer_(trace->positions(), own),
      blocks_(static_cast<std::size_t>(layers)),
      first_(static_cast<std::size_t>(layers * heads)) {
    const std::optional<BlockPattern> first = block_pattern(*trace, 0, 0, false, Slices{0, 0});
    if (!first || trace->kept(first->node)) return;
    // If the thread fails (weights file changed, out of memory), the rest stays missing; the window says why.
    thread_ = Background(
        "all heads",
        [this, held = trace](const std::stop_token& stop) {
            if (done() || stop.stop_requested()) return Turn::done;
            make_next(*held);
            return Turn::more;
        },
        [this](const std::string&) { failed_ = true; });
}

void MixedBlocks::make_next(const Trace& trace) {
    const int block = made_;
    const std::optional<BlockPattern> p = block_pattern(trace, 0, block, false, Slices{0, 0});
    if (p) {
        const SliceView all = trace.part_uncached(p->node, trace.slices(p->node).all());
        const std::int64_t cells = std::int64_t{p->queries} * p->keys;
        blocks_[static_cast<std::size_t>(block)] = mixer_.add_block(all.values());
        for (int head = 0; head < heads_; ++head)
            first_[static_cast<std::size_t>(block * heads_ + head)] =
                weight_on_first(all.cells(head * cells, cells), p->queries).value_or(0.0);
    }
    if (block + 1 == layers()) all_ = mixer_.all();
    made_.store(block + 1, std::memory_order_release);
}

bool MixedBlocks::go_on(const Trace& trace) {
    const std::int64_t cells = std::int64_t{trace.positions()} * trace.positions() * heads_;
    if (thread_.joinable()) return !done() && !failed_;
    for (std::int64_t spent = 0; !done() && spent < mixed_cells_a_frame; spent += cells) make_next(trace);
    return !done();
}

const MixedPatterns* MixedBlocks::find(int block) const {
    if (block < 0) return done() ? &all_ : nullptr;
    return block < made() ? &blocks_[static_cast<std::size_t>(block)] : nullptr;
}

}  // namespace glassformer::app::views::all_heads
