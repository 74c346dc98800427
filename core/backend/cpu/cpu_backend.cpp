#include "core/backend/cpu/cpu_backend.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>

#include "core/base/aligned.h"
#include "core/base/ceil_div.h"
#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/graph/plan.h"
#include "core/ops/product.h"

namespace glassformer {

namespace {

constexpr std::int64_t piece = 65536;

// The exponent of an infinity or NaN is all ones, so adding one to it carries into the sign bit. No branch depends on a
// value, so this vectorises.
bool finite(const float* values, std::int64_t count) {
    constexpr std::uint32_t magnitude = 0x7fffffff, one = 0x00800000, sign = 0x80000000;
    std::uint32_t reached = 0;
    for (std::int64_t i = 0; i < count; ++i) reached |= (std::bit_cast<std::uint32_t>(values[i]) & magnitude) + one;
    return (reached & sign) == 0;
}

class CpuExecution final : public Execution {
public:
    CpuExecution(std::shared_ptr<const Graph> graph, const PlanRequest& request, ThreadPool& pool,
                 const std::function<void()>& between_ops)
        : graph_(std::move(graph)),
          run_(block_attention(graph_, request, blocks_from, pool.threads())),
          request_(request),
          plan_(*run_, request),
          loss_(request.loss),
          kept_(graph_->nodes().size()),
          arena_(static_cast<std::size_t>(plan_.arena_size())),
          pool_(pool),
          between_ops_(between_ops) {
        prepare_steps();
        for (const int id : request.keep) kept_[plan_.root(id)] = true;
        for (std::size_t id = 0; id < kept_.size(); ++id)
            if (graph_->nodes()[id].kind != NodeInfo::Kind::op) kept_[id] = true;
        watched_ = request.watch ? watched_nodes(*run_, plan_.forward()) : std::vector<bool>(kept_.size());
    }

    const Graph& graph() const override { return *graph_; }

    void set_input(int id, std::span<const float> values) override {
        const NodeInfo& info = (*graph_)[id];
        if (info.kind != NodeInfo::Kind::input || static_cast<std::int64_t>(values.size()) != info.shape.elements())
            throw Error("{1} takes {2} values; {3} were given", info.name, info.shape.elements(), values.size());
        std::ranges::copy(values, at(plan_.value_offset(id)));
    }

    std::span<float> input_values(int id) override {
        const NodeInfo& info = (*graph_)[id];
        if (info.kind != NodeInfo::Kind::input) throw Error("{1} is not an input", info.name);
        return {at(plan_.value_offset(id)), static_cast<std::size_t>(info.shape.elements())};
    }

    void intervene(std::vector<Intervention> interventions) override {
        if (run_ != graph_) {
            const Plan whole(*graph_, request_);
            for (const Intervention& i : interventions) check_intervention(*graph_, whole, i);
            const auto runs = [&](int id) { return std::ranges::find(plan_.forward(), id) != plan_.forward().end(); };
            if (!std::ranges::all_of(interventions, runs, &Intervention::node)) run_in_single_steps(whole);
        }
        for (const Intervention& i : interventions) check_intervention(*graph_, plan_, i);
        interventions_ = std::move(interventions);
    }

    void forward(const ParameterView& parameters) override {
        for (bool first = true; forward_part(parameters, first); first = false) {
        }
    }

    bool forward_part(const ParameterView& parameters, bool first) override {
        if (first) {
            require_size(parameters.size());
            parameters.require_unchanged();
            parameters_ = parameters;
            finite_ = true;
            next_ = 0;
        }
        if (next_ < plan_.forward().size()) compute(plan_.forward()[next_++]);
        if (next_ < plan_.forward().size()) return true;
        parameters.require_unchanged();  // parts of a file truncated meanwhile were read as zeros
        return false;
    }

    void backward(std::span<float> gradients) override {
        for (bool first = true; backward_part(gradients, first); first = false) {
        }
    }

    bool backward_part(std::span<float> gradients, bool first) override {
        if (first) {
            if (loss_ < 0) throw Error("this execution was planned without a loss, so it has no backward pass");
            if (request_.gradients.empty()) {
                require_size(gradients.size());
                clear_unreached(gradients);
            }
            *at(plan_.gradient_offset(loss_)) = 1.0f;
            next_ = 0;
        }
        if (next_ < plan_.backward().size()) go_back(plan_.backward()[next_++], gradients);
        return next_ < plan_.backward().size();
    }

    void read(int id, std::span<float> values) const override {
        const NodeInfo& info = (*graph_)[id];
        const float* source = value(id);
        if (!source || static_cast<std::int64_t>(values.size()) != info.shape.elements())
            throw Error("{1} was not kept, or has another size", info.name);
        std::copy_n(source, values.size(), values.data());
    }

    std::span<const float> view(int id) const override {
        const float* source = value(id);
        if (!source || !kept_[plan_.root(id)]) return {};
        return {source, static_cast<std::size_t>((*graph_)[id].shape.elements())};
    }

    std::span<const float> gradient(int id) const override {
        if (!plan_.needs_gradient(id) || plan_.gradient_offset(id) == Plan::nowhere) return {};
        return {at(plan_.gradient_offset(id)), static_cast<std::size_t>((*graph_)[id].shape.elements())};
    }

    bool finite() const override { return finite_; }
    float loss() const override { return loss_ >= 0 ? *at(plan_.value_offset(loss_)) : 0.0f; }
    std::int64_t arena_bytes() const override { return static_cast<std::int64_t>(arena_.size() * sizeof(float)); }

private:
    float* at(std::int64_t offset) { return arena_.data() + offset; }
    const float* at(std::int64_t offset) const { return arena_.data() + offset; }

    void compute(int id) {
        if (between_ops_) between_ops_();
        const NodeInfo& info = (*run_)[id];
        if (!info.op->is_view()) info.op->forward({gather(id, true), {at(plan_.value_offset(id)), info.shape}, pool_});
        for (const Intervention& i : interventions_)
            if (i.node == id) overwrite(i);
        if (watched_[id] && finite_) look_at(id);
    }

    void go_back(int id, std::span<float> gradients) {
        const NodeInfo& info = (*graph_)[id];
        if (info.op->is_view()) return;
        const ConstView output{at(plan_.value_offset(id)), info.shape},
            gradient{at(plan_.gradient_offset(id)), info.shape};
        gather_gradients(id, gradients);
        const SetCells set(*this, id);
        // A node that feeds two inputs has one gradient. A kernel may write its inputs' gradients in parallel, on
        // several threads, so each of the two gets its own call.
        for (int round = 0; take_slots(info.inputs.size(), round); ++round)
            info.op->backward({gather(id, false), output, gradient, {slots_.data(), info.inputs.size()}, pool_});
    }

    /// While this object lives, a node's gradient is 0 in the cells that were overwritten, in the node or in a view of
    /// it: the values computed there were never used.
    class SetCells {
    public:
        SetCells(CpuExecution& run, int node) {
            for (const Intervention& i : run.interventions_)
                if (run.plan_.root(i.node) == node)
                    for (const Intervention::Range& r : i.ranges) clear(run.at(run.plan_.gradient_offset(node)), r);
        }
        ~SetCells() {
            for (auto cell = saved_.rbegin(); cell != saved_.rend(); ++cell) *cell->first = cell->second;
        }
        SetCells(const SetCells&) = delete;
        SetCells& operator=(const SetCells&) = delete;

    private:
        void clear(float* gradient, const Intervention::Range& r) {
            for (float& cell : std::span(gradient + r.offset, static_cast<std::size_t>(r.count)))
                saved_.emplace_back(&cell, std::exchange(cell, 0.0f));
        }

        std::vector<std::pair<float*, float>> saved_;
    };

    void overwrite(const Intervention& i) {
        const float* from = i.values.data();
        for (const Intervention::Range& r : i.ranges) {
            std::copy_n(from, r.count, at(plan_.value_offset(i.node)) + r.offset);
            from += r.count;
        }
    }

    // Call this while the values are still in the cache, and before another op reuses their memory.
    void look_at(int id) {
        const float* values = value(id);
        finite_ = all_finite({values, static_cast<std::size_t>((*graph_)[id].shape.elements())}, pool_);
    }

    // Allocates the views and slots of a step once; only pointers to parameters change.
    void prepare_steps() {
        std::size_t most = 0;
        for (const int id : plan_.forward()) most = std::max(most, (*run_)[id].inputs.size());
        views_.resize(most);
        slots_.resize(most);
        all_slots_.resize(most);
    }

    /// From now on, runs the graph as it was given; the inputs keep their values.
    void run_in_single_steps(const Plan& whole) {
        AlignedFloats arena(static_cast<std::size_t>(whole.arena_size()));
        for (int id = 0; id < static_cast<int>(graph_->nodes().size()); ++id)
            if ((*graph_)[id].kind == NodeInfo::Kind::input)
                std::copy_n(at(plan_.value_offset(id)), (*graph_)[id].shape.elements(),
                            arena.data() + whole.value_offset(id));
        run_ = graph_;
        plan_ = whole;
        arena_ = std::move(arena);
        prepare_steps();
    }

    const float* value(int id) const {
        const NodeInfo& root = (*graph_)[plan_.root(id)];
        if (root.kind == NodeInfo::Kind::parameter)
            return parameters_.size() ? parameters_.values(root.offset, root.shape.elements()).data() : nullptr;
        const std::int64_t offset = plan_.value_offset(id);
        return offset == Plan::nowhere ? nullptr : at(offset);
    }

    std::span<const ConstView> gather(int id, bool forward) {
        const NodeInfo& info = (*run_)[id];
        for (std::size_t i = 0; i < info.inputs.size(); ++i) {
            const int input = info.inputs[i];
            const TypedMatrix* matrix = forward && info.op->reads_stored(static_cast<int>(i)) ? stored(input) : nullptr;
            views_[i] = {matrix ? nullptr : value(input), (*graph_)[input].shape, matrix};
        }
        return {views_.data(), info.inputs.size()};
    }

    const TypedMatrix* stored(int id) const {
        const NodeInfo& info = (*graph_)[id];
        return info.kind == NodeInfo::Kind::parameter ? parameters_.stored(info.offset) : nullptr;
    }

    void gather_gradients(int id, std::span<float> gradients) {
        const NodeInfo& info = (*graph_)[id];
        for (std::size_t i = 0; i < info.inputs.size(); ++i) {
            const int input = info.inputs[i];
            all_slots_[i] = {};
            if (!plan_.needs_gradient(input) || !info.op->has_gradient(static_cast<int>(i))) continue;
            const NodeInfo& target = (*graph_)[plan_.root(input)];
            all_slots_[i].data = target.kind == NodeInfo::Kind::parameter ? gradients.data() + target.offset
                                                                          : at(plan_.gradient_offset(input));
            all_slots_[i].accumulate = !plan_.first_gradient(id, static_cast<int>(i));
        }
    }

    // Puts into slots_ each gradient that `round` earlier inputs share; returns false if there is none.
    bool take_slots(std::size_t inputs, int round) {
        bool any = false;
        for (std::size_t i = 0; i < inputs; ++i) {
            const auto earlier = std::count_if(all_slots_.begin(), all_slots_.begin() + static_cast<std::ptrdiff_t>(i),
                                               [&](const GradientSlot& s) { return s.data == all_slots_[i].data; });
            const bool taken = all_slots_[i].data && earlier == round;
            slots_[i] = taken ? all_slots_[i] : GradientSlot{};
            any = any || taken;
        }
        return any;
    }

    // A parameter without a path to the loss has gradient zero.
    void clear_unreached(std::span<float> gradients) const {
        for (const int id : graph_->parameters())
            if (!plan_.needs_gradient(id))
                std::fill_n(gradients.data() + (*graph_)[id].offset, (*graph_)[id].shape.elements(), 0.0f);
    }

    void require_size(std::size_t given) const {
        if (static_cast<std::int64_t>(given) != graph_->parameter_count())
            throw Error("the model has {1} parameters; {2} were given", graph_->parameter_count(), given);
    }

    std::shared_ptr<const Graph> graph_, run_;  // as given, and as it runs (block_attention()), with the same ids
    PlanRequest request_;
    Plan plan_;
    int loss_;
    std::vector<bool> kept_;     // by root: still there after the run
    std::vector<bool> watched_;  // by node
    bool finite_ = true;
    std::size_t next_ = 0;  // position in the current pass
    AlignedFloats arena_;
    ThreadPool& pool_;
    const std::function<void()>& between_ops_;
    ParameterView parameters_;
    std::vector<ConstView> views_;
    std::vector<Intervention> interventions_;
    std::vector<GradientSlot> all_slots_, slots_;
};

}  // namespace

bool all_finite(std::span<const float> values, ThreadPool& pool) {
    const auto n = static_cast<std::int64_t>(values.size());
    std::atomic<bool> good{true};
    pool.run(ceil_div(n, piece), [&](std::int64_t i) {
        if (!finite(values.data() + i * piece, std::min(piece, n - i * piece)))
            good.store(false, std::memory_order_relaxed);
    });
    return good.load(std::memory_order_relaxed);
}

std::string CpuBackend::description() const {
    return filled_with(pool_.threads() == 1 ? N_("CPU · {1} · {2} thread") : N_("CPU · {1} · {2} threads"),
                       instruction_set(), pool_.threads());
}

std::unique_ptr<Execution> CpuBackend::prepare(std::shared_ptr<const Graph> graph, const PlanRequest& request) {
    return std::make_unique<CpuExecution>(std::move(graph), request, pool_, between_ops_);
}

std::string instruction_set() { return kernel::product_instruction_set(); }

}  // namespace glassformer
