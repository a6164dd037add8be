/* Runs one Lua script with the standard libraries. */
#include <stdio.h>

#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"

int main(int argc, char **argv) {
    lua_State *state = luaL_newstate();
    int failed;
    if (argc < 2 || state == NULL)
        return 2;
    luaL_openlibs(state);
    failed = luaL_dofile(state, argv[1]);
    if (failed)
        fprintf(stderr, "%s\n", lua_tostring(state, -1));
    lua_close(state);
    return failed;
}
