/* A new comment. */
int
f(int a,
  int b)
{
    if (a)            // why
        return g(a,
                 b);
    return b;
}
