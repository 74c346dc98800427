#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/altered_backend.h"
#include "core/trace/tracer.h"

namespace glassformer {

/// A sentence to run with changes.
struct WhatIfRun {
    TraceInput input;
    int slot = 0;                     // 0 is A, 1 is B
    std::optional<TraceInput> other;  // the other sentence, the source of patches, if there is one
};

/// Makes traces of a model with a list of changes. Structural changes rebuild the model; all others are interventions
/// on it. Hard attention uses the scores of the run with all the other changes, and a patch takes its values from the
/// other sentence's own run, without interventions. If two changes set the same cells, the later one wins. Not
/// thread-safe; its traces are.
class WhatIfTracer {
public:
    WhatIfTracer(Backend& backend, const TransformerConfig& config);
    ~WhatIfTracer();

    /// Traces without changes. Throws Error like Tracer::trace().
    std::shared_ptr<const Trace> trace(const TraceInput& input, const Parameters& parameters);
    /// Also throws Error, naming the change, if a change does not fit the model or the sentence. Ignores changes to the
    /// other sentence.
    std::shared_ptr<const Trace> trace(const WhatIfRun& run, const Parameters& parameters,
                                       std::span<const WhatIf> changes);

    /// Sets the function that makes sentences of the model's world, for patches from the mean over them. Called once.
    void set_world(std::function<std::vector<TraceInput>()> make) { make_world_ = std::move(make); }
    const std::vector<TraceInput>& world();

    /// Why `change` cannot be made in this sentence, as one phrase; empty if it can. `all` is the list that contains
    /// it, which determines the model. Runs nothing.
    std::string refusal(const WhatIfRun& run, const WhatIf& change, std::span<const WhatIf> all);

private:
    struct Model;

    Model& altered(std::span<const WhatIf> changes);
    std::shared_ptr<const Trace> run(Tracer& tracer, const Parameters& parameters, const WhatIfRun& run,
                                     std::span<const WhatIf> changes);
    const std::vector<float>& mean_over_world(Tracer& tracer, const Parameters& parameters,
                                              const TransformerConfig& config, const HookPoint& place);

    /// A mean over the world, for one set of parameters.
    struct Mean {
        std::weak_ptr<const ParameterValues> of;
        TransformerConfig config;
        HookPoint place;
        std::vector<float> mean;
    };

    Backend& backend_;
    TransformerConfig config_;
    Tracer plain_;
    std::vector<std::unique_ptr<Model>> rebuilt_;  // the most recently used one is last
    std::function<std::vector<TraceInput>()> make_world_;
    std::vector<TraceInput> world_;
    std::vector<Mean> means_;
};

}  // namespace glassformer
