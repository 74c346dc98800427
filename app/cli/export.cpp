#include <cstdio>

#include "app/assets/assets.h"
#include "app/assets/open_model.h"
#include "app/cli/cli.h"
#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "core/base/error.h"
#include "core/io/gguf_model.h"
#include "core/io/glass_file.h"
#include "core/io/hugging_face.h"
#include "core/io/output_file.h"
#include "core/io/run_folder.h"
#include "core/platform/atomic_file.h"

namespace glassformer::app {

namespace {

namespace fs = std::filesystem;

/// Throws Error if this is neither a run nor a checkpoint, in words that fit both.
void require_model(const std::string& from) {
    const fs::path folder = model_folder(from);
    const bool file = is_glass_file(folder) || is_gguf_file(folder);
    if (is_run_folder(folder) || fs::exists(folder / "config.json") || (file && fs::exists(folder))) return;
    throw Error("{1} is neither a run nor a checkpoint: it contains no run.json and no config.json", from);
}

}  // namespace

int run_export(const ExportArgs& args) {
    require_model(args.from);
    if (is_run_folder(args.out))
        throw Error("cannot export to {1}: that folder contains a run; choose another one", args.out);
    if (fs::exists(args.out) && fs::equivalent(model_folder(args.from), args.out))
        throw Error("cannot export {1} to itself; choose another folder", args.from);
    require_checkpoint_place(args.out);
    const Checkpoint model = open_model(args.from);
    save_checkpoint(args.out, model);
    const char* const out = args.out.c_str();
    const long long step = model.step;
    std::string why;
    if (is_gpt2_shaped(model.config, &why)) {
        if (model.has_training())
            std::printf(tr("%s: step %lld, as a GPT-2 that Hugging Face's Transformers loads\n"), out, step);
        else
            std::printf(tr("%s: a GPT-2 that Hugging Face's Transformers loads\n"), out);
        return 0;
    }
    why = tr_sentence(why);
    if (model.has_training())
        std::printf(
            tr("%s: step %lld, in this program's own format; Hugging Face's GPT-2 cannot compute it (its %s)\n"), out,
            step, why.c_str());
    else
        std::printf(tr("%s: in this program's own format; Hugging Face's GPT-2 cannot compute it (its %s)\n"), out,
                    why.c_str());
    return 0;
}

int run_metrics(const MetricsArgs& args) {
    require_model(args.from);
    const std::vector<MetricPoint> points =
        is_run_folder(args.from) ? read_run(args.from).log.points : open_model(args.from).log;
    if (points.empty()) throw Error("{1} has no curves: its training was not logged", args.from);
    const std::string table = log_as_csv(points);
    if (args.csv != "-") require_output(args.csv, FileKind::metrics_csv);
    if (args.csv == "-")
        std::fwrite(table.data(), 1, table.size(), stdout);
    else
        write_file_atomically(args.csv, table);
    return 0;
}

}  // namespace glassformer::app
