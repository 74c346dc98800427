#include <doctest/doctest.h>
#include <epoxy/gl.h>

#include <string>
#include <thread>

#include "app/window/glfw_window.h"
#include "app/window/offscreen.h"
#include "core/base/error.h"
#include "tests/core/set_variable.h"

using namespace glassformer;
using namespace glassformer::app;

TEST_CASE("without a display a window is refused with a reason") {
    const SetVariable none("DISPLAY", std::nullopt);
    try {
        open_window();
        FAIL("a window opened on no display");
    } catch (const Error& error) {
        CHECK(std::string(error.what()).find("no display") != std::string::npos);
    }
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

TEST_CASE("an offscreen surface can change its size") {
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
