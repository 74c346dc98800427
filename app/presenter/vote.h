#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/lessons/lesson_runner.h"

namespace glassformer::app {

/// A choice of a question, and the hands that were counted for it.
struct VoteChoice {
    std::string text;
    int first = 0, second = 0;
};

/// A class votes with its hands, twice: bars stand before the second vote and before the answer, as peer instruction
/// has it. Of a lesson's question while one is asked, else of A to D.
class Vote {
public:
    /// What is on the screen; the next one comes with Enter or a clicker's PageDown.
    enum class Phase { first, first_bars, second, both_bars, answer };

    bool open() const { return open_; }
    Phase phase() const { return phase_; }
    const std::vector<VoteChoice>& choices() const { return choices_; }
    void begin(const Frame& frame, const LessonRunner& lessons);
    /// 1 to 6 count a hand, with Shift one less; true for a key that meant the vote.
    bool handle_keys(const Frame& frame, LessonRunner& lessons);
    /// To the next phase, or the one before.
    void turn(const Frame& frame, LessonRunner& lessons, int by);
    /// Over the panel. Items: "vote" (value: the phase), "vote/A" (value: hands of this vote), "vote/A less",
    /// "vote/next", "vote/close".
    void draw(const Frame& frame, const Box& box, LessonRunner& lessons);

private:
    bool counting() const { return phase_ == Phase::first || phase_ == Phase::second; }
    int& hands(std::size_t choice) {
        return phase_ <= Phase::first_bars ? choices_[choice].first : choices_[choice].second;
    }
    void count(std::size_t choice, int more);
    void go_on(const Frame& frame, LessonRunner& lessons);
    void close(const Frame& frame);
    float draw_choice(const Frame& frame, const Box& row, std::size_t choice);
    void draw_bars(const Ui& ui, const Box& box, const VoteChoice& choice) const;
    float draw_card(const Frame& frame, ImVec2 min, float width, float most, LessonRunner& lessons);

    bool open_ = false, from_lesson_ = false;
    Phase phase_ = Phase::first;
    std::string title_, lesson_;
    std::vector<VoteChoice> choices_;
    std::vector<bool> right_;  // empty until the answer
};

/// Where votes are kept, a row for each choice; empty where there is no home.
std::filesystem::path votes_file();

}  // namespace glassformer::app
