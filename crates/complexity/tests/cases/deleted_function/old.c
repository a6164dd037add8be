static int twice(int a)
{
    return a + a;
}

int f(int a)
{
    return a * 2;
}
