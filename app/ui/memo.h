#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "app/language/tr.h"

namespace glassformer::app {

/// A shared object as part of a key. It does not keep the object alive, and equals only keys of that same object, even
/// after the object is gone.
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

/// Caches the values for the N most recent keys, so that they are not made again every frame. A change of language
/// clears it. Not thread-safe.
template <class Key, class Value, std::size_t N>
class Memo {
public:
    /// Returns the key's value, calling make() if it is not cached, which evicts the oldest entry. The reference is
    /// valid until N − 1 other values have been made.
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
