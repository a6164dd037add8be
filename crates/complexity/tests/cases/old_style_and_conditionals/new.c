#ifdef PROTOTYPES
int f(int a, char *b)
#else
int f(a, b)
    int a;
    char *b;
#endif
{
#if FAST
    a = quick(a + 1);
#else
    a = slow(a + 1);
#endif
#ifdef DEBUG
    if (a < 0) {
        return -1;
    }
    else
#endif
    use(b);
    return a;
}

ZEXTERN int ZEXPORT g OF((int a));

int ZEXPORT g(a)
    int a;
{
    switch (a) {
    case 1:
        one(1);
    case 2:
        two(2);
        break;
    default:
        return 0;
    }
    return 1;
}
