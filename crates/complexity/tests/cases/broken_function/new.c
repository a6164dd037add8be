int f(int a)
{
    if (a) {
        return 2;
    return 0;
}

int g(int a)
{
    return a + 1;
}
