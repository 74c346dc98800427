#include "app/phones/qr_code.h"

#include <qrencode.h>

#include <memory>

namespace glassformer::app {

QrCode qr_code(const std::string& text) {
    const std::unique_ptr<QRcode, decltype(&QRcode_free)> made(QRcode_encodeString8bit(text.c_str(), 0, QR_ECLEVEL_M),
                                                               QRcode_free);
    QrCode code;
    if (!made) return code;
    code.side = made->width;
    for (int i = 0; i < code.side * code.side; ++i) code.black.push_back(made->data[i] & 1);
    return code;
}

}  // namespace glassformer::app
