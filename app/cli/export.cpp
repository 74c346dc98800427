#include <cstdio>

#include "app/assets/assets.h"
#include "app/assets/open_model.h"
#include "app/cli/cli.h"
#include "core/base/error.h"
#include "core/io/glass_file.h"
#include "core/io/hugging_face.h"
#include "core/io/output_file.h"
#include "core/io/run_folder.h"
#include "core/platform/atomic_file.h"

namespace glassformer::app {

namespace {

namespace fs = std::filesystem;

/// Neither a run nor a checkpoint: says so, in words that fit both.
void require_model(const std::string& from) {
    const fs::path folder = model_folder(from);
    if (is_run_folder(folder) || fs::exists(folder / "config.json") || (is_glass_file(folder) && fs::exists(folder)))
        return;
    throw Error(from + " is neither a run nor a checkpoint: it contains no run.json and no config.json");
}

}  // namespace

int run_export(const ExportArgs& args) {
    require_model(args.from);
    if (is_run_folder(args.out))
        throw Error("cannot export to " + args.out + ": that folder contains a run; choose another one");
    if (fs::exists(args.out) && fs::equivalent(model_folder(args.from), args.out))
        throw Error("cannot export " + args.from + " to itself; choose another folder");
    require_checkpoint_place(args.out);
    const Checkpoint model = open_model(args.from);
    save_checkpoint(args.out, model);
    std::string why;
    if (is_gpt2_shaped(model.config, &why))
        std::printf("%s: step %lld, as a GPT-2 that Hugging Face's Transformers loads\n", args.out.c_str(),
                    static_cast<long long>(model.step));
    else
        std::printf("%s: step %lld, in this program's own format; Hugging Face's GPT-2 cannot compute it (its %s)\n",
                    args.out.c_str(), static_cast<long long>(model.step), why.c_str());
    return 0;
}

int run_metrics(const MetricsArgs& args) {
    require_model(args.from);
    const std::vector<MetricPoint> points =
        is_run_folder(args.from) ? read_run(args.from).log.points : open_model(args.from).log;
    if (points.empty()) throw Error(args.from + " has no curves: its training was not logged");
    const std::string table = log_as_csv(points);
    if (args.csv != "-") require_output(args.csv, FileKind::metrics_csv);
    if (args.csv == "-")
        std::fwrite(table.data(), 1, table.size(), stdout);
    else
        write_file_atomically(args.csv, table);
    return 0;
}

}  // namespace glassformer::app
