#pragma once

namespace glassformer::app {

/// The chosen view alone fills the window, with nothing to press: for films of it.
struct BareView {
    bool on = false;
};

}  // namespace glassformer::app
