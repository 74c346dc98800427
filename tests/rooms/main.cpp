// A program that contains one room and nothing else: see tests/CMakeLists.txt.
int main() { return 0; }
