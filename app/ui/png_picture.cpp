#include "app/ui/png_picture.h"

#include <png.h>

#include <string>

#include "core/base/error.h"

namespace glassformer::app {

namespace {

/// libpng's reader, let go of in any case.
struct Reader {
    png_image image{};
    Reader() { image.version = PNG_IMAGE_VERSION; }
    ~Reader() { png_image_free(&image); }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    [[noreturn]] void fail() const {
        throw Error(std::string("it is not a readable PNG (") + image.message + "); save the picture as PNG again");
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
        throw Error("it has " + std::to_string(image.width) + " × " + std::to_string(image.height) +
                    " pixels; make it smaller, at most " + std::to_string(most_picture_pixels / 1'000'000) +
                    " million pixels and " + std::to_string(most_picture_side) + " along a side");
    image.format = PNG_FORMAT_RGBA;
    PngPicture picture{static_cast<int>(image.width), static_cast<int>(image.height), {}};
    picture.rgba.resize(std::size_t{4} * image.width * image.height);
    if (!png_image_finish_read(&image, nullptr, picture.rgba.data(), 0, nullptr)) reader.fail();
    return picture;
}

}  // namespace glassformer::app
