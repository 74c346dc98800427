// A matrix as a picture: values as they lie in a buffer, in the colours of attention or of signed numbers.
uniform samplerBuffer cells;
uniform int rows, columns, stride;
uniform int first;   // where the matrix begins
uniform int scores;  // where those of its cells begin: one of -infinity hides the cell; -1: there are none
uniform bool with_sign;
uniform float range;  // of signed numbers: the size that has the full colour
uniform vec3 colour_zero, colour_middle, colour_full;  // of signed numbers: negative, zero, positive
uniform vec3 colour_broken;                            // of what is not a number

in vec2 place;
out vec4 colour;

// The sum of the shown cells, and how many they are.
void add(int row, int column, float share, inout vec2 sum) {
    int cell = row * stride + column;
    if (scores >= 0 && isinf(texelFetch(cells, scores + cell).r)) return;
    sum += share * vec2(texelFetch(cells, first + cell).r, 1.0);
}

// The mean over what a pixel covers, and the share of it that is shown. Where a cell is larger than a pixel it has one
// colour and sharp edges.
vec2 mean() {
    vec2 size = vec2(columns, rows), middle = place * size;
    vec2 covered = vec2(abs(dFdx(middle.x)) + abs(dFdy(middle.x)), abs(dFdx(middle.y)) + abs(dFdy(middle.y)));
    vec2 from = max(middle - 0.5 * covered, vec2(0.0)), to = min(middle + 0.5 * covered, size);
    if (covered.x <= 1.0) from.x = min(floor(middle.x), size.x - 1.0), to.x = from.x + 1.0;
    if (covered.y <= 1.0) from.y = min(floor(middle.y), size.y - 1.0), to.y = from.y + 1.0;
    vec2 sum = vec2(0.0);
    for (int row = int(from.y); float(row) < to.y; ++row) {
        float height = min(float(row + 1), to.y) - max(float(row), from.y);
        for (int column = int(from.x); float(column) < to.x; ++column)
            add(row, column, height * (min(float(column + 1), to.x) - max(float(column), from.x)), sum);
    }
    float area = (to.x - from.x) * (to.y - from.y);
    return sum.y > 0.0 ? vec2(sum.x / sum.y, min(sum.y / area, 1.0)) : vec2(0.0);
}

vec3 of_attention(float weight) {
    float t = pow(clamp(weight, 0.0, 1.0), 0.6);
    return t < 0.5 ? mix(colour_zero, colour_middle, 2.0 * t) : mix(colour_middle, colour_full, 2.0 * t - 1.0);
}

vec3 of_signed(float value) {
    float t = range > 0.0 ? clamp(abs(value) / range, 0.0, 1.0) : 0.0;
    return mix(colour_middle, value < 0.0 ? colour_zero : colour_full, t);
}

void main() {
    vec2 found = mean();
    vec3 shown = isnan(found.x) ? colour_broken : with_sign ? of_signed(found.x) : of_attention(found.x);
    colour = vec4(shown, found.y);
}
