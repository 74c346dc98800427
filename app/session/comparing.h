#pragma once

#include <cstdint>
#include <string>

namespace glassformer::app {

/// What card B shows beside card A. In every mode but `sentences`, B shows A's text.
struct Comparing {
    enum class What {
        sentences,  // a sentence of its own
        heads,      // the same values; the window looks at another head
        models,     // A's sentence in another model
        steps       // A's sentence in this model at another step
    };
    What what = What::sentences;
    std::string folder;     // for `models`: the other model's checkpoint
    std::int64_t step = 0;  // for `steps`: B stays at the kept step nearest to this one

    bool of_sentences() const { return what == What::sentences; }
    bool operator==(const Comparing&) const = default;
};

}  // namespace glassformer::app
