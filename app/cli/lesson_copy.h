#pragma once

#include <filesystem>
#include <string>

#include "app/lessons/homework.h"
#include "app/lessons/lesson.h"
#include "core/io/glass_file.h"

namespace glassformer::app {

/// A lesson as a student had it, beside the lecturer's, who may have mended that since, or given out another one. What
/// is in the student's file may be forged: it decides only which answers are not marked.
class LessonCopy {
public:
    /// `ours` is the lecturer's, in `file`; `with` and `handed_in` came from the student. Throws Error where the
    /// answers are to another lesson, or their lesson cannot be read.
    LessonCopy(const Lesson& ours, const std::filesystem::path& file, const LessonBundle& with,
               const HandedIn& handed_in);

    /// For messages.
    const std::string& whose() const { return student_; }
    /// Word for word the lecturer's, or in another language.
    bool is_ours() const { return !theirs_; }
    /// Where it asks what a step of ours does (both from 0); −1: nowhere.
    int step_like(int step) const;

private:
    const Lesson& ours_;
    std::string student_;
    std::optional<Lesson> theirs_;
};

}  // namespace glassformer::app
