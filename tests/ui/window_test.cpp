#include <doctest/doctest.h>
#include <epoxy/gl.h>

#include <string>
#include <thread>

#include "app/ui/input.h"
#include "app/window/imgui_host.h"
#include "app/window/key_taps.h"
#include "app/window/offscreen.h"
#include "app/window/surface.h"
#include "app/window/web/page_keys.h"
#include "core/base/error.h"
#include "tests/core/error_of.h"
#include "tests/core/set_variable.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;
using namespace glassformer::app;

TEST_CASE("without a display opening a window fails with a reason" * doctest::skip(on_windows)) {
    const SetVariable none("DISPLAY", std::nullopt);
    CHECK(contains(error_of([] { open_window(); }), "no display"));
}

TEST_CASE("a worker's context on another thread shares buffers") {
    const auto surface = open_offscreen({64, 64});
    CHECK(surface->gl_version() >= 33);
    GLuint buffer = 0;
    const float sent[2] = {3, 4};
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof sent, sent, GL_STATIC_DRAW);
    glFinish();
    const auto shared = surface->create_shared_context();
    float received[2] = {0, 0};
    std::thread worker([&] {
        shared->make_current();
        glBindBuffer(GL_ARRAY_BUFFER, buffer);
        glGetBufferSubData(GL_ARRAY_BUFFER, 0, sizeof received, received);
        shared->release();
    });
    worker.join();
    CHECK(received[0] == 3);
    CHECK(received[1] == 4);
}

TEST_CASE("an offscreen surface can be resized") {
    const auto surface = open_offscreen({64, 64});
    surface->resize({128, 32});
    surface->bind_target();
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    surface->present();
    const Image image = surface->read();
    CHECK(image.width == 128);
    CHECK(image.rgba.size() == 128u * 32 * 4);
    CHECK(image.rgba[0] == 255);
    CHECK(image.rgba[1] == 0);
}

#if IMGUI_VERSION_NUM < 18700
namespace {

/// Whether a key is down in each frame, as 0 and 1.
std::string frames_of(KeyTaps& taps, ImGuiIO& io, int key, int frames) {
    std::string seen;
    for (int i = 0; i < frames; ++i) {
        taps.apply(io);
        seen += io.KeysDown[key] ? '1' : '0';
    }
    return seen;
}

}  // namespace

TEST_CASE("each tap of a key is seen, even several within one frame") {
    ImGuiIO io;
    KeyTaps taps;
    const auto tap = [&](int key, int modifiers = 0) {
        taps.changed(key, GLFW_PRESS, modifiers);
        taps.changed(key, GLFW_RELEASE, modifiers);
    };
    SUBCASE("three taps of one key are three presses") {
        for (int i = 0; i < 3; ++i) tap(GLFW_KEY_PAGE_DOWN);
        CHECK(frames_of(taps, io, GLFW_KEY_PAGE_DOWN, 7) == "1010100");
    }
    SUBCASE("different keys share a frame, and queued taps keep their order") {
        tap(GLFW_KEY_RIGHT), tap(GLFW_KEY_B), tap(GLFW_KEY_RIGHT), tap(GLFW_KEY_B);
        std::string right, b;
        for (int i = 0; i < 4; ++i) {
            CHECK(taps.apply(io) == (i < 2));
            right += io.KeysDown[GLFW_KEY_RIGHT] ? '1' : '0', b += io.KeysDown[GLFW_KEY_B] ? '1' : '0';
        }
        CHECK(right == "1010");
        CHECK(b == "1010");
    }
    SUBCASE("a held key that was released and pressed again within a frame is pressed again") {
        taps.changed(GLFW_KEY_F, GLFW_PRESS, 0);
        io.KeysDown[GLFW_KEY_F] = true;  // ImGui's own callback
        CHECK(frames_of(taps, io, GLFW_KEY_F, 2) == "11");
        taps.changed(GLFW_KEY_F, GLFW_RELEASE, 0);
        taps.changed(GLFW_KEY_F, GLFW_PRESS, 0);
        CHECK(frames_of(taps, io, GLFW_KEY_F, 3) == "011");
        taps.changed(GLFW_KEY_F, GLFW_RELEASE, 0);
        io.KeysDown[GLFW_KEY_F] = false;
        CHECK(frames_of(taps, io, GLFW_KEY_F, 2) == "00");
    }
    SUBCASE("a key held while taps are queued is pressed once, after them") {
        tap(GLFW_KEY_E), tap(GLFW_KEY_E);
        taps.changed(GLFW_KEY_ENTER, GLFW_PRESS, 0);
        io.KeysDown[GLFW_KEY_ENTER] = true;
        CHECK(frames_of(taps, io, GLFW_KEY_ENTER, 4) == "0011");
        taps.changed(GLFW_KEY_ENTER, GLFW_RELEASE, 0);
        io.KeysDown[GLFW_KEY_ENTER] = false;
        CHECK(frames_of(taps, io, GLFW_KEY_ENTER, 2) == "00");
    }
    SUBCASE("a letter is where the layout has it, not where ImGui's callback took it from") {
        taps.changed(GLFW_KEY_A, GLFW_PRESS, GLFW_MOD_CONTROL);
        io.KeysDown[GLFW_KEY_Q] = true;
        CHECK(frames_of(taps, io, GLFW_KEY_Q, 2) == "00");
        CHECK(io.KeysDown[GLFW_KEY_A]);
    }
    SUBCASE("a released modifier applies to its tap only") {
        tap(GLFW_KEY_K, GLFW_MOD_CONTROL);
        taps.apply(io);
        CHECK(io.KeyCtrl);
        taps.apply(io);
        CHECK_FALSE(io.KeyCtrl);
    }
}
#endif

TEST_CASE("a window that sets its keys itself sees each tap, with its modifiers, in every version of ImGui") {
    const auto surface = open_offscreen({64, 64});
    ImGuiHost host(*surface);
    KeyTaps taps;
    const auto frames = [&](Key key, int count) {
        std::string seen;
        for (int i = 0; i < count; ++i) {
            host.begin_frame([&] {
                script_key(key, false);  // what the window knows: it is up
                script_modifiers(false, false);
                taps.apply();
            });
            seen += !key_pressed(key) ? '0' : ctrl_down() ? 'c' : '1';
            host.end_frame_and_draw();
        }
        return seen;
    };
    const auto tap = [&](int key, int modifiers) {
        taps.changed(key, GLFW_PRESS, modifiers);
        taps.changed(key, GLFW_RELEASE, modifiers);
    };
    tap(GLFW_KEY_BACKSPACE, 0), tap(GLFW_KEY_BACKSPACE, 0);
    CHECK(frames(Key::backspace, 5) == "10100");
    tap(GLFW_KEY_K, GLFW_MOD_CONTROL);
    CHECK(frames(Key::k, 3) == "c00");
    // AltGr+Q on Windows, all within a frame.
    taps.changed(GLFW_KEY_LEFT_CONTROL, GLFW_PRESS, GLFW_MOD_CONTROL);
    taps.take_back(GLFW_KEY_LEFT_CONTROL);
    tap(GLFW_KEY_Q, 0);
    CHECK(frames(Key::q, 2) == "10");
}

TEST_CASE("the page's keys are where the user's layout has them") {
    PageKeys keys;
    CHECK(keys.pressed("KeyY", "z") == GLFW_KEY_Z);  // German
    CHECK(keys.pressed("KeyA", "q") == GLFW_KEY_Q);  // French
    CHECK(keys.pressed("Slash", "-") == GLFW_KEY_MINUS);
    CHECK(keys.pressed("Digit1", "&") == GLFW_KEY_1);
    CHECK(keys.pressed("Digit1", "+") == GLFW_KEY_1);  // Czech; answers and panels have numbers
    CHECK(keys.pressed("Digit6", "-") == GLFW_KEY_6);  // French
    CHECK(keys.pressed("Digit7", "/") == GLFW_KEY_7);  // German, with Shift: takes a vote back
    CHECK(keys.pressed("KeyZ", "я") == GLFW_KEY_Z);    // no such letter: by its place
    CHECK(keys.pressed("Semicolon", "ö") == -1);
    CHECK(keys.pressed("", "Enter") == -1);  // of a phone, which also writes a line break
    SUBCASE("the key that was pressed is released, whatever it means by then") {
        CHECK(keys.pressed("BracketRight", "+") == GLFW_KEY_EQUAL);
        CHECK(keys.released("BracketRight", "*") == GLFW_KEY_EQUAL);
        CHECK(keys.released("BracketRight", "*") == -1);
    }
}
