void f(int a)
{
    if (a) {
        first();
    }
    second();
}
