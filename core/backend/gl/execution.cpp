#include "core/backend/gl/execution.h"

#include <algorithm>

#include "core/backend/gl/fused_attention.h"
#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/graph/plan.h"

namespace glassformer::gl {

namespace {

// Cells before the first tensor and after the last.
constexpr std::int64_t margin = 16;
// A NaN with a bit pattern that no shader produces.
constexpr std::uint32_t guard_bits = 0x7fd5a5a5u;
constexpr float parameter_guard = 12345.678f;

std::size_t at(int id) { return static_cast<std::size_t>(id); }

}  // namespace

GlExecution::GlExecution(std::shared_ptr<const Graph> graph, const PlanRequest& request,
                         std::shared_ptr<Parameters> parameters, Recorder recorder, bool guard)
    : graph_(std::move(graph)),
      run_(fuse_attention(graph_, request, recorder.tuning().fuse_from, recorder.device().most_iterations)),
      request_(request),
      plan_(*run_, request),
      loss_(request.loss),
      parameters_(std::move(parameters)),
      recorder_(std::move(recorder)),
      guard_(guard),
      inputs_(graph_->nodes().size()) {
    for (std::size_t id = 0; id < inputs_.size(); ++id)
        if ((*graph_)[static_cast<int>(id)].kind == NodeInfo::Kind::input)
            inputs_[id].values.resize((*graph_)[static_cast<int>(id)].shape.elements());
    record();
}

void GlExecution::record() {
    arena_ = Buffer(plan_.arena_size() + 2 * margin);
    Recorder gl = recorder_.fresh();
    record_forward(gl);
    if (loss_ >= 0) record_backward(gl);
    commands_ = std::move(gl.commands());
    buffers_ = gl.take_buffers();
    commands_.seal(gl.device());
    if (guard_) place_guards();
    check_errors("while a model was prepared");
}

void GlExecution::run_in_single_steps() {
    run_ = graph_;
    plan_ = Plan(*run_, request_);
    forward_ranges_.clear();
    mirror_current_ = false;
    record();
    for (Input& in : inputs_) in.changed = true;
}

/// True if an op computes the node's value.
bool GlExecution::is_run(int id) const {
    return !is_attention_rows((*run_)[id]) && std::ranges::find(plan_.forward(), id) != plan_.forward().end();
}

Span GlExecution::value_span(int id) const { return is_attention_rows((*run_)[id]) ? Span{} : place_of(id); }

Span GlExecution::place_of(int id) const {
    const std::int64_t cells = (*run_)[id].shape.elements();
    const int root = plan_.root(id);
    if ((*run_)[root].kind == NodeInfo::Kind::parameter) return parameters_->value(root);
    const std::int64_t offset = plan_.value_offset(id);
    return offset == Plan::nowhere ? Span{} : Span{arena_.id(), margin + offset, cells};
}

Span GlExecution::gradient_span(int id) const {
    const int root = plan_.root(id);
    if ((*run_)[root].kind == NodeInfo::Kind::parameter) return parameters_->gradient(root);
    const std::int64_t offset = plan_.gradient_offset(id);
    return offset == Plan::nowhere ? Span{} : Span{arena_.id(), margin + offset, (*run_)[id].shape.elements()};
}

GlStep GlExecution::step(int id, bool is_backward) const {
    const NodeInfo& info = (*run_)[id];
    GlStep s{*info.op, {}, {}, {}, {}};
    for (std::size_t i = 0; i < info.inputs.size(); ++i) {
        const bool read = !is_backward || info.op->backward_reads_input(static_cast<int>(i));
        s.inputs.push_back({read ? place_of(info.inputs[i]) : Span{}, (*run_)[info.inputs[i]].shape});
    }
    s.output = {!is_backward || info.op->backward_reads_output() ? place_of(id) : Span{}, info.shape};
    if (is_backward) s.output_gradient = {gradient_span(id), info.shape};
    return s;
}

std::vector<GlSlot> GlExecution::slots(int id) const {
    const NodeInfo& info = (*run_)[id];
    std::vector<GlSlot> all(info.inputs.size());
    for (std::size_t i = 0; i < all.size(); ++i)
        if (plan_.needs_gradient(info.inputs[i]) && info.op->has_gradient(static_cast<int>(i)))
            all[i] = {gradient_span(info.inputs[i]), !plan_.first_gradient(id, static_cast<int>(i))};
    return all;
}

void GlExecution::record_forward(Recorder& gl) {
    const std::vector<bool> watched =
        request_.watch ? watched_nodes(*run_, plan_.forward()) : std::vector<bool>(run_->nodes().size());
    if (request_.watch) record_fill(gl, broken(), 0.0);
    int last = -1;
    // A value is checked just before the next op may reuse its memory, and so after any intervention has overwritten
    // it.
    const auto look = [&] {
        if (last >= 0 && watched[at(last)] && place_of(last)) record_finite(gl, place_of(last), broken());
    };
    std::size_t first = 0;
    for (const int id : plan_.forward()) {
        look();
        record_node(gl, last = id);
        forward_ranges_.push_back({first, gl.commands().size()});
        first = gl.commands().size();
    }
    look();
    forward_end_ = gl.commands().size();
}

void GlExecution::record_node(Recorder& gl, int id) {
    const NodeInfo& info = (*run_)[id];
    if (info.op->is_view()) return;
    if (info.inputs.empty()) return record_constant(gl, id);
    const GlOp* op = find_gl_op(info.op->name());
    if (!op) throw Error("the op {1} ({2}) has no OpenGL shader yet; use --backend cpu", info.op->name(), info.name);
    if (info.shape.elements() > 0) op->forward(gl, step(id, false));
}

// Ops without inputs are computed once, here. Each run copies the result, because the plan reuses its memory in
// between.
void GlExecution::record_constant(Recorder& gl, int id) {
    const NodeInfo& info = (*run_)[id];
    std::vector<float> values(static_cast<std::size_t>(info.shape.elements()));
    ThreadPool pool(1);
    info.op->forward({{}, {values.data(), info.shape}, pool});
    record_copy(gl, gl.constants(values), {place_of(id), false});
}

void GlExecution::record_backward(Recorder& gl) {
    gl.begin_run();
    record_fill(gl, gradient_span(loss_), 1.0);
    // A parameter without a path to the loss has gradient zero.
    for (const int id : run_->parameters())
        if (!plan_.needs_gradient(id)) record_fill(gl, parameters_->gradient(id), 0.0);
    for (const int id : plan_.backward()) record_node_backward(gl, id);
}

// A node that feeds two inputs has one gradient. Each of the two gets its own call, so that the second adds to what the
// first has written.
void GlExecution::record_node_backward(Recorder& gl, int id) {
    const NodeInfo& info = (*run_)[id];
    if (info.op->is_view() || info.shape.elements() == 0) return;
    const std::vector<GlSlot> all = slots(id);
    const auto same = [](const GlSlot& a, const GlSlot& b) {
        return a.span && a.span.buffer == b.span.buffer && a.span.offset == b.span.offset;
    };
    for (int round = 0;; ++round) {
        GlStep s = step(id, true);
        bool any = false;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto earlier = std::count_if(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(i),
                                               [&](const GlSlot& slot) { return same(slot, all[i]); });
            const bool taken = all[i].span && earlier == round;
            s.gradients.push_back(taken ? all[i] : GlSlot{});
            any = any || taken;
        }
        if (!any) return;
        const GlOp* op = find_gl_op(info.op->name());
        if (!op || !op->backward)
            throw Error("the op {1} ({2}) has no OpenGL shader for its gradient yet; use --backend cpu",
                        info.op->name(), info.name);
        op->backward(gl, s);
    }
}

GlExecution::Input& GlExecution::input(int id) {
    if ((*graph_)[id].kind != NodeInfo::Kind::input) throw Error("{1} is not an input", (*graph_)[id].name);
    return inputs_[at(id)];
}

void GlExecution::set_input(int id, std::span<const float> values) {
    Input& in = input(id);
    if (values.size() != in.values.size())
        throw Error("{1} takes {2} values; {3} were given", (*graph_)[id].name, in.values.size(), values.size());
    std::ranges::copy(values, in.values.begin());
    in.changed = true;
}

std::span<float> GlExecution::input_values(int id) {
    Input& in = input(id);
    in.lent = true;
    return in.values;
}

void GlExecution::upload_inputs() {
    for (std::size_t id = 0; id < inputs_.size(); ++id) {
        Input& in = inputs_[id];
        const Span to = in.changed || in.lent ? value_span(static_cast<int>(id)) : Span{};
        if (to && to.buffer == arena_.id() && !in.values.empty()) arena_.write(to.offset, in.values.data(), to.cells);
        in.changed = false;
    }
}

void GlExecution::require_size(std::size_t given) const {
    if (static_cast<std::int64_t>(given) != graph_->parameter_count())
        throw Error("the model has {1} parameters; {2} were given", graph_->parameter_count(), given);
}

void GlExecution::forward(const ParameterView& view) {
    require_size(view.size());
    const std::span<const float> parameters = view.all();
    flat_parameters_ = parameters.data();
    parameters_->upload(parameters);
    run_forward();
    check_errors("in the forward pass");
}

bool GlExecution::finite() const {
    float broken = 0.0f;
    if (request_.watch) broken_.read(0, &broken, 1);
    return broken == 0.0f;
}

void GlExecution::run_forward() {
    mirror_current_ = false;
    recorder_.refresh_programs();
    upload_inputs();
    if (interventions_.empty()) return commands_.replay(0, forward_end_);
    for (std::size_t i = 0; i < forward_ranges_.size(); ++i) {
        commands_.replay(forward_ranges_[i].first, forward_ranges_[i].last);
        for (const Intervention& intervention : interventions_)
            if (intervention.node == plan_.forward()[i]) overwrite(intervention);
    }
    commands_.replay(forward_ranges_.back().last, forward_end_);
}

void GlExecution::backward(std::span<float> gradients) {
    if (loss_ < 0) throw Error("this execution was planned without a loss, so it has no backward pass");
    require_size(gradients.size());
    run_backward();
    parameters_->download_gradients(gradients);
    check_errors("in the backward pass");
}

void GlExecution::run_backward() {
    commands_.replay(forward_end_, commands_.size());
    mirror_current_ = false;
}

void GlExecution::intervene(std::vector<Intervention> interventions) {
    if (run_ != graph_) {
        const Plan whole(*graph_, request_);
        for (const Intervention& i : interventions) check_intervention(*graph_, whole, i);
        if (!std::ranges::all_of(interventions, [&](const Intervention& i) { return is_run(i.node); }))
            run_in_single_steps();
    }
    for (const Intervention& i : interventions) check_intervention(*graph_, plan_, i);
    interventions_ = std::move(interventions);
}

void GlExecution::overwrite(const Intervention& i) {
    const Span to = value_span(i.node);
    const float* from = i.values.data();
    for (const Intervention::Range& r : i.ranges) {
        arena_.write(to.offset + r.offset, from, r.count);
        from += r.count;
    }
}

void GlExecution::read(int id, std::span<float> values) const {
    const NodeInfo& info = (*graph_)[id];
    const Span from = value_span(id);
    if (!from || static_cast<std::int64_t>(values.size()) != info.shape.elements())
        throw Error("{1} was not kept, or has another size", info.name);
    if (from.buffer == arena_.id() && !mirror_current_)
        arena_.read(from.offset, values.data(), from.cells);
    else
        std::ranges::copy(view(id), values.begin());
}

std::span<const float> GlExecution::view(int id) const {
    const NodeInfo& root = (*graph_)[plan_.root(id)];
    const std::size_t cells = (*graph_)[id].shape.elements();
    if (root.kind == NodeInfo::Kind::parameter)
        return flat_parameters_ ? std::span{flat_parameters_ + root.offset, cells} : std::span<const float>{};
    const Span from = value_span(id);
    if (!from) return {};
    if (!mirror_current_) {
        mirror_.resize(arena_.cells());
        arena_.read(0, mirror_.data(), arena_.cells());
        mirror_current_ = true;
    }
    return {mirror_.data() + from.offset, cells};
}

float GlExecution::loss() const {
    float value = 0.0f;
    if (loss_ >= 0) read(loss_, {&value, 1});
    return value;
}

void GlExecution::place_guards() {
    const std::vector<std::uint32_t> marks(static_cast<std::size_t>(arena_.cells()), guard_bits);
    arena_.write(0, marks.data(), arena_.cells());
    parameters_->fill_gaps(parameter_guard);
}

std::string GlExecution::guard_error() const {
    std::vector<bool> owned(static_cast<std::size_t>(arena_.cells()));
    for (int id = 0; id < static_cast<int>(graph_->nodes().size()); ++id)
        for (const Span& span : {place_of(id), plan_.needs_gradient(id) ? gradient_span(id) : Span{}})
            if (span.buffer == arena_.id())
                std::fill_n(owned.begin() + static_cast<std::ptrdiff_t>(span.offset), span.cells, true);
    std::vector<std::uint32_t> cells(owned.size());
    arena_.read(0, cells.data(), arena_.cells());
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (!owned[i] && cells[i] != guard_bits)
            return filled_with(N_("cell {1} lies between the tensors and was written"), i);
    if (!parameters_->gaps_hold(parameter_guard)) return N_("a cell between two parameters or gradients was written");
    return "";
}

}  // namespace glassformer::gl
