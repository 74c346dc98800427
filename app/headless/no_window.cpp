// What the program prints if it was built without its window.
#include "app/cli/cli.h"
#include "core/base/error.h"
#include "core/base/mark_text.h"

namespace glassformer::app {

namespace {

constexpr const char* reason =
    N_("this build has no window and draws no pictures; configure it with -DGLASSFORMER_APP=ON");

}  // namespace

int run_shot(const ShotArgs&) { throw Error(reason); }
int run_film(const FilmArgs&) { throw Error(reason); }
int run_pack(const PackArgs&) { throw Error(reason); }
int run_grade(const GradeArgs&) { throw Error(reason); }
int run_gallery(const GalleryArgs&) { throw Error(reason); }
int run_sweep(const SweepArgs&) { throw Error(reason); }
int run_lesson(const LessonArgs&) { throw Error(reason); }
int run_window(const WindowArgs&) {
    throw Error(
        "this build has no window and draws no pictures; configure it with -DGLASSFORMER_APP=ON, or use a command that "
        "needs no window (glassformer --help)");
}

}  // namespace glassformer::app
