#line 1001
int figure(int x, int y)
{
#line 1
    if (x > 2)
        y = y + 1;
    else
        y = y - 1;

    if (y > 2)
        return 1;
    else
        return 0;
}
