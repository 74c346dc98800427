// A loop over cells 0 … count − 1, shared by all invocations along x. There may be more cells than invocations.
#define FOR_CELLS(i, count) \
    for (uint i = gl_GlobalInvocationID.x; i < (count); i += gl_NumWorkGroups.x * gl_WorkGroupSize.x)
