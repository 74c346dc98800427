#include "app/session/model_for_world.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/mark_text.h"

namespace glassformer::app {

// An encoder would see the words that it must predict and learn nothing; a translation needs an encoder and a decoder.
void take_from_world(TransformerConfig& config, const TransformerConfig& world) {
    config.d_vocab = world.d_vocab;
    config.n_ctx = std::max(config.n_ctx, world.n_ctx);
    config.input = world.input;
    config.d_input = world.d_input;
    config.output = world.output;
    config.d_output = world.d_output;
    if (world.output != OutputKind::classes) config.readout = Readout::mean;
    config.d_source_vocab = world.d_source_vocab;
    if ((config.family == Family::encoder_decoder) != (world.family == Family::encoder_decoder))
        throw Error(world.family == Family::encoder_decoder
                        ? N_("this world translates, which needs an encoder–decoder")
                        : N_("an encoder–decoder needs a world that translates"));
    if (world.causal() && !config.causal() && !config.recurrent())
        throw Error(
            N_("this world asks for the next word, which an encoder would see and copy: choose a decoder or a "
               "recurrent network"));
}

}  // namespace glassformer::app
