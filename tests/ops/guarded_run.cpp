#include "tests/ops/guarded_run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "tests/ops/fence.h"

namespace glassformer::testing {

namespace {

constexpr float guard = -7.25e33f;
constexpr std::size_t line = 16;  // cells of a cache line, to which a plan aligns the values

const float not_a_number = std::numeric_limits<float>::quiet_NaN();

/// What lies next to the values. Guard cells show who wrote to them; a fence, memory that may not be touched, ends the
/// program at the first cell read or written beyond it, even if the value read is not used.
enum class Beside { guard_cells, fence_behind };

/// Values with guard cells in the rest of their pages.
class Guarded {
public:
    Guarded(std::size_t count, float value, Beside beside) : count_(count) {
        const std::size_t page = page_size() / sizeof(float);
        const std::size_t wanted = count + (beside == Beside::guard_cells ? 2 * line : 0);
        size_ = (wanted + page - 1) / page * page;
        cells_ = fenced_pages(size_);
        first_ = beside == Beside::guard_cells ? line : size_ - count;
        std::ranges::fill(all(), guard);
        std::ranges::fill(values(), value);
    }
    Guarded(const Tensor& t, Beside beside) : Guarded(t.values().size(), 0.0f, beside) {
        std::ranges::copy(t.values(), values().begin());
    }

    std::span<float> values() { return all().subspan(first_, count_); }
    float* data() { return cells_.get() + first_; }
    bool whole() {
        const auto is_guard = [](float v) { return v == guard; };
        return std::ranges::all_of(all().first(first_), is_guard) &&
               std::ranges::all_of(all().subspan(first_ + count_), is_guard);
    }
    bool all_written() {
        return std::ranges::none_of(values(), [](float v) { return std::isnan(v); });
    }
    bool holds(const Tensor& t) { return std::ranges::equal(values(), t.values()); }
    void forget() { std::ranges::fill(values(), not_a_number); }

private:
    std::span<float> all() { return {cells_.get(), size_}; }

    std::shared_ptr<float> cells_;
    std::size_t size_ = 0, first_ = 0, count_ = 0;
};

std::vector<int> reads_of(const OpCase& c) {
    std::vector<int> reads = c.reads;
    for (std::size_t i = 0; reads.size() < c.tensors.size() && c.reads.empty(); ++i)
        reads.push_back(static_cast<int>(i));
    return reads;
}

/// An op with its inputs, its output and the gradients of both, each in guarded pages.
class GuardedRun {
public:
    GuardedRun(const OpCase& c, Beside beside) : op_(*c.op), beside_(beside), output_(0, 0.0f, beside) {
        for (const int t : reads_of(c)) tensors_.push_back(&c.tensors[t]);
        for (const Tensor* t : tensors_) {
            inputs_.emplace_back(*t, beside);
            shapes_.push_back(t->shape());
        }
        shape_ = op_.infer_shape(shapes_);
        output_ = Guarded(cells(), not_a_number, beside);
    }

    std::string forward() {
        ThreadPool pool(1);
        op_.forward({views(), {output_.data(), shape_}, pool});
        if (!output_.whole()) return "forward writes beside its output";
        if (!output_.all_written()) return "forward leaves a cell of its output unwritten, or writes no number";
        return inputs_whole("forward");
    }

    std::string backward() {
        ThreadPool pool(1);
        const Tensor weights = normal(shape_, 95);
        Guarded from(weights, beside_);
        std::vector<Guarded> gradients;
        for (const Tensor* t : tensors_) gradients.emplace_back(t->values().size(), not_a_number, beside_);
        std::vector<GradientSlot> slots;
        for (std::size_t i = 0; i < tensors_.size(); ++i)
            slots.push_back({op_.has_gradient(static_cast<int>(i)) ? gradients[i].data() : nullptr, false});
        for (std::size_t i = 0; i < tensors_.size(); ++i)
            if (!op_.backward_reads_input(static_cast<int>(i))) inputs_[i].forget();
        if (!op_.backward_reads_output()) output_.forget();
        op_.backward({views(), {output_.data(), shape_}, {from.data(), shape_}, slots, pool});
        for (std::size_t i = 0; i < tensors_.size(); ++i) {
            const std::string name = " the gradient of input " + std::to_string(i);
            if (!gradients[i].whole()) return "backward writes beside" + name;
            if (slots[i].data && !gradients[i].all_written())
                return "backward leaves a cell of" + name + " unwritten, or reads what it says it does not";
        }
        if (!from.whole() || !from.holds(weights)) return "backward writes where the gradient of its output lies";
        if (!output_.whole()) return "backward writes beside its output";
        return inputs_whole("backward");
    }

private:
    std::size_t cells() const { return static_cast<std::size_t>(shape_.elements()); }

    std::span<const ConstView> views() {
        views_.clear();
        for (std::size_t i = 0; i < inputs_.size(); ++i) views_.push_back({inputs_[i].data(), shapes_[i]});
        return views_;
    }

    std::string inputs_whole(const std::string& who) {
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            const bool forgotten = who == "backward" && !op_.backward_reads_input(static_cast<int>(i));
            if (!inputs_[i].whole() || (!forgotten && !inputs_[i].holds(*tensors_[i])))
                return who + " writes to input " + std::to_string(i) + " or beside it";
        }
        return "";
    }

    const Op& op_;
    Beside beside_;
    std::vector<const Tensor*> tensors_;
    std::vector<Guarded> inputs_;
    std::vector<Shape> shapes_;
    std::vector<ConstView> views_;
    Shape shape_;
    Guarded output_;
};

bool has_gradient(const OpCase& c) {
    const int inputs = static_cast<int>(reads_of(c).size());
    for (int i = 0; i < inputs; ++i)
        if (c.op->has_gradient(i)) return true;
    return false;
}

}  // namespace

std::string guard_error(const OpCase& c) {
    if (c.op->is_view()) return "";  // its kernels do nothing
    std::string name(c.op->name());
    for (const Tensor& t : c.tensors) name += " " + t.shape().to_string();
    const NamedCrash crash(name);
    for (const Beside beside : {Beside::guard_cells, Beside::fence_behind}) {
        GuardedRun run(c, beside);
        std::string error = run.forward();
        if (error.empty() && has_gradient(c)) error = run.backward();
        if (!error.empty()) return name + ": " + error;
    }
    return "";
}

}  // namespace glassformer::testing
