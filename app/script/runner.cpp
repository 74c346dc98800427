#include "app/script/runner.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iostream>

#include "core/base/error.h"
#include "core/base/filled.h"
#include "core/base/mark_text.h"

namespace glassformer::app {

namespace {

using Op = ScriptCommand::Op;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::string number(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.9g", value);
    return text;
}

/// What an item shows, for messages and for the command print.
std::string describe(const Item& item) {
    std::string text(item.label);
    if (item.value) text += " = " + number(*item.value);
    if (!item.text.empty()) text += " \"" + std::string(item.text) + "\"";
    char box[80];
    std::snprintf(box, sizeof box, " at %.0f,%.0f size %.0f×%.0f", item.min.x, item.min.y, item.width(), item.height());
    return text + box;
}

bool compare_numbers(Op op, double a, double b, double tolerance) {
    switch (op) {
        case Op::equal:
            return std::abs(a - b) <= tolerance;
        case Op::not_equal:
            return !(std::abs(a - b) <= tolerance);
        case Op::less:
            return a < b;
        case Op::less_equal:
            return a <= b;
        case Op::greater:
            return a > b;
        case Op::greater_equal:
            return a >= b;
        case Op::contains:
            return false;
    }
    return false;
}

bool satisfies(const ScriptCommand& command, const Item& item) {
    const std::string_view shown = item.text.empty() ? item.label : item.text;
    if (command.op == Op::contains) return shown.find(command.text) != std::string_view::npos;
    if (command.numeric && item.value) return compare_numbers(command.op, *item.value, command.x, command.limit);
    if (command.op == Op::equal) return item.text == command.text;
    return command.op == Op::not_equal && item.text != command.text;
}

/// A few labels that resemble the missing one.
std::string similar(const Items& items, const std::string& label) {
    std::string found;
    int count = 0;
    const std::string start = label.substr(0, std::min<size_t>(label.size(), 3));
    for (const Item& item : items.all()) {
        if (item.label.find(start) == std::string_view::npos || ++count > 5) continue;
        found += (found.empty() ? "" : ", ") + std::string(item.label);
    }
    return found;
}

std::string not_there(const Items& items, const std::string& label) {
    if (const std::string near = similar(items, label); !near.empty())
        return filled_with(N_("there is no item \"{1}\" on screen; similar: {2}"), label, near);
    return filled_with(N_("there is no item \"{1}\" on screen; {2} items are on screen"), label, items.all().size());
}

/// A choice in a closed list is not on screen, so this clicks the list first. Scripts then need not know whether a
/// view's tabs fitted or became a list.
void open_list_first(std::vector<ScriptCommand>& commands, std::size_t at, const Items& items) {
    ScriptCommand choice = commands[at];
    const std::size_t slash = choice.item.find('/');
    if (choice.verb != ScriptCommand::Verb::click || choice.x != 0 || slash == std::string::npos ||
        items.find(choice.item))
        return;
    const Item* list = items.find(choice.item.substr(0, slash));
    if (!list || !list->value || list->text.empty()) return;  // only a list has a value and the chosen text
    ScriptCommand opened = choice;
    opened.verb = ScriptCommand::Verb::frames;
    opened.x = 2;
    choice.x = 1;  // marks it as tried
    commands[at].item.resize(slash);
    const auto after = commands.begin() + static_cast<std::ptrdiff_t>(at) + 1;
    commands.insert(after, {opened, choice});
}

}  // namespace

ScriptRunner::ScriptRunner(Script script, Hooks hooks) : script_(std::move(script)), hooks_(std::move(hooks)) {
    if (!hooks_.print) hooks_.print = [](const std::string& line) { std::cout << line << '\n'; };
}

void ScriptRunner::fail(const ScriptCommand& command, const std::string& why) {
    failed_ = true;
    message_ = filled_with(N_("{1}:{2}: {3}: {4}"), script_.name, command.line, command.source, why);
}

const Item* ScriptRunner::need(const ScriptCommand& command, const Items& items, const std::string& label) {
    const Item* item = items.find(label);
    if (!item) fail(command, not_there(items, label));
    return item;
}

void ScriptRunner::write_mouse(bool left, bool right) { script_mouse(mouse_, left, right); }

void ScriptRunner::step(const Items& items, float scale) {
    write_mouse(false, false);
    script_modifiers(false, false);
    if (warm_up_-- > 0) return;
    warm_up_ = 0;
    while (!finished()) {
        if (phase_ == 0) open_list_first(script_.commands, at_, items);
        const ScriptCommand& command = script_.commands[at_];
        if (phase_ == 0) started_ = now();
        const Progress progress = run(command, items, scale);
        if (failed_) return;
        if (progress == Progress::more) {
            ++phase_;
            return;
        }
        ++at_;
        phase_ = 0;
        if (progress == Progress::done) return;
    }
}

ScriptRunner::Progress ScriptRunner::run(const ScriptCommand& command, const Items& items, float scale) {
    switch (command.verb) {
        case Verb::click:
        case Verb::double_click:
        case Verb::right_click:
        case Verb::hover:
        case Verb::drag_by:
        case Verb::drag_to:
        case Verb::scroll:
            return pointer(command, items, scale);
        case Verb::key:
            return press_key(command);
        case Verb::type:
            if (phase_ == 0) script_text(command.text);
            return phase_ < 1 ? Progress::more : Progress::done;
        case Verb::frames:
            return phase_ + 1 < static_cast<int>(command.x) ? Progress::more : Progress::done;
        case Verb::wait:
        case Verb::wait_item:
            return wait(command, items);
        case Verb::lesson:
            return lesson(command, items);
        case Verb::shot:
            // One frame draws it; the next command runs in the frame after that.
            shot_ = command.item;
            return Progress::done;
        default:
            return expect(command, items);
    }
}

/// Finds where the mouse starts and ends; false if that is not on screen.
bool ScriptRunner::aim(const ScriptCommand& command, const Items& items, float scale) {
    const Item* item = need(command, items, command.item);
    if (!item) return false;
    from_ = to_ = item->centre();
    if (command.verb == Verb::drag_by)
        to_ = {from_.x + static_cast<float>(command.x) * scale, from_.y + static_cast<float>(command.y) * scale};
    if (command.verb == Verb::drag_to) {
        const Item* target = need(command, items, command.text);
        if (!target) return false;
        to_ = target->centre();
    }
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    if (from_.x < 0 || from_.y < 0 || from_.x >= screen.x || from_.y >= screen.y) {
        fail(command, filled_with(N_("the item is outside the window: {1}"), describe(*item)));
        return false;
    }
    mouse_ = from_;
    return true;
}

/// Frame by frame: move there and rest one frame, so that ImGui sees the hover; press; release; one frame to react. If
/// the mouse is already there, it first moves away for a frame, so that two clicks are not a double click.
ScriptRunner::Progress ScriptRunner::pointer(const ScriptCommand& command, const Items& items, float scale) {
    if (phase_ == 0) {
        const ImVec2 before = mouse_;
        if (!aim(command, items, scale)) return Progress::done;
        again_there_ = std::hypot(mouse_.x - before.x, mouse_.y - before.y) < 10 * scale ? 1 : 0;
        if (again_there_ == 1) script_mouse({-1e6f, -1e6f}, false, false);
        if (again_there_ == 1) return Progress::more;
    }
    const int p = phase_ - again_there_;
    bool left = false, right = false;
    int last = 4;
    switch (command.verb) {
        case Verb::hover:
            last = 2;
            break;
        case Verb::scroll:
            last = 3;
            if (p == 2) script_wheel(static_cast<float>(command.x));
            break;
        case Verb::click:
            left = p == 2;
            break;
        case Verb::right_click:
            right = p == 2;
            break;
        case Verb::double_click:
            last = 6;
            left = p == 2 || p == 4;
            break;
        default: {  // drag: press, move in six steps, rest, release
            last = 11;
            left = p >= 2 && p <= 9;
            const float t = std::min(static_cast<float>(std::max(p - 2, 0)) / 6, 1.0f);
            mouse_ = {from_.x + (to_.x - from_.x) * t, from_.y + (to_.y - from_.y) * t};
        }
    }
    write_mouse(left, right);
    return p < last ? Progress::more : Progress::done;
}

ScriptRunner::Progress ScriptRunner::press_key(const ScriptCommand& command) {
    const bool down = phase_ < 2;  // two frames: shorter taps get lost
    script_modifiers(command.ctrl && down, command.shift && down);
    script_key(command.key, down);
    return phase_ < 3 ? Progress::more : Progress::done;
}

ScriptRunner::Progress ScriptRunner::lesson(const ScriptCommand& command, const Items& items) {
    if (phase_ == 0) {
        if (!begin_lesson_) fail(command, N_("there are no lessons here"));
        try {
            if (begin_lesson_) begin_lesson_(command.item, static_cast<int>(command.x));
        } catch (const Error& error) {
            fail(command, error.what());
        }
        return Progress::more;
    }
    constexpr double patience = 60;  // seconds: a busy machine may be loading a large model
    const Item* scene = items.find("lesson/scene");
    if (phase_ > 2 && scene && scene->value == 1.0) return Progress::done;
    if (now() - started_ > patience) fail(command, N_("its scene was not on screen within 60 seconds"));
    return Progress::more;
}

ScriptRunner::Progress ScriptRunner::wait(const ScriptCommand& command, const Items& items) {
    const Item* item = items.find(command.item);
    ScriptCommand exact = command;
    exact.limit = 0;  // the limit is a timeout here, not a tolerance
    if (item && (command.verb == Verb::wait_item || satisfies(exact, *item))) return Progress::again;
    if (now() - started_ > command.limit) {
        const std::string near = similar(items, command.item), seconds = number(command.limit);
        fail(command,
             item ? filled_with(N_("not within {1} seconds; it is {2}"), seconds, describe(*item))
             : near.empty()
                 ? filled_with(N_("not within {1} seconds; the item is not on screen; {2} items are on screen"),
                               seconds, items.all().size())
                 : filled_with(N_("not within {1} seconds; the item is not on screen; similar: {2}"), seconds, near));
    }
    return Progress::more;
}

ScriptRunner::Progress ScriptRunner::expect(const ScriptCommand& command, const Items& items) {
    if (command.verb == Verb::expect_no_item) {
        if (const Item* item = items.find(command.item))
            fail(command, filled_with(N_("it is there: {1}"), describe(*item)));
        return Progress::again;
    }
    if (command.verb == Verb::print && command.item.ends_with('*')) {
        const std::string_view beginning = std::string_view(command.item).substr(0, command.item.size() - 1);
        for (const Item& item : items.all())
            if (item.label.starts_with(beginning)) hooks_.print(describe(item));
        return Progress::again;
    }
    const Item* item = need(command, items, command.item);
    if (!item || command.verb == Verb::expect_item) return Progress::again;
    if (command.verb == Verb::print) {
        hooks_.print(describe(*item));
    } else if (command.verb == Verb::expect_text) {
        if (item->text != command.text) fail(command, filled_with(N_("its text is \"{1}\""), item->text));
    } else if (!satisfies(command, *item)) {
        fail(command, filled_with(N_("it is {1}"), describe(*item)));
    }
    return Progress::again;
}

void ScriptRunner::after_frame() {
    if (shot_.empty()) return;
    const std::string path = std::move(shot_);
    shot_.clear();
    const ScriptCommand& command = script_.commands[at_ > 0 ? at_ - 1 : 0];
    if (!hooks_.shot) return fail(command, N_("screenshots cannot be taken here"));
    try {
        hooks_.shot(path);
    } catch (const Error& error) {
        fail(command, error.what());
    }
}

}  // namespace glassformer::app
