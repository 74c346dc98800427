#pragma once

#include <functional>

#include "app/common/frame.h"
#include "app/lessons/lesson.h"

namespace glassformer::app {

/// Puts a scene on screen: asks the worker for its sentences, its step and its changes, waits until they are there,
/// then chooses block, head, words and view. Also asks for what was there before a lesson.
class LessonStage {
public:
    /// What the worker is to show.
    struct Wish {
        std::array<std::string, 2> texts;
        std::optional<std::int64_t> step;  ///< none: the newest
        Comparing comparing;
        std::vector<WhatIf> what_if;
        bool train = false;  ///< where `step` is beyond the training
    };
    using Report = std::function<void(int line, const std::string& field, const std::string& why)>;

    /// Of the shipped model of that name in the snapshot's catalog; empty where there is none.
    static std::string folder_of(const Snapshot& snapshot, const std::string& model);

    /// Begins a scene. `texts` stand in for sentences that it does not name. A head that it looks for is found first,
    /// in the sentences and at the step of the training of HeadSearch; from then on it is the same in this model.
    void begin(const Frame& frame, const Scene& scene, const std::array<std::string, 2>& texts);
    void ask(const Frame& frame, Wish wish);
    /// What was asked for does not matter any more.
    void forget() { waiting_ = false; }
    bool waiting() const { return waiting_; }
    /// The model is being trained to the step that was asked for; not so where a person has paused it.
    bool trains(const Snapshot& snapshot) const {
        return waiting_ && wish_.train && snapshot.live_step < wish_.step.value_or(0) &&
               snapshot.state == RunState::training;
    }
    /// True once, when what was asked for is on screen; a scene is then shown.
    bool arrives(const Frame& frame, const Scene* scene, int line, const Report& report);
    /// The snapshot shows what was asked for; not so when a person has typed, switched or travelled.
    bool shows(const Snapshot& snapshot) const;
    /// A person has chosen something else than the scene: another sentence, word, head, picture.
    bool led_elsewhere(const Frame& frame) const;

    /// The scene's block and head, as they were found.
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

    /// What a search came to, in one model.
    struct FoundHead {
        std::shared_ptr<const ModelInfo> model;
        HeadSearch search;
        HeadChoice head;
    };

    Wish wish_;
    bool waiting_ = false, found_ = false;
    bool searching_ = false;               // what is waited for is where the scene's head is to be found
    std::array<std::string, 2> texts_;     // for sentences that the scene does not name
    std::optional<FoundHead> found_head_;  // by the last search
    std::uint64_t asked_at_ = 0, errors_before_ = 0;
    int layer_ = 0, head_ = 0;
    std::optional<HeadChoice> head_of_b_;  // where two heads are compared
    int written_ = 0;                      // words that the scene has let the model go on with
    std::vector<WhatIf> rows_;             // that the scene has painted, and its patches of heads
    Chosen chosen_;
};

}  // namespace glassformer::app
