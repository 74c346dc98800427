#pragma once

#include <array>
#include <chrono>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "app/common/frame.h"
#include "app/lessons/lesson_runner.h"
#include "app/phones/phone_page.h"
#include "app/phones/qr_code.h"
#include "core/platform/network.h"

namespace glassformer::app {

/// The address and port of the page, if they were chosen; otherwise the page is served in this machine's first network,
/// and moves with it.
struct PhonePlace {
    std::string address;
    int port = PhonePage::usual_port;
    std::function<std::vector<platform::NetworkAddress>()> networks = platform::network_addresses;
    std::chrono::milliseconds look_every{2000};  ///< how often the networks are asked for while the page is served
};

/// Lets phones take part in votes if the lecturer wants it: serves their page, shows its address as a QR code, and
/// collects their votes.
class PhoneVote {
public:
    bool on() const { return page_ != nullptr; }
    /// Starts serving the page at own<PhonePlace>(), or ends it.
    void toggle(const Frame& frame);
    void end() { page_.reset(); }
    /// Sets the current question, and moves the page if the network has changed; call this every frame.
    void follow(Ballot ballot);
    BallotBox::Counts counts() const { return box_.counts(); }
    /// Returns true if votes arrived since the last call, or if the network has changed.
    bool changed();

    /// Returns true if the code fills the panel, so that it is readable from the last row.
    bool large() const { return on() && large_; }
    /// Draws the code in a box, and below it the address and how many have voted. Items: "vote/qr" (text: the address),
    /// "vote/devices" (value), "vote/network".
    void draw(const Frame& frame, const Box& box);
    /// Draws why there is no page, and what to do. Items: "vote/problem", "vote/other port", "vote/alone".
    void draw_problem(const Frame& frame, ImVec2 at, float width);
    /// Returns the height of draw_problem() with the gap below it; 0 if there is no problem.
    float problem_height(const Ui& ui, float width) const;

private:
    using Clock = std::chrono::steady_clock;

    void serve(const std::string& address, int port);
    /// Asks for the networks from time to time, beside the window. Returns true if they are not networks_ any more.
    bool networks_changed();
    void move_with_networks();

    BallotBox box_;
    std::unique_ptr<PhonePage> page_;  // after the box, which it uses
    std::string address_;              // of the page
    PhonePlace place_;
    std::vector<platform::NetworkAddress> networks_, newest_;  // newest_: of the last look
    int network_ = 0;                                          // index into networks_
    Clock::time_point look_at_;
    std::future<std::vector<platform::NetworkAddress>> looking_;
    std::string problem_, taken_at_;  // taken_at_: the address where only another port may work
    bool alone_ = false;              // no network: only this computer could open the page
    QrCode code_;
    bool large_ = false;
    Ballot asked_;
    BallotBox::Counts seen_{};
};

/// A choice of a question, and its votes in the first and in the second round.
struct VoteChoice {
    std::string text;
    std::array<int, 2> hands{}, phones{};

    int votes(std::size_t round) const { return hands[round] + phones[round]; }
};

/// A class votes twice, by hands or phones. Bars appear before the second vote and before the answer, as in peer
/// instruction. The question is a lesson's while it asks one, otherwise A to D.
class Vote {
public:
    /// What is on screen; Enter or a clicker's PageDown goes to the next phase.
    enum class Phase { first, first_bars, second, both_bars, answer };

    Vote() = default;
    Vote(const Vote&) = delete;
    Vote& operator=(const Vote&) = delete;
    ~Vote();  // saves what was counted: the window may close at any time

    bool open() const { return open_; }
    Phase phase() const { return phase_; }
    const std::vector<VoteChoice>& choices() const { return choices_; }
    /// Ends it, if it is open. Does not begin while a lesson's step is still being set up: the message says so.
    void begin(const Frame& frame, const LessonRunner& lessons);
    /// Ends it and saves the votes, if it is open.
    void end(const Frame& frame) {
        if (open_) close(frame);
    }
    /// Keys 1 to 6 add a hand, with Shift they remove one. Returns true if the key belonged to the vote.
    bool handle_keys(const Frame& frame, LessonRunner& lessons);
    /// Goes to the next or the previous phase.
    void turn(const Frame& frame, LessonRunner& lessons, int by);
    /// Draws the vote over the panel. Items: "vote" (value: the phase), "vote/A" (value: hands of this round while it
    /// is counted, afterwards all its votes), "vote/A less", "vote/sentences", "vote/next", "vote/close",
    /// "vote/phones", and those of PhoneVote.
    void draw(const Frame& frame, const Box& box, LessonRunner& lessons);
    /// Call this in every frame of the presenter: updates what the phones are asked, and reads their votes.
    void follow_phones();
    PhoneVote& phones() { return phones_; }
    const PhoneVote& phones() const { return phones_; }
    /// What turn(…, 1) does, as the button says it. A vote without a lesson has no answer: it ends with the bars.
    const char* next_word() const;
    /// Returns the round that is, or was last, counted: 0 or 1.
    std::size_t round() const { return phase_ <= Phase::first_bars ? 0 : 1; }

private:
    bool counting() const { return phase_ == Phase::first || phase_ == Phase::second; }
    int& hands(std::size_t choice) { return choices_[choice].hands[round()]; }
    void count(std::size_t choice, int more);
    void go_on(const Frame& frame, LessonRunner& lessons);
    void close(const Frame& frame);
    /// Appends the result to the table of votes, unless nobody voted. Returns the file if that fails.
    std::filesystem::path save() const;
    /// True while the lesson is at the question that is voted on.
    bool asked_by(const LessonRunner& lessons) const;
    /// Places of the parts above the buttons, as offsets from the card's top; beside the code they are narrower than
    /// the card.
    struct CardParts {
        float sentences = 0, hint = 0, problem = 0, rows = 0, code_end = 0, end = 0;
        float width = 0, row = 0, bars = 0, height = 0;  // the height is that of the card
        std::size_t columns = 1;                         // of choices
    };
    CardParts card_parts(const Ui& ui, float width, float most) const;
    /// A choice in a row of this width: the width of its bars, and the height that the lines of any choice's text need.
    struct ChoiceRow {
        float bars = 0, lowest = 0;
    };
    ChoiceRow choice_row(const Ui& ui, float width) const;
    const char* hint() const;
    void draw_choice(const Frame& frame, const Box& row, std::size_t choice, float bars);
    void draw_bars(const Ui& ui, const Box& box, const VoteChoice& choice) const;
    void draw_buttons(const Frame& frame, const Box& row, LessonRunner& lessons);
    void draw_card(const Frame& frame, const Box& card, const CardParts& parts, LessonRunner& lessons);
    void draw_above_buttons(const Frame& frame, const Box& box, const CardParts& parts);

    bool open_ = false, from_lesson_ = false;
    std::string name_;  // of the lesson, and the step that asks
    int step_ = 0;
    Phase phase_ = Phase::first;
    std::string title_, text_, lesson_;
    std::string sentences_;  // the sentences in question: the card covers them
    std::vector<VoteChoice> choices_;
    std::vector<bool> right_;  // empty until the answer
    int question_ = 0;         // number of questions so far
    PhoneVote phones_;
};

/// Returns the file that keeps the votes, a row for each choice; empty if there is no home folder.
std::filesystem::path votes_file();

}  // namespace glassformer::app
