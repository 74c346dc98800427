#pragma once

#include <algorithm>

#include "core/backend/gl/recorder.h"
#include "core/base/error.h"

namespace glassformer::gl {

/// So many lines of that many cells can be seen by a shader at once, a multiple of `multiple` where it is fewer than
/// there are. Throws Error when not even so many can.
inline std::int64_t lines_at_once(const Recorder& gl, std::int64_t lines, std::int64_t cells,
                                  std::int64_t multiple = 1) {
    const std::int64_t most = gl.device().most_cells() / std::max<std::int64_t>(cells, 1);
    if (most >= lines) return std::max<std::int64_t>(lines, 1);
    if (most < multiple)
        throw Error("a line of " + std::to_string(cells) +
                    " cells is larger than this driver's shaders can read; use --backend cpu");
    return most / multiple * multiple;
}

/// The same where an invocation walks down the lines: no more of them than its loops run.
inline std::int64_t lines_to_walk(const Recorder& gl, std::int64_t lines, std::int64_t cells) {
    return std::min(lines_at_once(gl, lines, cells), gl.device().most_iterations);
}

/// Calls body(first, count) for parts of 0 … all − 1 of at most `most` each.
template <class Body>
void each_part(std::int64_t all, std::int64_t most, const Body& body) {
    for (std::int64_t first = 0; first < all; first += most) body(first, std::min(most, all - first));
}

}  // namespace glassformer::gl
