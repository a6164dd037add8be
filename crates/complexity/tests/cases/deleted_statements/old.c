int f(int a)
{
    if (a > 0) {
        log_it(a);
        a++;
    }
    if (a > 9) {
        check(a);
    }
    return a;
}
