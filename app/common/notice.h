#pragma once

#include <string>

namespace glassformer::app {

/// What the window itself has to tell, until it is dismissed.
struct Notice {
    std::string text;
    bool good = false;  // something worked; else something could not be done
};

}  // namespace glassformer::app
