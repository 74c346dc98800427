#pragma once

#include <string>

struct FT_FaceRec_;
struct FT_LibraryRec_;
struct hb_blob_t;

namespace glassformer::app {

// The bytes of a font's file stay to the end of the program. On any thread. The libraries for fonts would open a file
// by its name, and on Windows they cannot open every name.

/// The file for HarfBuzz, empty where it cannot be read. The caller destroys it.
hb_blob_t* font_blob(const std::string& file);
/// A face of it for FreeType; null where it has none. The caller ends it.
FT_FaceRec_* open_face(FT_LibraryRec_* library, const std::string& file, long index);

}  // namespace glassformer::app
