#include "app/ui/glyphs/font_file.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include <hb.h>

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "core/base/error.h"
#include "core/platform/mapped_file.h"

namespace glassformer::app {

namespace {

std::span<const std::byte> bytes_of(const std::string& file) {
    static std::mutex mutex;
    static auto& files = *new std::map<std::string, std::unique_ptr<platform::MappedFile>>;
    const std::lock_guard lock(mutex);
    const auto [entry, fresh] = files.try_emplace(file);
    try {
        if (fresh) entry->second = std::make_unique<platform::MappedFile>(file);
    } catch (const Error&) {
        // An unreadable file counts as a font without characters.
    }
    return entry->second ? entry->second->bytes() : std::span<const std::byte>();
}

}  // namespace

hb_blob_t* font_blob(const std::string& file) {
    const std::span<const std::byte> bytes = bytes_of(file);
    return hb_blob_create(reinterpret_cast<const char*>(bytes.data()), static_cast<unsigned>(bytes.size()),
                          HB_MEMORY_MODE_READONLY, nullptr, nullptr);
}

FT_Face open_face(FT_Library library, const std::string& file, long index) {
    const std::span<const std::byte> bytes = bytes_of(file);
    FT_Face face = nullptr;
    if (!library || bytes.empty() ||
        FT_New_Memory_Face(library, reinterpret_cast<const FT_Byte*>(bytes.data()), static_cast<FT_Long>(bytes.size()),
                           index, &face) != 0)
        return nullptr;
    return face;
}

}  // namespace glassformer::app
