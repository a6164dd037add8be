/* options: */
#include <string.h>

int main(int argc, char **argv)
{
    return argc > 1 && strlen(argv[1]) > 3;
}
