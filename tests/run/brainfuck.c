// An interpreter for the language of eight commands, with jump tables and bounds checks.
// stdin: hello
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int run(const char *program, long limit) {
    int n = (int)strlen(program), depth = 0, *jump = malloc((size_t)(n + 1) * sizeof *jump), *stack = malloc((size_t)(n + 1) * sizeof *stack);
    for (int i = 0; i < n; i++) {
        if (program[i] == '[') stack[depth++] = i;
        else if (program[i] == ']') {
            if (!depth) { printf("unmatched ] at %d\n", i); return -1; }
            jump[i] = stack[--depth], jump[jump[i]] = i;
        }
    }
    if (depth) { printf("unmatched [ at %d\n", stack[depth - 1]); return -1; }
    static unsigned char tape[300];
    memset(tape, 0, sizeof tape);
    int p = 0, c;
    long steps = 0;
    for (int i = 0; i < n; i++) {
        if (++steps > limit) { printf("(stopped)"); break; }
        switch (program[i]) {
        case '>': if (++p == 300) p = 0; break;
        case '<': if (--p < 0) p = 299; break;
        case '+': tape[p]++; break;
        case '-': tape[p]--; break;
        case '.': putchar(tape[p]); break;
        case ',': c = getchar(); tape[p] = (unsigned char)(c == EOF ? 0 : c); break;
        case '[': if (!tape[p]) i = jump[i]; break;
        case ']': if (tape[p]) i = jump[i]; break;
        }
    }
    free(jump), free(stack);
    printf(" (%ld steps)\n", steps);
    return 0;
}

int main(void) {
    run("++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.<-.<.+++.------.--------.>>+.>++.", 100000);
    run(",[.,]", 1000);
    run("+[>+]", 5000);
    run("++++[>+++++<-]>[<+++++>-]+<+[>[>+>+<<-]++>>[<<+>>-]>>>[-]++>[-]+>>>+[[-]++++++>>>]<<<[[<++++++++<++>>-]+<.<[>----<-]<]<<[>>>>>[>>>[-]+++++++++<[>-<-]+++++++++>[-[<->-]+[<<<]]<+>>>]<<<<-]<<[>+<-]]", 400000);
    run("[[", 10), run("]", 10);
    return 0;
}
