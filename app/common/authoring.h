#pragma once

#include <string>

namespace glassformer::app {

/// What a person asks for who writes lessons; App does it in the next frame.
struct Authoring {
    std::string open = {};   // a lesson's file
    std::string begin = {};  // the title of a new lesson
    bool add_scene = false;  // what is on the screen, as the next step of the lesson that is written
    std::string file = {};   // of the lesson that is written; empty: none yet
};

}  // namespace glassformer::app
