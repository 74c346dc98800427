#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/common/frame.h"
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

}  // namespace glassformer::app
