#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include "app/phones/ballot_box.h"

namespace glassformer::app {

/// Limits on what strangers may use of this machine.
struct PhoneLimits {
    unsigned connections = 400;            ///< open at the same time; others wait in the system's queue
    unsigned of_one_address = 6;           ///< of these, per address
    double a_second = 2000;                ///< accepted connections per second
    double a_second_of_one_address = 40;   ///< further ones are closed unread
    std::size_t bytes = 8192;              ///< memory per connection, for the heads of its request and answer
    std::chrono::milliseconds time{3000};  ///< from connection to end of answer
};

/// Serves the page on which phones vote to the local network, for as long as this object lives. It answers three
/// requests (GET of the page and of the question, POST of a vote), one per connection, if their Host header names its
/// own address; it refuses all others unread. Its single thread owns nothing of the window: it reads the ballot and
/// puts votes into the box.
class PhonePage {
public:
    static constexpr int usual_port = 8642, any_port = 0;

    /// The box must outlive the page. Throws Error if nothing can be served at this address and port.
    PhonePage(BallotBox& box, const std::string& address, int port = usual_port, const PhoneLimits& limits = {});
    /// Ends at once, whatever the visitors do.
    ~PhonePage();
    PhonePage(const PhonePage&) = delete;
    PhonePage& operator=(const PhonePage&) = delete;

    /// "http://192.168.1.23:8642"
    const std::string& url() const { return url_; }
    int port() const;

private:
    struct Server;
    std::unique_ptr<Server> server_;
    std::string url_;
};

}  // namespace glassformer::app
