#include "app/phones/phone_page.h"

#include "app/language/tr.h"
#include "core/base/error.h"

namespace glassformer::app {

struct PhonePage::Server {};

PhonePage::PhonePage(BallotBox&, const std::string&, int, const PhoneLimits&) {
    throw Error(
        "In a browser no page can be served for phones. Let them vote by raising their hands, or use the "
        "installed program.");
}
PhonePage::~PhonePage() = default;
int PhonePage::port() const { return 0; }

}  // namespace glassformer::app
