/* The logarithm of the gamma function, which tells its sign in a variable. */
int signgam;

double lgamma_r(double value, int *sign);
float lgammaf_r(float value, int *sign);
long double lgammal_r(long double value, int *sign);

double lgamma(double value)
{
    return lgamma_r(value, &signgam);
}

double gamma(double value)
{
    return lgamma_r(value, &signgam);
}

float lgammaf(float value)
{
    return lgammaf_r(value, &signgam);
}

float gammaf(float value)
{
    return lgammaf_r(value, &signgam);
}

long double lgammal(long double value)
{
    return lgammal_r(value, &signgam);
}

long double gammal(long double value)
{
    return lgammal_r(value, &signgam);
}
