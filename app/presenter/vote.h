#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/common/frame.h"
#include "app/lessons/lesson_runner.h"
#include "app/phones/phone_page.h"
#include "app/phones/qr_code.h"
#include "core/platform/network.h"

namespace glassformer::app {

/// Where the page is served, if that was chosen; else in the first network that this machine is in.
struct PhonePlace {
    std::string address;
    int port = PhonePage::usual_port;
};

/// Phones take part in the votes, where the lecturer asks for it: the page for them, its address as a QR code, and what
/// they voted.
class PhoneVote {
public:
    bool on() const { return page_ != nullptr; }
    /// Serves the page, at own<PhonePlace>(), or ends it.
    void toggle(const Frame& frame);
    void end() { page_.reset(); }
    /// What is asked now; every frame.
    void follow(Ballot ballot);
    BallotBox::Counts counts() const { return box_.counts(); }
    /// Votes came since this was asked last.
    bool changed();

    /// The code fills the panel, so that it can be read from the last row.
    bool large() const { return on() && large_; }
    /// The code in a box, and below it the address and how many have voted. Items: "vote/qr" (text: the address),
    /// "vote/devices" (value), "vote/network".
    void draw(const Frame& frame, const Box& box);
    /// Why there is no page, and what to do. Items: "vote/problem", "vote/other port",
    /// "vote/alone".
    void draw_problem(const Frame& frame, ImVec2 at, float width);
    /// How high draw_problem() is, with the gap below it; 0 where there is no problem.
    float problem_height(const Ui& ui, float width) const;

private:
    void serve(const std::string& address, int port);

    BallotBox box_;
    std::unique_ptr<PhonePage> page_;  // after the box, which it uses
    std::vector<platform::NetworkAddress> networks_;
    int network_ = 0;                 // of these
    std::string problem_, taken_at_;  // the address whose usual port is taken
    bool alone_ = false;              // no network: only this computer could open the page
    QrCode code_;
    bool large_ = false;
    Ballot asked_;
    BallotBox::Counts seen_{};
};

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
