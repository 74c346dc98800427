#pragma once

#include <string>

namespace glassformer::app {

/// What the window itself has to tell, until it is dismissed.
struct Notice {
    std::string text;
    bool good = false;     // something worked; else something could not be done
    std::string run = {};  // folder of the run that it speaks of: it goes when another run, or a new start, is at work
};

}  // namespace glassformer::app
