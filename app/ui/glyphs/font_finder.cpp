#include "app/ui/glyphs/font_finder.h"

#include "core/base/guarded.h"

namespace glassformer::app {

namespace {

std::uint64_t question(char32_t character, bool bold) { return std::uint64_t{character} << 1 | (bold ? 1u : 0u); }

}  // namespace

FontFinder::FontFinder(bool waits, Find find) : waits_(waits), find_(std::move(find)) {}

FontFinder::~FontFinder() = default;

FontFinder::Answer FontFinder::ask(char32_t character, bool bold) {
    const std::uint64_t asked = question(character, bold);
    const std::lock_guard lock(mutex_);
    const auto known = answers_.find(asked);
    if (known != answers_.end() && (known->second.known || !broken_)) return known->second;
    if (broken_) return {true, std::nullopt};
    if (waits_) return answers_[asked] = {true, find_(character, bold)};
    answers_[asked] = {};
    questions_.push_back(asked);
    ++looking_;
    if (!thread_.joinable())
        thread_ = Background(
            "fonts", [this](const std::stop_token& stop) { return look(stop); },
            [this](const std::string&) { broken_ = true; });
    thread_.wake();
    return {};
}

Turn FontFinder::look(const std::stop_token& stop) {
    std::uint64_t asked = 0;
    {
        const std::lock_guard lock(mutex_);
        if (stop.stop_requested()) return Turn::done;
        if (questions_.empty()) return Turn::wait;
        asked = questions_.back();
        questions_.pop_back();
    }
    Answer answer{true, std::nullopt};
    guarded([&] {
        fault_point("fonts turn");
        answer.face = find_(static_cast<char32_t>(asked >> 1), (asked & 1) != 0);
    });
    const std::lock_guard lock(mutex_);
    answers_[asked] = std::move(answer);
    news_ = true;
    --looking_;
    return Turn::more;
}

}  // namespace glassformer::app
