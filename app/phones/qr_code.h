#pragma once

#include <string>
#include <vector>

namespace glassformer::app {

/// A QR code: `side` × `side` modules, row by row; true is black. Empty if the text is too long for a QR code.
struct QrCode {
    int side = 0;
    std::vector<bool> black;

    bool at(int row, int column) const { return black[row * side + column]; }
};
QrCode qr_code(const std::string& text);

}  // namespace glassformer::app
