// One colour, or one between those of the corners.
in vec4 tint;
in float across;

out vec4 colour;

void main() { colour = tint; }
