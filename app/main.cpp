#include "app/cli/cli.h"
#include "core/platform/process.h"

int main(int argc, char** argv) {
    argv = glassformer::platform::use_utf8(argc, argv);
    return glassformer::app::run_cli(argc, argv);
}
