// Runs scripts with the Lua interpreter: the script's name and its arguments, as in the `lua` command.
// subject: lua-src
// sources: lua-5.4.7/*.c
// include: lua-5.4.7
// cflags: -DLUA_USE_POSIX -w
// scripts: lua/*.lua
// args: one 2 three
// file data.txt: first line
// file data.txt: 42 3.5 -7
// file data.txt: 
// file data.txt: last, without an end\c
// stdin: typed by a user
#include <stdio.h>
#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"

static int traceback(lua_State *L) {
    const char *message = lua_tostring(L, 1);
    luaL_traceback(L, L, message, 1);
    return 1;
}

int main(int argc, char **argv) {
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    lua_createtable(L, argc, 0);
    for (int i = 1; i < argc; i++) {
        lua_pushstring(L, argv[i]);
        lua_rawseti(L, -2, i - 1);
    }
    lua_setglobal(L, "arg");
    lua_pushcfunction(L, traceback);
    int status = luaL_loadfile(L, argv[1]);
    if (status == LUA_OK) {
        for (int i = 2; i < argc; i++) lua_pushstring(L, argv[i]);
        status = lua_pcall(L, argc - 2, 0, 1);
    }
    if (status != LUA_OK) fprintf(stderr, "%s\n", lua_tostring(L, -1));
    lua_close(L);
    return status != LUA_OK;
}
