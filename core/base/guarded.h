#pragma once

#include <exception>
#include <new>
#include <string>

#include "core/base/mark_text.h"

namespace glassformer {

/// Runs what a thread of its own does: an exception that left it would end the program. Returns why it ended early;
/// empty where it did not.
template <class Body>
std::string guarded(const Body& body) {
    try {
        body();
        return {};
    } catch (const std::bad_alloc&) {
        return N_("out of memory");  // short enough for a string that allocates nothing
    } catch (const std::exception& e) {
        return e.what();
    }
}

}  // namespace glassformer
