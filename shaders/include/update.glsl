// Shared by the optimizers. numbers: as GlTraining writes them for each update; report[2]: the factor that clips the
// gradient (gradient_norm.comp), below 0 if nothing may be changed; decay[]: one number per 16 cells, 1 if weight decay
// shrinks their parameter, since every parameter begins such a block.
float number(uint i) { return numbers[numbers_first + i]; }
#define LEARNING_RATE number(0u)
#define M_SCALE number(1u)
#define V_SCALE number(2u)
#define BETA1 number(3u)
#define BETA2 number(4u)
#define MOMENTUM number(5u)
#define EPSILON number(6u)
#define WEIGHT_DECAY number(7u)

float decay_of(uint i) { return WEIGHT_DECAY * decay[decay_first + i / 16u]; }
