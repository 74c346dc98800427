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
            "fonts", [this](const std::stop_token& stop) { look(stop); },
            [this](const std::string&) { broken_ = true; });
    asked_.notify_one();
    return {};
}

void FontFinder::look(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (asked_.wait(lock, stop, [&] { return !questions_.empty(); })) {
        const std::uint64_t asked = questions_.back();
        questions_.pop_back();
        lock.unlock();
        Answer answer{true, std::nullopt};
        guarded([&] {
            fault_point("fonts turn");
            answer.face = find_(static_cast<char32_t>(asked >> 1), (asked & 1) != 0);
        });
        lock.lock();
        answers_[asked] = std::move(answer);
        news_ = true;
        --looking_;
    }
}

}  // namespace glassformer::app
