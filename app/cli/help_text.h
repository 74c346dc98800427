#pragma once

#include <string>

namespace CLI {
class App;
}

namespace glassformer::app {

/// What --help prints, of the program or of the command that was named before it, in the chosen language. The
/// descriptions are in English in `app`; the build collects them where options and commands are added.
std::string help_text(CLI::App& app);

}  // namespace glassformer::app
