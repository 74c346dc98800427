#include <cstdio>

#include "app/app.h"
#include "app/window/offscreen.h"
#include "app/window/png.h"
#include "core/base/error.h"

int main(int argc, char** argv) {
    using namespace glassformer;
    using namespace glassformer::app;
    try {
        Session session({"assets/worlds/homonyms.grammar", argc > 3 ? argv[3] : "", {"He swung the bat and hit a foul.", "A bat flew out of the cave at dusk."}, 0, {}});
        const auto surface = open_offscreen({1600, 1000});
        ImGuiHost host(*surface, {});
        App app(session);
        for (int i = 0; i < 3; ++i) {
            host.begin_frame();
            app.draw(host);
            host.end_frame_and_draw();
            surface->present();
        }
        write_png(argc > 2 ? argv[2] : "glassformer.png", surface->read());
    } catch (const Error& e) {
        std::fprintf(stderr, "glassformer: %s\n", e.what());
        return 1;
    }
}
