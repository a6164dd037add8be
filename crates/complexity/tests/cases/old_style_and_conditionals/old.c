#ifdef PROTOTYPES
int f(int a, char *b)
#else
int f(a, b)
    int a;
    char *b;
#endif
{
#if FAST
    a = quick(a);
#else
    a = slow(a);
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
        one();
    case 2:
        two();
        break;
    default:
        return 0;
    }
    return 1;
}
