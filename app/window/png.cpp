#include "app/window/png.h"

#include <png.h>

#include "core/base/error.h"
#include "core/platform/atomic_file.h"

namespace glassformer::app {

std::string png_bytes(const Image& image) {
    png_image png{};
    png.version = PNG_IMAGE_VERSION, png.format = PNG_FORMAT_RGBA;
    png.width = image.width, png.height = image.height;
    // Without it filtering takes three times as long, and our mostly flat pictures get larger.
    png.flags = PNG_IMAGE_FLAG_FAST;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png);
    std::string bytes(size, '\0');
    if (!png_image_write_to_memory(&png, bytes.data(), &size, 0, image.rgba.data(), 0, nullptr))
        throw Error("the picture could not be encoded ({1}); is there enough memory?",
                    static_cast<const char*>(png.message));
    bytes.resize(size);
    return bytes;
}

void write_png(const std::string& path, const Image& image) {
    std::string bytes;
    try {
        bytes = png_bytes(image);
    } catch (const Error& e) {
        throw Error("cannot write the picture {1}: {2}", path, e.what());
    }
    write_file_atomically(path, bytes);
}

}  // namespace glassformer::app
