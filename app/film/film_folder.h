#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "app/ui/box.h"
#include "app/window/offscreen.h"

namespace glassformer::app {

/// Returns the part of a picture inside the box, at least one pixel. The box may lie outside of a window that was made
/// smaller.
Image cut_out(const Image& from, const Box& box);

/// Returns a white page with the picture at its top left corner; what does not fit is cut off.
Image on_page(const Image& picture, PixelSize page);

/// Returns which of the kept steps (ascending) a film shows: the first, then each step at least `every` steps after the
/// previous one, and the last.
std::vector<std::int64_t> film_steps(std::span<const std::int64_t> kept, std::int64_t every);

/// The pictures of a film: frame-0001.png, frame-0002.png, … in a folder of their own.
class FilmFolder {
public:
    /// Creates the folder if it does not exist. Throws Error as require_film_place().
    explicit FilmFolder(std::filesystem::path folder);

    const std::filesystem::path& path() const { return folder_; }
    int written() const { return written_; }
    /// Writes the next picture. Throws Error with the reason and the number of pictures so far; leaves no partial file.
    void write(const Image& picture);

private:
    std::filesystem::path folder_;
    int written_ = 0;
};

/// Returns true if a film of that name is a single file: *.mp4 or *.gif. Otherwise it is a folder of pictures.
bool is_film_file(const std::filesystem::path& path);

/// Throws Error if a film cannot become that file or folder: it exists already or cannot be written, or ffmpeg is not
/// installed. Creates nothing. Call this before making the pictures.
void require_film_place(const std::filesystem::path& place);

/// Encodes the pictures as one file, which may take long. Throws Error with ffmpeg's message.
void write_film(const FilmFolder& pictures, const std::filesystem::path& file, double pictures_a_second);

}  // namespace glassformer::app
