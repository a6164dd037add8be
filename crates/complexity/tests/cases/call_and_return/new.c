static void save(int a)
{
    if (a)
        write_it(a + 1);
}

int main(void)
{
    start(1);
    save(1);
    if (done())
        finish(1);
    return 0;
}
