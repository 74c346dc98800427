#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "app/lessons/lesson_runner.h"
#include "app/presenter/phone_vote.h"

namespace glassformer::app {

/// A choice of a question, and who is for it: in the first vote, and in the second.
struct VoteChoice {
    std::string text;
    std::array<int, 2> hands{}, phones{};

    int votes(std::size_t round) const { return hands[round] + phones[round]; }
};

/// A class votes with its hands, or its phones, twice: bars stand before the second vote and before the answer, as peer
/// instruction has it. Of a lesson's question while one is asked, else of A to D.
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
    /// Over the panel. Items: "vote" (value: the phase), "vote/A" (value: hands of this vote while it is counted, then
    /// all its votes), "vote/A less", "vote/sentences", "vote/next", "vote/close", "vote/phones", and those of
    /// PhoneVote.
    void draw(const Frame& frame, const Box& box, LessonRunner& lessons);
    /// Every frame of the presenter: what the phones are asked, and what they voted.
    void follow_phones();
    PhoneVote& phones() { return phones_; }
    const PhoneVote& phones() const { return phones_; }
    /// The one that is, or was last, counted: 0 or 1.
    std::size_t round() const { return phase_ <= Phase::first_bars ? 0 : 1; }

private:
    bool counting() const { return phase_ == Phase::first || phase_ == Phase::second; }
    int& hands(std::size_t choice) { return choices_[choice].hands[round()]; }
    void count(std::size_t choice, int more);
    void go_on(const Frame& frame, LessonRunner& lessons);
    void close(const Frame& frame);
    /// Where what is above the buttons stands, from its top; beside the code it is less wide than the card.
    struct CardParts {
        float sentences = 0, hint = 0, problem = 0, rows = 0, code_end = 0, end = 0;
        float width = 0, row = 0, height = 0;  // the height is the card's
        std::size_t columns = 1;               // of choices
    };
    CardParts card_parts(const Ui& ui, float width, float most) const;
    /// All choices have room for their words where two share a row.
    bool fit_beside(const Ui& ui, float column) const;
    const char* hint() const;
    void draw_choice(const Frame& frame, const Box& row, std::size_t choice);
    void draw_bars(const Ui& ui, const Box& box, const VoteChoice& choice) const;
    void draw_buttons(const Frame& frame, const Box& row, LessonRunner& lessons);
    void draw_card(const Frame& frame, const Box& card, const CardParts& parts, LessonRunner& lessons);
    void draw_above_buttons(const Frame& frame, const Box& box, const CardParts& parts);

    bool open_ = false, from_lesson_ = false;
    Phase phase_ = Phase::first;
    std::string title_, text_, lesson_;
    std::string sentences_;  // that it is about: the card covers them
    std::vector<VoteChoice> choices_;
    std::vector<bool> right_;  // empty until the answer
    int question_ = 0;         // how many were asked
    PhoneVote phones_;
};

/// Where votes are kept, a row for each choice; empty where there is no home.
std::filesystem::path votes_file();

}  // namespace glassformer::app
