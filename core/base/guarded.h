#pragma once

#include <exception>
#include <new>
#include <string>

#include "core/base/mark_text.h"

namespace glassformer {

/// Runs a thread's body: an exception leaving it would terminate the program. Returns the reason if it threw; otherwise
/// an empty string.
template <class Body>
std::string guarded(const Body& body) {
    try {
        body();
        return {};
    } catch (const std::bad_alloc&) {
        return N_("out of memory");  // fits the small-string buffer, so it allocates nothing
    } catch (const std::exception& e) {
        return e.what();
    }
}

}  // namespace glassformer
