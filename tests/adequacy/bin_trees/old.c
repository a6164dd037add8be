/* Line 10 + k is line k of the figure. */
int Bin(int a, int b);

int main(void)
{
    return Bin(1, 1);
}

int Bin(int a, int b)
{
    if (a <= 2)
        b = b + 1;
    else
        b = b - 1;

    if (b > 2)
        return 1;
    else
        return 0;
}
