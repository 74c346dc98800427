#pragma once

#include "app/session/study.h"
#include "app/session/training_run.h"
#include "core/base/error.h"

namespace glassformer::app {

/// Scores the heads at each kept step from before a run was opened, while it is not training. The run shows the result.
class HeadsStudy : public Study {
public:
    void show(Snapshot&, const Subject& of) override { under_way_ = !of.trains && left(of); }
    bool under_way() const override { return under_way_; }
    void work(const Subject& of) override {
        const std::int64_t step = of.run->step_without_heads();
        std::vector<HeadScore> heads;
        under_way_ = false;
        try {
            const Timeline::Keyframe kept = of.run->timeline().nearest(step);
            if (kept.step == step) heads = of.model.head_scores(*kept.parameters);
        } catch (const Error&) {  // a step that cannot be read back from disk is no longer kept
            of.run->heads_measured(step, {});
            throw;
        }
        of.run->heads_measured(step, std::move(heads));
        under_way_ = left(of);
    }

private:
    static bool left(const Subject& of) { return of.run && of.run->step_without_heads() >= 0; }

    bool under_way_ = false;
};

}  // namespace glassformer::app
