#define LIMIT 10
#define UNUSED 1

int f(int a)
{
    int b = a;
    if (a > LIMIT)
        return 1;
    return b;
}
