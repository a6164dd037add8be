int f(int a)
{
    if (a > 0) {
        a++;
    }
    if (a > 9) {
    }
    return a;
}
