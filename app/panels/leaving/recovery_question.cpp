#include "app/panels/leaving/recovery_question.h"

#include <array>
#include <string>

#include "app/language/tr.h"
#include "app/panels/leaving/question_card.h"
#include "app/session/model_catalog.h"
#include "app/ui/number_text.h"

namespace glassformer::app {

namespace {

bool is_asked(const Frame& frame) {
    return !frame.snapshot.lost_runs.empty() && !frame.state.own<RecoveryQuestion>().later;
}

std::string recovery_question(const ModelCatalog& catalog, const std::vector<LostRun>& runs) {
    const LostRun& newest = runs.back();
    const std::string title(tr(title_of(catalog, newest.name)));
    if (runs.size() == 1)
        return filled(tr("The program ended before this training was saved: {1}, step {2}."),
                      {title, grouped(newest.step)});
    return filled(tr("The program ended before {1} trainings were saved. The newest is {2}, step {3}."),
                  {std::to_string(runs.size()), title, grouped(newest.step)});
}

constexpr std::array<Answer, 3> recovery_answers{
    {{"recovery/open", N_("Open"), N_("Continue where it was"), Tone::primary},
     {"recovery/drop", N_("Throw away"), N_("It will be lost"), Tone::danger},
     {"recovery/later", N_("Later"), N_("Ask again at the next start")}}};

}  // namespace

bool recovery_keys(const Frame& frame) {
    if (!is_asked(frame)) return false;
    if (question_keys(frame)) frame.state.own<RecoveryQuestion>().later = true;
    return true;
}

void draw_recovery_question(const Frame& frame, const Box& window) {
    if (!is_asked(frame)) return;
    const std::vector<LostRun>& runs = frame.snapshot.lost_runs;
    const std::string text = recovery_question(*frame.snapshot.catalog, runs);
    const int answer =
        draw_question(frame, window, {"recovery", static_cast<double>(runs.size()), text, recovery_answers});
    if (answer < 0) return;
    frame.state.own<RecoveryQuestion>().later = true;  // it is answered
    if (answer == 0) frame.send(command::OpenLostRuns{});
    if (answer == 1) frame.send(command::RemoveLostRuns{});
}

}  // namespace glassformer::app
