static void save(int a)
{
    if (a)
        write_it(a);
}

int main(void)
{
    start();
    save(1);
    finish();
    return 0;
}
