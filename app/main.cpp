#include "app/cli/cli.h"

int main(int argc, char** argv) { return glassformer::app::run_cli(argc, argv); }
