#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include "app/phones/ballot_box.h"

namespace glassformer::app {

/// What strangers may take of this machine at most.
struct PhoneLimits {
    unsigned connections = 400;            ///< open at a time; further ones wait in the system's queue
    unsigned of_one_address = 6;           ///< of these
    double a_second = 2000;                ///< connections that are accepted
    double a_second_of_one_address = 40;   ///< more than these are closed unread
    std::size_t bytes = 8192;              ///< of memory for a connection: the head of its request and answer
    std::chrono::milliseconds time{3000};  ///< from a connection to the end of its answer
};

/// The page on which phones vote, served to the local network for as long as this lives. It answers three requests (GET
/// of the page and of the question, POST of a vote) that name its own address as their host, one a connection; all
/// others are refused unread. Its one thread owns nothing of the window: it reads the ballot and puts votes into the
/// box.
class PhonePage {
public:
    static constexpr int usual_port = 8642, any_port = 0;

    /// The box outlives it. Throws Error where nothing can be served at this address and port.
    PhonePage(BallotBox& box, const std::string& address, int port = usual_port, const PhoneLimits& limits = {});
    /// Ends at once, whatever visitors do.
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
