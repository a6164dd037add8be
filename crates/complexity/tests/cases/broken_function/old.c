int f(int a)
{
    if (a) {
        return 1;
    return 0;
}

int g(int a)
{
    return a;
}
