#pragma once

#include <cstdint>
#include <string>

namespace glassformer::app {

/// What card B shows beside card A. All but `sentences` show A's text once more.
struct Comparing {
    enum class What {
        sentences,  // a sentence of its own
        heads,      // the same numbers; the window looks at another head of them
        models,     // what another model makes of it
        steps       // what this model made of it at another step
    };
    What what = What::sentences;
    std::string folder;     // of the other model's checkpoint, where models are compared
    std::int64_t step = 0;  // where steps are compared: B stays at the kept step nearest to this one

    bool of_sentences() const { return what == What::sentences; }
    bool operator==(const Comparing&) const = default;
};

}  // namespace glassformer::app
