#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "app/ui/box.h"
#include "app/window/offscreen.h"

namespace glassformer::app {

/// The part of a picture in the box, which may lie beside a window that became smaller: a pixel at least.
Image cut_out(const Image& from, const Box& box);

/// The picture from the top left corner of a white page; what is beyond it is left out.
Image on_page(const Image& picture, PixelSize page);

/// Which of the kept steps (growing) a film shows: the first, then each that is at least `every` steps after the one
/// before, and the last.
std::vector<std::int64_t> film_steps(std::span<const std::int64_t> kept, std::int64_t every);

/// The pictures of a film: frame-0001.png, frame-0002.png, … in a folder of their own.
class FilmFolder {
public:
    /// Makes the folder where it is not there. Throws Error when it cannot be made or written to, or is not empty:
    /// pictures of two films would be shown as one.
    explicit FilmFolder(std::filesystem::path folder);

    const std::filesystem::path& path() const { return folder_; }
    int written() const { return written_; }
    /// The next one. Throws Error saying why it cannot be written and how many there are; no part of it is left.
    void write(const Image& picture);

private:
    std::filesystem::path folder_;
    int written_ = 0;
};

/// Whether a film of that name is one file: *.mp4 or *.gif. Else it is a folder of pictures.
bool is_film_file(const std::filesystem::path& path);

/// Throws Error where a film cannot become that file: ffmpeg, which makes it, is not installed, or there is something
/// of that name already. To be asked before the pictures are made.
void require_film_file(const std::filesystem::path& file);

/// Makes one file of the pictures, which may take long. Throws Error with what ffmpeg said.
void write_film(const FilmFolder& pictures, const std::filesystem::path& file, double pictures_a_second);

}  // namespace glassformer::app
