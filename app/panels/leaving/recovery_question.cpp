#include "app/panels/leaving/recovery_question.h"

#include <array>
#include <string>

#include "app/panels/leaving/question_card.h"
#include "app/ui/number_text.h"

namespace glassformer::app {

namespace {

bool is_asked(const Frame& frame) {
    return !frame.snapshot.lost_runs.empty() && !frame.state.own<RecoveryQuestion>().later;
}

std::string question(const std::vector<LostRun>& runs) {
    const LostRun& newest = runs.back();
    if (runs.size() == 1)
        return "The program was ended before this training was saved: " + newest.name + ", step " +
               grouped(newest.step) + ".";
    return "The program was ended before " + std::to_string(runs.size()) + " trainings were saved; the newest is " +
           newest.name + ", step " + grouped(newest.step) + ".";
}

constexpr std::array<Answer, 3> answers{{{"recovery/open", "Open", "Go on where it was", Tone::primary},
                                         {"recovery/drop", "Throw away", "It is gone then", Tone::danger},
                                         {"recovery/later", "Later", "Ask again at the next start"}}};

}  // namespace

bool recovery_keys(const Frame& frame) {
    if (!is_asked(frame)) return false;
    if (question_keys(frame)) frame.state.own<RecoveryQuestion>().later = true;
    return true;
}

void draw_recovery_question(const Frame& frame, const Box& window) {
    if (!is_asked(frame)) return;
    const std::vector<LostRun>& runs = frame.snapshot.lost_runs;
    const std::string text = question(runs);
    const int answer = draw_question(frame, window, {"recovery", static_cast<double>(runs.size()), text, answers});
    if (answer < 0) return;
    frame.state.own<RecoveryQuestion>().later = true;  // it is answered
    if (answer == 0) frame.send(command::OpenLostRuns{});
    if (answer == 1) frame.send(command::RemoveLostRuns{});
}

}  // namespace glassformer::app
