#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "app/language/tr.h"

namespace glassformer::app {

/// A shared object as a part of a key. It holds nothing alive, and equals only what shares the same object, even when
/// that is gone.
template <class T>
class SharedKey {
public:
    SharedKey(const std::shared_ptr<const T>& object) : object_(object) {}
    bool operator==(const SharedKey& other) const {
        return !object_.owner_before(other.object_) && !other.object_.owner_before(object_);
    }

private:
    std::weak_ptr<const T> object_;
};

/// What was made for the newest N keys, so that a frame does not make it again; nothing of another language. For one
/// thread.
template <class Key, class Value, std::size_t N>
class Memo {
public:
    /// The value of the key, from make() where it is not known; the oldest one then goes. Valid until N − 1 others were
    /// made.
    template <class Make>
    const Value& operator()(const Key& key, const Make& make) {
        if (std::exchange(language_, language_changes()) != language_changes()) known_ = {};
        for (const std::optional<std::pair<Key, Value>>& known : known_)
            if (known && known->first == key) return known->second;
        std::optional<std::pair<Key, Value>>& oldest = known_[next_];
        oldest.emplace(key, make());
        next_ = (next_ + 1) % N;
        return oldest->second;
    }

private:
    std::array<std::optional<std::pair<Key, Value>>, N> known_;
    std::size_t next_ = 0;
    int language_ = 0;  // language_changes()
};

}  // namespace glassformer::app
