#include "app/window/png.h"

#include <stb_image_write.h>

#include "core/base/error.h"
#include "core/platform/atomic_file.h"

namespace glassformer::app {

std::string png_bytes(const Image& image) {
    std::string bytes;
    const auto add = [](void* context, void* data, int size) {
        static_cast<std::string*>(context)->append(static_cast<const char*>(data), static_cast<std::size_t>(size));
    };
    if (!stbi_write_png_to_func(add, &bytes, image.width, image.height, 4, image.rgba.data(), image.width * 4))
        throw Error("the picture could not be encoded; is there enough memory?");
    return bytes;
}

void write_png(const std::string& path, const Image& image) {
    std::string bytes;
    try {
        bytes = png_bytes(image);
    } catch (const Error& e) {
        throw Error("cannot write the picture " + path + ": " + e.what());
    }
    write_file_atomically(path, bytes);
}

}  // namespace glassformer::app
