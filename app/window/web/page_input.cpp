#include "app/window/web/page_input.h"

#include <emscripten.h>
#include <emscripten/html5.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "app/ui/imgui_versions.h"
#include "app/ui/input.h"
#include "app/window/web/page.h"
#include "app/window/web/page_keys.h"
#include "core/text/utf8.h"

// clang-format off
// Some browsers let a page copy only while it answers a key, and only a page from https. What is then left to copy waits
// for the browser's own copy command.
EM_JS(void, glassformer_copy, (const char* text), {
    const wanted = UTF8ToString(text);
    const copied = Module.copied;
    if (copied && copied.text == wanted && performance.now() - copied.at < 1000) return;  // by that command
    Module.toCopy = wanted;
    const failed = (why) => {
        console.warn('Not copied:', why);
        Module.notCopied = true;
    };
    if (!navigator.clipboard) return failed('the page is not from https');
    navigator.clipboard.writeText(wanted).then(() => { Module.toCopy = undefined; }, failed);
});
// Where the field shows what is being composed, and the input method its choices.
EM_JS(void, glassformer_place_field, (double left, double top, double height), {
    const style = document.getElementById('field').style;
    style.left = left + 'px';
    style.top = top + 'px';
    style.bottom = 'auto';
    style.height = height + 'px';
});
EM_JS(int, glassformer_waits_to_copy, (), { return Module.toCopy === undefined ? 0 : 1; });
// clang-format on

namespace glassformer::app {

namespace {

PageInput* current = nullptr;
double last_input = -1e9;  // milliseconds, in the page's time
std::string clipboard;

PageKeys page_keys;

EM_BOOL on_mouse(int type, const EmscriptenMouseEvent* e, void*) {
    if (!current) return false;
    const auto ratio = static_cast<float>(emscripten_get_device_pixel_ratio());
    constexpr int buttons[] = {0, 2, 1};  // the DOM puts the middle button second
    if (type == EMSCRIPTEN_EVENT_MOUSELEAVE) {
        current->leave();
        return true;
    }
    current->move(ratio * static_cast<float>(e->clientX), ratio * static_cast<float>(e->clientY));
    if (type != EMSCRIPTEN_EVENT_MOUSEMOVE && e->button < 3)
        current->press(buttons[e->button], type == EMSCRIPTEN_EVENT_MOUSEDOWN);
    return false;  // the default action gives the page the keyboard
}

EM_BOOL on_wheel(int, const EmscriptenWheelEvent* e, void*) {
    if (!current) return false;
    const float unit = e->deltaMode == DOM_DELTA_PIXEL ? 0.01f : e->deltaMode == DOM_DELTA_LINE ? 1.0f / 3 : 5.0f;
    current->turn_wheel(-unit * static_cast<float>(e->deltaX), -unit * static_cast<float>(e->deltaY));
    return true;
}

/// True for keys that belong to the browser and that the program does not use. Pasting is one: the browser's event
/// delivers the clipboard.
bool browsers_own(int key, const EmscriptenKeyboardEvent& e) {
    const bool ctrl = e.ctrlKey || e.metaKey;
    return key < 0 || (ctrl && (key == 'V' || key == 'W' || key == 'T' || key == 'N' || key == 'R')) ||
           key == GLFW_KEY_F12 || (ctrl && e.shiftKey && key == 'I') ||
           (ctrl && key == 'C' && glassformer_waits_to_copy());
}

EM_BOOL on_key(int type, const EmscriptenKeyboardEvent* e, void*) {
    if (!current) return false;
    const std::string_view means = e->key;
    constexpr unsigned of_input_method = 229;  // also where `means` is the letter that was pressed, as on a Mac
    if (means == "Process" || means == "Unidentified" || means == "Dead" || e->keyCode == of_input_method)
        return false;  // it will arrive as text
    const bool down = type == EMSCRIPTEN_EVENT_KEYDOWN, ctrl = e->ctrlKey || e->metaKey;
    if (down && means == "AltGraph") current->release_control();  // Windows says that Ctrl goes down before it
    const std::u32string sign = code_points(e->key);
    const bool types = down && sign.size() == 1 && (!ctrl || e->altKey);
    const int modifiers =
        (ctrl && !types ? GLFW_MOD_CONTROL : 0) | (e->shiftKey ? GLFW_MOD_SHIFT : 0) | (e->altKey ? GLFW_MOD_ALT : 0);
    const int key = down ? page_keys.pressed(e->code, means) : page_keys.released(e->code, means);
    if (!down || !e->metaKey)
        current->press_key(key, down, modifiers);
    else if (!e->repeat)
        current->tap_key(key, modifiers);  // a Mac does not say when a key is released while Cmd is down
    if (types) current->type(sign[0]);
    return types || !browsers_own(key, *e);  // otherwise the field would receive the character again
}

EM_BOOL on_blur(int, const EmscriptenFocusEvent*, void*) {
    if (current) current->lose_keys();
    return false;
}

void listen(bool on) {
    const auto window = EMSCRIPTEN_EVENT_TARGET_WINDOW;
    const auto mouse = on ? on_mouse : nullptr;
    const auto key = on ? on_key : nullptr;
    emscripten_set_mousemove_callback(window, nullptr, false, mouse);
    emscripten_set_mousedown_callback(canvas, nullptr, false, mouse);
    emscripten_set_mouseup_callback(window, nullptr, false, mouse);
    emscripten_set_mouseleave_callback(EMSCRIPTEN_EVENT_TARGET_DOCUMENT, nullptr, false, mouse);
    emscripten_set_wheel_callback(canvas, nullptr, false, on ? on_wheel : nullptr);
    emscripten_set_keydown_callback(window, nullptr, true, key);
    emscripten_set_keyup_callback(window, nullptr, true, key);
    emscripten_set_blur_callback(window, nullptr, false, on ? on_blur : nullptr);
}

}  // namespace

}  // namespace glassformer::app

// What html5.h does not offer: the clipboard and dropped files.
// clang-format off
EM_JS(void, glassformer_listen_too, (), {
    if (Module.listening) return;
    Module.listening = true;
    Module.items = () => JSON.parse(UTF8ToString(_glassformer_items()));
    const give = (call, text) => {
        const bytes = stringToNewUTF8(text);
        call(bytes);
        _free(bytes);
    };
    const canvas = document.getElementById('canvas'), field = document.getElementById('field');
    canvas.addEventListener('contextmenu', (e) => e.preventDefault());
    canvas.addEventListener('mousedown', () => Module.types && setTimeout(() => field.focus()));
    // A tablet shows its keyboard only where a tap itself, not a frame after it, focuses a field that had no focus.
    let finger;
    canvas.addEventListener('touchstart', (e) => { finger = e.touches.length == 1 ? e.touches[0] : undefined; });
    canvas.addEventListener('touchend', (e) => {
        const at = e.changedTouches[0], away = finger && Math.hypot(at.clientX - finger.clientX, at.clientY - finger.clientY);
        if (canvas.style.cursor != 'text' || !(away < 8)) return;
        field.blur();
        field.focus({preventScroll: true});
    });
    // Text that single keys cannot express arrives here once complete. The space is there to be deleted.
    field.addEventListener('input', (e) => {
        if (e.isComposing || e.inputType == 'insertCompositionText') return;
        if (e.inputType == 'deleteContentBackward') _glassformer_typed_key(0);
        else if (e.inputType == 'insertLineBreak') _glassformer_typed_key(1);
        else if (e.data) give(_glassformer_typed, e.data);
        field.value = ' ';
    });
    field.addEventListener('compositionstart', () => field.classList.add('composes'));
    field.addEventListener('compositionend', (e) => {
        field.classList.remove('composes');
        if (e.data) give(_glassformer_typed, e.data);
        field.value = ' ';
    });
    window.addEventListener('beforeunload', (e) => {
        if (!Module.unsaved) return;
        e.preventDefault();
        e.returnValue = true;  // what Chrome asked for until version 119
    });
    const opensLink = () => location.hash.includes('#glassformer=');  // Back may lead to the page without one
    window.addEventListener('hashchange', () => opensLink() && give(_glassformer_dropped, location.href));
    document.addEventListener('paste', (e) => {
        give(_glassformer_pasted, e.clipboardData.getData('text/plain'));
        e.preventDefault();
    });
    document.addEventListener('beforecopy', (e) => Module.toCopy !== undefined && e.preventDefault());  // Safari's: it may
    document.addEventListener('copy', (e) => {
        if (Module.toCopy === undefined) return;
        e.clipboardData.setData('text/plain', Module.toCopy);
        e.preventDefault();
        Module.copied = {text: Module.toCopy, at: performance.now()};
        Module.toCopy = undefined;
    });
    document.addEventListener('dragover', (e) => e.preventDefault());
    let drops = 0;
    const keep = async (path, file) => FS.writeFile(path, new Uint8Array(await file.arrayBuffer()));
    const keepFolder = async (path, folder) => {
        FS.mkdirTree(path);
        const reader = folder.createReader();
        for (let some = [0]; some.length;) {  // they come some at a time, at last none
            some = await new Promise((done, fail) => reader.readEntries(done, fail));
            for (const one of some)
                if (one.isDirectory) await keepFolder(path + '/' + one.name, one);
                else await keep(path + '/' + one.name, await new Promise((done, fail) => one.file(done, fail)));
        }
    };
    document.addEventListener('drop', async (e) => {
        e.preventDefault();
        const files = [...e.dataTransfer.files];
        const entries = [...e.dataTransfer.items].filter(({kind}) => kind == 'file').map((item) => item.webkitGetAsEntry());
        const into = '/dropped/' + ++drops;  // nothing else in it has the same name
        FS.mkdirTree(into);
        const paths = files.map((file) => into + '/' + file.name.replaceAll('/', '_'));
        for (const [i, path] of paths.entries())
            await (entries[i]?.isDirectory ? keepFolder(path, entries[i]) : keep(path, files[i]))
                .catch((why) => console.warn('Not read:', why));
        for (const path of paths) give(_glassformer_dropped, path);  // one that is not there, the program says so
    });
});
EM_JS(void, glassformer_type_into_field, (int on), {
    Module.types = on != 0;
    const field = document.getElementById('field');
    if (on) field.focus({preventScroll: true});
    else if (document.activeElement == field) document.getElementById('canvas').focus();
});
// clang-format on

extern "C" {
EMSCRIPTEN_KEEPALIVE void glassformer_pasted(const char* text) {
    if (glassformer::app::current) glassformer::app::current->paste(text);
}
EMSCRIPTEN_KEEPALIVE void glassformer_typed(const char* text) {
    if (!glassformer::app::current) return;
    for (const char32_t character : glassformer::code_points(text)) glassformer::app::current->type(character);
}
EMSCRIPTEN_KEEPALIVE void glassformer_typed_key(int which) {
    if (glassformer::app::current)
        glassformer::app::current->tap_key(which == 0 ? GLFW_KEY_BACKSPACE : GLFW_KEY_ENTER, 0);
}
EMSCRIPTEN_KEEPALIVE void glassformer_dropped(const char* path) {
    if (glassformer::app::current) glassformer::app::current->drop(path);
}
}

namespace glassformer::app {

double seconds_since_input() { return (emscripten_get_now() - last_input) / 1000; }

PageInput::PageInput() {
    current = this;
    ImGuiIO& io = ImGui::GetIO();
    io.BackendPlatformName = "glassformer page";
    io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
    use_clipboard(
        [](const char* text) {
            clipboard = text;
            glassformer_copy(text);
        },
        [] { return clipboard.c_str(); });
    map_keys_for_offscreen();
    listen(true);
    glassformer_listen_too();
    touch_ = std::make_unique<PageTouch>(*this);
}

PageInput::~PageInput() {
    listen(false);
    current = nullptr;
}

void PageInput::happened() {
    event_ = true;
    last_input = emscripten_get_now();
}

bool PageInput::take_event() {
    touch_->look();
    // Input methods and phone keyboards write into a field of the page.
    if (const bool types = ImGui::GetCurrentContext() && ImGui::GetIO().WantTextInput; types != types_)
        glassformer_type_into_field(types_ = types);
    if (const std::optional<Box> at = types_ ? caret() : std::nullopt) {
        const double ratio = emscripten_get_device_pixel_ratio();
        glassformer_place_field(at->min.x / ratio, at->min.y / ratio, at->height() / ratio);
    }
    return std::exchange(event_, false);
}

void PageInput::move(float x, float y) {
    if (pointer_.x == x && pointer_.y == y) return;
    pointer_ = {x, y};
    happened();
}

void PageInput::leave() {
    if (std::ranges::any_of(buttons_, std::identity())) return;  // a drag continues outside
    pointer_ = {-1e6f, -1e6f};
    happened();
}

void PageInput::press(int button, bool down) {
    buttons_[static_cast<std::size_t>(button)] = down;
    if (down) pressed_[static_cast<std::size_t>(button)] = true;
    happened();
}

void PageInput::turn_wheel(float x, float y) {
    wheel_.x += x, wheel_.y += y;
    happened();
}

void PageInput::press_key(int key, bool down, int modifiers) {
    if (key >= 0 && down != keys_[static_cast<std::size_t>(key)]) {
        keys_[static_cast<std::size_t>(key)] = down;
        taps_.changed(key, down ? GLFW_PRESS : GLFW_RELEASE, modifiers);
    }
    happened();
}

void PageInput::tap_key(int key, int modifiers) {
    press_key(key, true, modifiers);
    press_key(key, false, modifiers);
}

void PageInput::release_control() {
    for (const int key : {GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL}) {
        keys_[static_cast<std::size_t>(key)] = false;
        taps_.take_back(key);
    }
}

void PageInput::type(char32_t character) {
    typed_.push_back(character);
    happened();
}

void PageInput::paste(std::string text) {
    clipboard = std::move(text);
    happened();
}

void PageInput::drop(std::string file) {
    dropped_.push_back(std::move(file));
    happened();
}

void PageInput::lose_keys() {
    for (std::size_t key = 0; key < keys_.size(); ++key)
        if (keys_[key]) press_key(static_cast<int>(key), false, 0);
    page_keys.release_all();
    buttons_ = {};
}

std::vector<std::string> PageInput::take_dropped() { return std::exchange(dropped_, {}); }

bool PageInput::apply() {
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = pointer_;
    bool later = false;
    for (std::size_t i = 0; i < buttons_.size(); ++i) {
        io.MouseDown[i] = buttons_[i] || pressed_[i];
        later |= pressed_[i] && !buttons_[i];  // its release comes in the next frame
    }
    pressed_ = {};
    io.MouseWheelH += wheel_.x, io.MouseWheel += wheel_.y;
    wheel_ = {0, 0};
    for (std::size_t key = 0; key < keys_.size(); ++key)
        if (const auto known = key_from_glfw(static_cast<int>(key))) script_key(*known, keys_[key]);
    for (const char32_t character : std::exchange(typed_, {})) {
        io.AddInputCharacter(character);
        type_character(character);
    }
    return taps_.apply() || later;
}

}  // namespace glassformer::app
