// What the program says where it was built without its window.
#include "app/bench/bench.h"
#include "app/cli/cli.h"
#include "core/base/error.h"

namespace glassformer::app {

namespace {

constexpr const char* reason = "this build has no window and draws no pictures; configure it with -DGLASSFORMER_APP=ON";

}  // namespace

int run_shot(const ShotArgs&) { throw Error(reason); }
int run_film(const FilmArgs&) { throw Error(reason); }
int run_pack(const PackArgs&) { throw Error(reason); }
int run_grade(const GradeArgs&) { throw Error(reason); }
int run_gallery(const GalleryArgs&) { throw Error(reason); }
int run_lesson(const LessonArgs&) { throw Error(reason); }
int run_window(const WindowArgs&) {
    throw Error(std::string(reason) + ", or use a command that needs no window (glassformer --help)");
}

namespace bench {

nlohmann::json frames(const std::string&, int) { return {{"note", reason}}; }
nlohmann::json training_beside_window(int) { return {{"note", reason}}; }
nlohmann::json scrubbing(const std::string&, int) { return {{"note", reason}}; }
nlohmann::json phase_change(int) { return {{"note", reason}}; }
nlohmann::json phones(int) { return {{"note", reason}}; }
nlohmann::json flat_memory(int, int) { return {{"note", reason}}; }
nlohmann::json heat_maps(GlBackend&) { return {{"note", reason}}; }
nlohmann::json large_frames(int) { return {{"note", reason}}; }
nlohmann::json canvas_frames(int) { return {{"note", reason}}; }
// It makes the pictures of all heads, too.
nlohmann::json large(CpuBackend&) { return nlohmann::json::array(); }

}  // namespace bench

}  // namespace glassformer::app
