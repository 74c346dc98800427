#pragma once

#include <string>

struct FT_FaceRec_;
struct FT_LibraryRec_;
struct hb_blob_t;

namespace glassformer::app {

// Font files, mapped until the program ends. Thread-safe. The font libraries would open a file by its name themselves,
// and on Windows they cannot open every name.

/// The file for HarfBuzz; empty if it cannot be read. The caller must destroy it.
hb_blob_t* font_blob(const std::string& file);
/// A face of the file for FreeType; null if there is none. The caller must close it.
FT_FaceRec_* open_face(FT_LibraryRec_* library, const std::string& file, long index);

}  // namespace glassformer::app
