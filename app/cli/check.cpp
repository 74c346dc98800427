#include <cstdio>

#include "app/assets/open_model.h"
#include "app/cli/cli.h"
#include "app/session/model_check.h"

namespace glassformer::app {

int run_check(const CheckArgs& args) {
    const Checkpoint model = open_model(args.model);
    const ModelCheck check{model.config, model.parameters, args.words,
                           args.seed,    args.threads,     backend_preference(args.backend)};
    std::printf("%s: %s\n", args.model.c_str(), heading_of(check).c_str());
    const bool passed =
        check_model(check, {[](const CheckedPart& part) { std::printf("%s\n", line_of(part).c_str()); }});
    std::printf("%s\n", verdict_text(passed).c_str());
    return passed ? 0 : 1;
}

}  // namespace glassformer::app
