#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace glassformer::testing {

// Memory that may not be touched, and what happens when it is.

std::size_t page_size();

/// Returns whole pages between two fences, freed with their last owner.
std::shared_ptr<float> fenced_pages(std::size_t cells);

/// While alive, names the op that touched a fence before the test program reports the crash.
class NamedCrash {
public:
    explicit NamedCrash(const std::string& name);
    ~NamedCrash();
    NamedCrash(const NamedCrash&) = delete;
    NamedCrash& operator=(const NamedCrash&) = delete;
};

}  // namespace glassformer::testing
