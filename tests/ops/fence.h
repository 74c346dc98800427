#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace glassformer::testing {

// Memory that may not be touched, and what happens when it is.

std::size_t page_size();

/// Whole pages between two fences, freed with the last one who holds them.
std::shared_ptr<float> fenced_pages(std::size_t cells);

/// While it lives, a touched fence says which op touched it before the test program tells the crash.
class NamedCrash {
public:
    explicit NamedCrash(const std::string& name);
    ~NamedCrash();
    NamedCrash(const NamedCrash&) = delete;
    NamedCrash& operator=(const NamedCrash&) = delete;
};

}  // namespace glassformer::testing
