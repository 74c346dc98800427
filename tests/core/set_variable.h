#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace glassformer {

/// Sets or unsets an environment variable for its lifetime. Not to be used while another thread reads it.
class SetVariable {
public:
    SetVariable(std::string name, const std::optional<std::string>& value) : name_(std::move(name)) {
        if (const char* before = std::getenv(name_.c_str())) before_ = before;
        set(value);
    }
    ~SetVariable() { set(before_); }
    SetVariable(const SetVariable&) = delete;
    SetVariable& operator=(const SetVariable&) = delete;

private:
    void set(const std::optional<std::string>& value) const {
#ifdef _WIN32
        ::_putenv_s(name_.c_str(), value ? value->c_str() : "");
#else
        if (value)
            ::setenv(name_.c_str(), value->c_str(), 1);
        else
            ::unsetenv(name_.c_str());
#endif
    }

    std::string name_;
    std::optional<std::string> before_;
};

}  // namespace glassformer
