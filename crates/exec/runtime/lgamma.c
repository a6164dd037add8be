/* The logarithm of the gamma function, whose sign goes to a variable. */

int signgam;
extern int __signgam ALIAS_OF(signgam);

double lgamma_r(double x, int *sign);
float lgammaf_r(float x, int *sign);
long double lgammal_r(long double x, int *sign);

double lgamma(double x) { return lgamma_r(x, &signgam); }

float lgammaf(float x) { return lgammaf_r(x, &signgam); }

long double lgammal(long double x) { return lgammal_r(x, &signgam); }

double gamma(double x) { return lgamma(x); }

float gammaf(float x) { return lgammaf(x); }

long double gammal(long double x) { return lgammal(x); }
