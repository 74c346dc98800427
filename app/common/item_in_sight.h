#pragma once

#include <string>

namespace glassformer::app {

/// An item that scrolled areas keep in sight, for who makes a picture of it; empty: none.
struct ItemInSight {
    std::string item;
};

}  // namespace glassformer::app
