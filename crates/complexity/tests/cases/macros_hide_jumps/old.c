#define NEED(n) do { if (have < (n)) goto leave; have -= (n); } while (0)
#define each(i, n) for (i = 0; i < (n); i++)
#define on(x) case x:

int f(int have)
{
    int i;
    NEED(2);
    step(have);
    each(i, have) {
        switch (i) {
            on(1) one(); break;
            on(2) two(); break;
        }
    }
leave:
    return have;
}
