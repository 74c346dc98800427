#include "app/window/png.h"

#include <stb_image_write.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "core/base/error.h"

namespace glassformer::app {

namespace {

struct Sink {
    std::FILE* file;
    bool good = true;
};

void write_bytes(void* context, void* data, int size) {
    Sink& sink = *static_cast<Sink*>(context);
    if (std::fwrite(data, 1, static_cast<size_t>(size), sink.file) != static_cast<size_t>(size)) sink.good = false;
}

}  // namespace

void write_png(const std::string& path, const Image& image) {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (!file) throw Error("cannot write the picture " + path + ": " + std::strerror(errno));
    Sink sink{file};
    errno = 0;
    const int encoded =
        stbi_write_png_to_func(write_bytes, &sink, image.width, image.height, 4, image.rgba.data(), image.width * 4);
    const bool closed = std::fclose(file) == 0;
    if (!encoded || !sink.good || !closed) {
        const std::string why = errno ? std::strerror(errno) : "the PNG could not be encoded";
        throw Error("cannot write the picture " + path + ": " + why);
    }
}

}  // namespace glassformer::app
