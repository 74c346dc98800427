#include <array>
#include <cstdio>
#include <filesystem>

#include "app/assets/assets.h"
#include "app/cli/cli.h"
#include "app/cli/lesson_check.h"
#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/lessons/lesson_file.h"
#include "app/window/offscreen.h"
#include "core/base/error.h"
#include "core/io/output_file.h"
#include "core/platform/atomic_file.h"

namespace glassformer::app {

namespace {

namespace fs = std::filesystem;

/// The screen that a lesson is checked on.
struct Screening {
    PixelSize size{1600, 1000};
    bool stage = false;
};

std::vector<std::string> check(const fs::path& file, const Lesson& lesson, const std::string& model,
                               const Screening& screen, std::optional<std::uint64_t> seed,
                               LessonSheet* sheet = nullptr) {
    const std::unique_ptr<Offscreen> surface = open_offscreen(screen.size);
    Session session(session_for(lesson, seed.has_value(), model));
    ImGuiHost host(*surface, {1.0f, ThemeKind::light});
    App app(session, file.parent_path().empty() ? fs::path(".") : file.parent_path());
    host.ui().reduce_motion = true;
    app.state().reduce_motion = true;
    app.state().presenter = screen.stage;
    LessonCheck checking(app, session, *host.ui().items, [&](const std::function<void()>& input) {
        host.begin_frame(input);
        app.draw(host);
        // Laid out but not rendered: nobody looks at the pixels.
        ImGui::End();
        ImGui::Render();
    });
    if (sheet) checking.note_in(*sheet);
    // A lesson that trains its model itself begins with an untrained one.
    if (seed && lesson.steps.front().scene.fresh)
        checking.begin_again(*seed);
    else if (seed)
        checking.train(*seed);
    return checking.play(lesson.name);
}

/// A lesson is played in the language of its file; if that names none and there is a file for the chosen language
/// beside it, in English.
void speak_as(const fs::path& file) {
    std::string wanted = language_of_lesson(file);
    std::error_code ignored;
    if (wanted.empty() && fs::exists(fs::path(file).replace_extension("." + language() + ".lesson"), ignored))
        wanted = "en";
    if (wanted.empty() || wanted == language()) return;
    if (!use_language(wanted, locale_folder()) && wanted != "en")
        throw Error("cannot play {1}: there is no language \"{2}\" in {3}", file, wanted, locale_folder());
}

/// While it lives, messages about a lesson are in the chosen language.
class Told {
public:
    explicit Told(const std::string& chosen) : played_(language()) { speak(chosen); }
    ~Told() { speak(played_); }

private:
    static void speak(const std::string& wanted) {
        if (wanted != language()) use_language(wanted, locale_folder());
    }
    const std::string played_;
};

}  // namespace

int run_lesson(const LessonArgs& args) {
    const fs::path file = lesson_file(args.file);
    const std::string chosen = language();
    speak_as(file);
    const Lesson lesson = load_lesson(file);
    if (args.action == "sheet") {
        if (args.out.empty()) throw Error("give a file for the sheet: --out FILE.html");
        require_output(args.out, FileKind::html, std::array{file.string()});
        LessonSheet sheet;
        check(file, lesson, args.model, {}, {}, &sheet);
        write_file_atomically(args.out, sheet.html());
        const Told told(chosen);
        if (const std::string problems = picture_problems(lesson); !problems.empty())
            std::fprintf(stderr, "glassformer: %s\n%s\n",
                         tr("a picture is missing in the sheet, which has only its words:"),
                         tr_sentence(problems).c_str());
        std::printf(tr("the sheet of \"%s\" written to %s\n"), lesson.title.c_str(), args.out.c_str());
        return 0;
    }
    std::size_t wrong = 0;
    const auto play = [&](const Screening& screen, std::optional<std::uint64_t> seed, const std::string& on) {
        const std::vector<std::string> found = check(file, lesson, args.model, screen, seed);
        const Told told(chosen);
        const std::string where = tr_sentence(on);
        for (const std::string& what : found) std::printf("%s (%s)\n", tr_sentence(what).c_str(), where.c_str());
        const auto steps = static_cast<int>(lesson.steps.size());
        std::printf(tr("%s: %d step, problems found: %zu\n", "%s: %d steps, problems found: %zu\n", steps),
                    where.c_str(), steps, found.size());
        std::fflush(stdout);
        wrong += found.size();
    };
    for (const Screening& screen : {Screening{{1280, 720}}, {{1600, 1000}}, {{1280, 720}, true}})
        if (args.first_seed == 0)
            play(screen, {},
                 filled_with(screen.stage ? N_("{1} × {2}, on the stage") : N_("{1} × {2}"), screen.size.width,
                             screen.size.height));
    for (std::uint64_t seed = args.first_seed; seed != 0 && seed <= args.last_seed; ++seed)
        play({}, seed, filled_with(N_("seed {1}"), seed));
    return wrong == 0 ? 0 : 1;
}

}  // namespace glassformer::app
