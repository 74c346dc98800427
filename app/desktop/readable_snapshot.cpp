#include "app/desktop/readable_snapshot.h"

#include "core/base/error.h"

namespace glassformer::app {

namespace {

/// Why the weights behind a sentence cannot be read any more; empty where they can.
std::string why_unreadable(const WatchedSentence& sentence) {
    if (!sentence.trace) return {};
    try {
        sentence.trace->parameters()->require_unchanged();
        return {};
    } catch (const Error& e) {
        return e.what();
    }
}

}  // namespace

std::shared_ptr<const Snapshot> ReadableSnapshot::of(std::shared_ptr<const Snapshot> newest) {
    if (newest == newest_) return without_;  // a file does not change back
    std::shared_ptr<Snapshot> without;
    for (std::size_t slot = 0; slot < newest->sentences.size(); ++slot) {
        const std::string why = why_unreadable(newest->sentences[slot]);
        if (why.empty()) continue;
        if (!without) without = std::make_shared<Snapshot>(*newest);
        without->sentences[slot].trace.reset();
        without->sentences[slot].error = why;
    }
    if (!without) return newest;
    newest_ = std::move(newest), without_ = std::move(without);
    return without_;
}

}  // namespace glassformer::app
