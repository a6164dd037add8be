#define LIMIT 20
#define UNUSED 2

int f(int a)
{
    int b = a;
    if (a > LIMIT)
        return 1;
    return b;
}
