#include "app/ui/png_picture.h"

#include <png.h>

#include "core/base/error.h"

namespace glassformer::app {

namespace {

/// RAII wrapper for libpng's reader.
struct Reader {
    png_image image{};
    Reader() { image.version = PNG_IMAGE_VERSION; }
    ~Reader() { png_image_free(&image); }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    [[noreturn]] void fail() const {
        throw Error("it is not a readable PNG ({1}); save the picture as PNG again",
                    static_cast<const char*>(image.message));
    }
};

}  // namespace

PngPicture read_png(std::string_view bytes) {
    Reader reader;
    png_image& image = reader.image;
    if (!png_image_begin_read_from_memory(&image, bytes.data(), bytes.size())) reader.fail();
    constexpr auto most_side = static_cast<png_uint_32>(most_picture_side);
    if (image.width > most_side || image.height > most_side ||
        image.width * image.height > static_cast<png_uint_32>(most_picture_pixels))
        throw Error("it has {1} × {2} pixels; make it smaller, at most {3} million pixels and {4} along a side",
                    image.width, image.height, most_picture_pixels / 1'000'000, most_picture_side);
    image.format = PNG_FORMAT_RGBA;
    PngPicture picture{static_cast<int>(image.width), static_cast<int>(image.height), {}};
    picture.rgba.resize(std::size_t{4} * image.width * image.height);
    if (!png_image_finish_read(&image, nullptr, picture.rgba.data(), 0, nullptr)) reader.fail();
    return picture;
}

}  // namespace glassformer::app
