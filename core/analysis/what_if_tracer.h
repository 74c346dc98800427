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

/// A sentence that is to be run with changes.
struct WhatIfRun {
    TraceInput input;
    int slot = 0;                     // 0 is A, 1 is B
    std::optional<TraceInput> other;  // the other sentence, which patches come from, where there is one
};

/// Makes traces of a model with a list of changes. Structural changes rebuild the model; all the others are
/// interventions on it. Attention that is made hard looks at the scores of the run with all the other changes, and a
/// patch takes from the other sentence's own run, without interventions. Where two changes set the same cells, the
/// later one holds. Not thread-safe; its traces are.
class WhatIfTracer {
public:
    WhatIfTracer(Backend& backend, const TransformerConfig& config);
    ~WhatIfTracer();

    /// Without changes. Throws Error as Tracer::trace() does.
    std::shared_ptr<const Trace> trace(const TraceInput& input, const Parameters& parameters);
    /// Throws Error, too, naming a change that does not fit the model or the sentence. Changes of the other sentence
    /// are left out.
    std::shared_ptr<const Trace> trace(const WhatIfRun& run, const Parameters& parameters,
                                       std::span<const WhatIf> changes);

    /// What makes sentences of the world that the model learned from, for patches from the mean over them; asked once.
    void set_world(std::function<std::vector<TraceInput>()> make) { make_world_ = std::move(make); }
    const std::vector<TraceInput>& world();

    /// Why `change` cannot be made in this sentence, in one phrase; empty where it can. `all` are the changes that it
    /// stands among, which say what the model is. Runs nothing.
    std::string refusal(const WhatIfRun& run, const WhatIf& change, std::span<const WhatIf> all);

private:
    struct Model;

    Model& altered(std::span<const WhatIf> changes);
    std::shared_ptr<const Trace> run(Tracer& tracer, const Parameters& parameters, const WhatIfRun& run,
                                     std::span<const WhatIf> changes);
    const std::vector<float>& mean_over_world(Tracer& tracer, const Parameters& parameters,
                                              const TransformerConfig& config, const HookPoint& place);

    /// A mean over the world, of a model's parameters.
    struct Mean {
        std::weak_ptr<const ParameterValues> of;
        TransformerConfig config;
        HookPoint place;
        std::vector<float> mean;
    };

    Backend& backend_;
    TransformerConfig config_;
    Tracer plain_;
    std::vector<std::unique_ptr<Model>> rebuilt_;  // the one that was used last stands last
    std::function<std::vector<TraceInput>()> make_world_;
    std::vector<TraceInput> world_;
    std::vector<Mean> means_;
};

}  // namespace glassformer
