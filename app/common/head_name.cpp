#include "app/common/head_name.h"

#include "app/language/tr.h"

namespace glassformer::app {

std::string head_name(const HeadChoice& head, bool cross) {
    return filled(cross ? tr("block {1}, cross head {2}") : tr("block {1}, head {2}"),
                  {std::to_string(head.layer), std::to_string(head.head)});
}

}  // namespace glassformer::app
