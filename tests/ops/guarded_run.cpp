#include "tests/ops/guarded_run.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/aligned.h"

namespace glassformer::testing {

namespace {

constexpr std::size_t guards = 16;  // cells on each side: a cache line, so that the values lie as they do in a plan
constexpr float guard = -7.25e33f;

const float not_a_number = std::numeric_limits<float>::quiet_NaN();

/// Values between guard cells.
class Guarded {
public:
    Guarded(std::size_t count, float value) : cells_(count + 2 * guards, guard), count_(count) {
        std::ranges::fill(values(), value);
    }
    explicit Guarded(const Tensor& t) : Guarded(t.values().size(), 0.0f) {
        std::ranges::copy(t.values(), values().begin());
    }

    std::span<float> values() { return {cells_.data() + guards, count_}; }
    float* data() { return cells_.data() + guards; }
    bool whole() const {
        const auto is_guard = [](float v) { return v == guard; };
        return std::all_of(cells_.begin(), cells_.begin() + guards, is_guard) &&
               std::all_of(cells_.end() - guards, cells_.end(), is_guard);
    }
    bool all_written() {
        return std::ranges::none_of(values(), [](float v) { return std::isnan(v); });
    }
    bool holds(const Tensor& t) { return std::ranges::equal(values(), t.values()); }
    void forget() { std::ranges::fill(values(), not_a_number); }

private:
    AlignedFloats cells_;
    std::size_t count_;
};

std::vector<int> reads_of(const OpCase& c) {
    std::vector<int> reads = c.reads;
    for (std::size_t i = 0; reads.size() < c.tensors.size() && c.reads.empty(); ++i)
        reads.push_back(static_cast<int>(i));
    return reads;
}

/// An op with its inputs, its output and the gradients of both, each between guards.
class GuardedRun {
public:
    explicit GuardedRun(const OpCase& c) : op_(*c.op) {
        for (const int t : reads_of(c)) tensors_.push_back(&c.tensors[static_cast<std::size_t>(t)]);
        for (const Tensor* t : tensors_) {
            inputs_.emplace_back(*t);
            shapes_.push_back(t->shape());
        }
        shape_ = op_.infer_shape(shapes_);
        output_ = Guarded(cells(), not_a_number);
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
        Guarded from(weights);
        std::vector<Guarded> gradients;
        for (const Tensor* t : tensors_) gradients.emplace_back(t->values().size(), not_a_number);
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
    std::vector<const Tensor*> tensors_;
    std::vector<Guarded> inputs_;
    std::vector<Shape> shapes_;
    std::vector<ConstView> views_;
    Shape shape_;
    Guarded output_{0, 0.0f};
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
    GuardedRun run(c);
    std::string error = run.forward();
    if (error.empty() && has_gradient(c)) error = run.backward();
    if (error.empty()) return "";
    std::string name(c.op->name());
    for (const Tensor& t : c.tensors) name += " " + t.shape().to_string();
    return name + ": " + error;
}

}  // namespace glassformer::testing
