#pragma once

#include <functional>

#include "app/common/frame.h"
#include "app/lessons/lesson.h"

namespace glassformer::app {

/// Puts a scene on screen: asks the worker for its sentences, step and changes, waits until they are there, then
/// selects block, head, words and view. Also asks for what was there before a lesson.
class LessonStage {
public:
    /// What the worker should show.
    struct Wish {
        std::array<std::string, 2> texts;
        std::optional<std::int64_t> step;  ///< none: the newest
        Comparing comparing;
        std::vector<WhatIf> what_if;
        bool train = false;  ///< if `step` is beyond the training
    };
    using Report = std::function<void(int line, const std::string& field, const std::string& why)>;

    /// Returns the folder of the shipped model of that name in the snapshot's catalog; empty if there is none.
    static std::string folder_of(const Snapshot& snapshot, const std::string& model);

    /// Begins a scene. `texts` replace sentences that it does not name. If it searches for a head, that is done first,
    /// in the sentences and at the training step of its HeadSearch; the head then stays the same in this model.
    void begin(const Frame& frame, const Scene& scene, const std::array<std::string, 2>& texts);
    void ask(const Frame& frame, Wish wish);
    /// Drops the pending request.
    void forget() { waiting_ = false; }
    bool waiting() const { return waiting_; }
    /// True while the model is being trained to the requested step, unless the user has paused it.
    bool trains(const Snapshot& snapshot) const {
        return waiting_ && wish_.train && snapshot.live_step < wish_.step.value_or(0) &&
               snapshot.state == RunState::training;
    }
    /// Returns true once, when what was asked for is on screen; a scene is shown at that moment.
    bool arrives(const Frame& frame, const Scene* scene, int line, const Report& report);
    /// True if the snapshot shows what was asked for; false once the user types, switches, or visits another step.
    bool shows(const Snapshot& snapshot) const;
    /// True if the user has chosen something other than the scene: another sentence, word, head, or view.
    bool led_elsewhere(const Frame& frame) const;

    /// Returns the snapshot with the scene's block and head, as they were found.
    LivePlace place(const Snapshot& snapshot) const { return {snapshot, layer_, head_, head_of_b_}; }

private:
    struct Chosen {
        int view = 0;
        std::array<HeadChoice, 2> head;
        std::array<int, 2> token{};
        bool compare = true, to_source = false;
        bool operator==(const Chosen&) const = default;
    };
    static Chosen chosen_in(const ViewState& state);

    std::vector<WhatIf> changes_of(const Scene& scene) const;
    Comparing comparing_of(const Snapshot& snapshot, const Scene& scene) const;
    void show(const Frame& frame, const Scene& scene, int line, const Report& report);
    void choose_words(const Frame& frame, const Scene& scene, int line, const Report& report) const;
    void choose_other_head(const Frame& frame, const Scene& scene, int line, const Report& report);
    bool has_found(const Frame& frame, const HeadSearch& search) const;
    HeadChoice find_head(const Frame& frame, FindHead how) const;
    void paint(const Frame& frame, const Scene& scene, const Report& report);
    void patch_heads(const Frame& frame, const Scene& scene, int line, const Report& report);
    bool go_on_writing(const Frame& frame, const Scene& scene);

    /// The result of a search in one model.
    struct FoundHead {
        std::shared_ptr<const ModelInfo> model;
        HeadSearch search;
        HeadChoice head;
    };

    Wish wish_;
    bool waiting_ = false, found_ = false;
    bool searching_ = false;               // waiting for the place where the scene's head is searched for
    std::array<std::string, 2> texts_;     // for sentences that the scene does not name
    std::optional<FoundHead> found_head_;  // by the last search
    std::uint64_t asked_at_ = 0, errors_before_ = 0;
    int layer_ = 0, head_ = 0;
    std::optional<HeadChoice> head_of_b_;  // if two heads are compared
    int written_ = 0;                      // number of words generated for the scene
    std::vector<WhatIf> rows_;             // rows that the scene painted, and its head patches
    Chosen chosen_;
};

}  // namespace glassformer::app
