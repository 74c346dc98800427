#pragma once

#include "core/backend/backend.h"
#include "core/backend/gl/gl_ops.h"
#include "core/backend/gl/parameters.h"

namespace glassformer::gl {

/// A graph's ops as recorded dispatches over one buffer of values and gradients, laid out by the plan. Attention over
/// long sequences runs as one op (fused_attention.h) if nobody inspects its inside, until an intervention changes a
/// cell of it.
class GlExecution final : public Execution {
public:
    GlExecution(std::shared_ptr<const Graph> graph, const PlanRequest& request, std::shared_ptr<Parameters> parameters,
                Recorder recorder, bool guard);

    const Graph& graph() const override { return *graph_; }
    void set_input(int id, std::span<const float> values) override;
    std::span<float> input_values(int id) override;
    void intervene(std::vector<Intervention> interventions) override;
    void forward(const ParameterView& parameters) override;
    /// Waits for the GPU.
    bool finite() const override;
    void backward(std::span<float> gradients) override;
    void read(int id, std::span<float> values) const override;
    std::span<const float> view(int id) const override;
    float loss() const override;
    std::int64_t arena_bytes() const override { return arena_.cells() * 4; }

    /// The same without any copy from or to the caller's memory: uses the parameters that are on the GPU, and writes
    /// the gradients there. Does not wait for the GPU.
    void run_forward();
    void run_backward();
    Parameters& parameters() { return *parameters_; }
    /// Where the values of a node, or the loss, lie, for shaders that draw or add them up. Empty if the node was not
    /// kept. Valid until an intervention.
    Span value_span(int id) const;
    int loss_node() const { return loss_; }
    /// One cell: non-zero if the last forward pass had a non-finite number; always 0 if the plan does not watch.
    Span broken() const { return {broken_.id(), 0, 1}; }

    /// "" if no cell outside the tensors was changed (only with guard).
    std::string guard_error() const;

private:
    struct Input {
        std::vector<float> values;
        bool changed = true;
        bool lent = false;  // its memory was handed out, so it may change at any time
    };
    struct Range {
        std::size_t first = 0, last = 0;
    };

    void record();
    /// From now on, runs the graph as it was given.
    void run_in_single_steps();
    void record_forward(Recorder& gl);
    void record_node(Recorder& gl, int id);
    void record_constant(Recorder& gl, int id);
    void record_backward(Recorder& gl);
    void record_node_backward(Recorder& gl, int id);
    GlStep step(int id, bool is_backward) const;
    std::vector<GlSlot> slots(int id) const;
    Span place_of(int id) const;
    Span gradient_span(int id) const;
    bool is_run(int id) const;
    Input& input(int id);
    void upload_inputs();
    void overwrite(const Intervention& intervention);
    void require_size(std::size_t given) const;
    void place_guards();

    std::shared_ptr<const Graph> graph_, run_;  // as given, and as it runs, with the same ids
    PlanRequest request_;
    Plan plan_;
    int loss_;
    std::shared_ptr<Parameters> parameters_;
    Recorder recorder_;  // with nothing recorded
    Buffer arena_, broken_{1};
    bool guard_;
    std::vector<Input> inputs_;          // by node; empty for nodes that are not inputs
    std::vector<Range> forward_ranges_;  // dispatches of each op in plan_.forward()
    std::size_t forward_end_ = 0;
    Commands commands_;
    std::vector<Buffer> buffers_;
    std::vector<Intervention> interventions_;
    const float* flat_parameters_ = nullptr;
    mutable std::vector<float> mirror_;  // the arena as last read by view()
    mutable bool mirror_current_ = false;
};

}  // namespace glassformer::gl
