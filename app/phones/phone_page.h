#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include "app/phones/ballot_box.h"

namespace glassformer::app {

/// What strangers may take of this machine at most.
struct PhoneLimits {
    std::size_t threads = 32;              ///< requests that are answered at a time
    std::size_t of_one_address = 6;        ///< of these
    double a_second = 400;                 ///< connections that are taken; the others wait in the system's short queue
    double a_second_of_one_address = 40;   ///< more than these are closed unread
    std::size_t bytes = 8192;              ///< of a request
    std::chrono::milliseconds time{3000};  ///< from a connection to the end of its answer
};

/// The page on which phones vote, served to the local network for as long as this lives. Its threads own nothing of the
/// window: they read the ballot and put votes into the box.
class PhonePage {
public:
    static constexpr int usual_port = 8642, any_port = 0;

    /// The box outlives it. Throws Error where nothing can be served at this address and port.
    PhonePage(BallotBox& box, const std::string& address, int port = usual_port, const PhoneLimits& limits = {});
    ~PhonePage();
    PhonePage(const PhonePage&) = delete;
    PhonePage& operator=(const PhonePage&) = delete;

    /// "http://192.168.1.23:8642"
    const std::string& url() const;
    int port() const;

private:
    struct Server;
    std::unique_ptr<Server> server_;
};

}  // namespace glassformer::app
