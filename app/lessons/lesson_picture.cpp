#include "app/lessons/lesson_picture.h"

#include "app/ui/png_picture.h"
#include "core/base/error.h"
#include "core/base/trimmed.h"
#include "core/io/glass_file.h"
#include "core/platform/atomic_file.h"

namespace glassformer::app {

namespace fs = std::filesystem;

PictureSource pictures_in(const fs::path& folder) {
    return [folder](const std::string& file) {
        std::error_code failed;
        const fs::path inside = fs::canonical(folder.empty() ? fs::path(".") : folder, failed),
                       picture = fs::canonical(inside / file, failed);
        if (failed) throw Error("there is no such file beside the lesson; put it there, or correct its name");
        const fs::path way = picture.lexically_relative(inside);
        if (way.empty() || *way.begin() == "..")
            throw Error("it is a link to outside the lesson's folder; put the picture itself there");
        return read_file(picture, most_picture_bytes);
    };
}

std::optional<LiveText::Piece> parse_picture(std::string_view paragraph, int line) {
    const std::size_t begins = paragraph.find("!["), middle = paragraph.find("](", begins);
    if (middle == std::string_view::npos) return {};
    if (begins != 0 || !paragraph.ends_with(')') || paragraph.find(')', middle) + 1 != paragraph.size())
        throw Error("a picture needs a paragraph of its own: ![what it shows](file.png)");
    const std::string_view shows = trimmed(paragraph.substr(2, middle - 2)),
                           file = trimmed(paragraph.substr(middle + 2, paragraph.size() - middle - 3));
    if (shows.empty()) throw Error("describe the picture in the brackets: ![what it shows](file.png)");
    if (!is_picture_name(file))
        throw Error(
            "\"{1}\" is not a picture beside the lesson; name a .png file in the lesson's own "
            "folder, without .. or a leading /",
            std::string(file));
    return LiveText::Piece{
        std::string(shows), {}, std::make_shared<LessonPicture>(LessonPicture{std::string(file), line})};
}

LessonPicture load_picture(const LessonPicture& wanted, const PictureSource& source) {
    LessonPicture loaded = wanted;
    try {
        if (!source) throw Error("it is not included with the lesson");
        loaded.png = source(wanted.file);
        const PngPicture pixels = read_png(loaded.png);  // checks that it is complete
        loaded.width = pixels.width, loaded.height = pixels.height;
    } catch (const Error& e) {
        loaded.png.clear();
        loaded.problem = e.what();
    }
    return loaded;
}

}  // namespace glassformer::app
