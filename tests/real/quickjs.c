// Runs scripts with the QuickJS engine: `print` writes its arguments; promises are settled at the end.
// subject: rquickjs-sys
// sources: quickjs/quickjs.c quickjs/dtoa.c quickjs/libregexp.c quickjs/libunicode.c
// include: quickjs
// cflags: -D_GNU_SOURCE -DNDEBUG -w
// scripts: js/*.js
#include <stdio.h>
#include <stdlib.h>
#include "quickjs.h"

static JSValue print(JSContext *context, JSValueConst self, int count, JSValueConst *values) {
    (void)self;
    for (int i = 0; i < count; i++) {
        const char *text = JS_ToCString(context, values[i]);
        printf("%s%s", i ? " " : "", text ? text : "?");
        JS_FreeCString(context, text);
    }
    putchar('\n');
    return JS_UNDEFINED;
}

static int complain(JSContext *context) {
    JSValue error = JS_GetException(context);
    const char *text = JS_ToCString(context, error);
    printf("uncaught %s\n", text ? text : "?");
    JS_FreeCString(context, text);
    JS_FreeValue(context, error);
    return 1;
}

static char *contents(const char *name, size_t *size) {
    FILE *file = fopen(name, "r");
    if (!file) {
        perror(name);
        exit(2);
    }
    size_t room = 1 << 16;
    char *text = malloc(room);
    *size = fread(text, 1, room - 1, file);
    text[*size] = 0;
    fclose(file);
    return text;
}

int main(int argc, char **argv) {
    if (argc < 2)
        return 2;
    size_t size;
    char *text = contents(argv[1], &size);
    JSRuntime *runtime = JS_NewRuntime();
    JSContext *context = JS_NewContext(runtime), *other;
    JSValue global = JS_GetGlobalObject(context);
    JS_SetPropertyStr(context, global, "print", JS_NewCFunction(context, print, "print", 1));
    JS_FreeValue(context, global);
    JSValue result = JS_Eval(context, text, size, argv[1], JS_EVAL_TYPE_GLOBAL);
    int status = JS_IsException(result) ? complain(context) : 0;
    JS_FreeValue(context, result);
    while (JS_ExecutePendingJob(runtime, &other) > 0)
        continue;
    JS_FreeContext(context);
    JS_FreeRuntime(runtime);
    free(text);
    return status;
}
