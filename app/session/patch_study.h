#pragma once

#include <memory>
#include <optional>
#include <span>

#include "app/session/study.h"

namespace glassformer::app {

/// Fills a patch grid run by run, for the sentences as they were when it was asked for, without what-ifs. If they allow
/// no grid, says why.
class PatchStudyAtWork : public Study {
public:
    void ask(const command::AskPatchGrid& asked) { asked_ = asked; }
    void show(Snapshot& snapshot, const Subject& of) override;
    bool under_way() const override { return run_.has_value(); }
    void work(const Subject&) override;
    void forget() override;

private:
    void begin(const command::AskPatchGrid& asked, const Subject& of);
    void end();
    void start(Backend& backend, const WatchedRuns::Both& sentences, std::span<const TraceInput> world,
               PatchStudy& study);

    std::optional<command::AskPatchGrid> asked_;
    std::shared_ptr<const Trace> a_, b_;  // must outlive run_
    std::optional<PatchGridRun> run_;
    std::shared_ptr<const PatchStudy> shown_;
};

}  // namespace glassformer::app
