// The samples of a text begin and end with whole characters, however its tokens are cut.
#include <doctest/doctest.h>

#include <fstream>

#include "core/tasks/tasks.h"
#include "tests/contains.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;

TEST_CASE("text samples: byte pairs of a Chinese text are not cut inside a character") {
    const TemporaryFolder folder;
    {
        // Many rare characters: most of them stay single bytes.
        std::ofstream out(folder / "characters.txt");
        for (int i = 0; i < 4000; ++i) {
            const int point = 0x4E00 + (i * 2654435761u >> 8) % 0x5000;
            out << static_cast<char>(0xE0 | point >> 12) << static_cast<char>(0x80 | (point >> 6 & 0x3F))
                << static_cast<char>(0x80 | (point & 0x3F));
        }
    }
    const auto task = make_task((folder / "characters.txt").string(), folder.path(), {"byte_pairs"});
    REQUIRE(task->samples.size() > 4);
    for (const Sample& sample : task->samples) {
        CAPTURE(sample.text);
        CHECK(sample.text.size() > 9);
        CHECK(!contains(sample.text, "⟨"));
    }
}
