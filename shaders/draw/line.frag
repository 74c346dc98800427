// A line with soft edges, as wide as `width` texels, of which the first and the last are empty: what its picture would
// give when it is read between the texels.
uniform float width;

in vec4 tint;
in float across;

out vec4 colour;

void main() { colour = vec4(tint.rgb, tint.a * clamp(min(across, width - across) - 0.5, 0.0, 1.0)); }
