/* Vector instructions that every x86-64 processor has, through their C names. */
#include <emmintrin.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void bytes(const char *name, __m128i value)
{
    unsigned char lanes[16];
    memcpy(lanes, &value, sizeof lanes);
    printf("%-10s", name);
    for (int i = 0; i < 16; i++)
        printf("%s%02x", i % 4 ? "" : " ", lanes[i]);
    putchar('\n');
}

static void singles(const char *name, __m128 value)
{
    bytes(name, _mm_castps_si128(value));
}

static void doubles(const char *name, __m128d value)
{
    bytes(name, _mm_castpd_si128(value));
}

static void integers(__m128i a, __m128i b)
{
    bytes("sad", _mm_sad_epu8(a, b));
    bytes("packs16", _mm_packs_epi16(a, b));
    bytes("packus16", _mm_packus_epi16(a, b));
    bytes("packs32", _mm_packs_epi32(a, b));
    bytes("madd", _mm_madd_epi16(a, b));
    bytes("mulhi", _mm_mulhi_epi16(a, b));
    bytes("mulhiu", _mm_mulhi_epu16(a, b));
    bytes("avg8", _mm_avg_epu8(a, b));
    bytes("avg16", _mm_avg_epu16(a, b));
    bytes("adds8", _mm_adds_epi8(a, b));
    bytes("subs16", _mm_subs_epu16(a, b));
    bytes("max16", _mm_max_epi16(a, b));
    bytes("min8", _mm_min_epu8(a, b));
    bytes("mul32", _mm_mul_epu32(a, b));
    bytes("cmpgt", _mm_cmpgt_epi8(a, b));
    bytes("unpack", _mm_unpackhi_epi16(a, b));
    bytes("shuffle", _mm_shuffle_epi32(a, 0x1b));
    bytes("slli128", _mm_slli_si128(a, 3));
    printf("mask %x\n", (unsigned)_mm_movemask_epi8(a));
}

static void shifts(__m128i a, int count)
{
    __m128i amount = _mm_set_epi32(7, 7, count < 0 ? 1 : 0, count);
    printf("by %d\n", count);
    bytes("sll16", _mm_sll_epi16(a, amount));
    bytes("sll32", _mm_sll_epi32(a, amount));
    bytes("sll64", _mm_sll_epi64(a, amount));
    bytes("srl16", _mm_srl_epi16(a, amount));
    bytes("srl32", _mm_srl_epi32(a, amount));
    bytes("srl64", _mm_srl_epi64(a, amount));
    bytes("sra16", _mm_sra_epi16(a, amount));
    bytes("sra32", _mm_sra_epi32(a, amount));
    bytes("slli16", _mm_slli_epi16(a, count));
    bytes("slli64", _mm_slli_epi64(a, count));
    bytes("srli32", _mm_srli_epi32(a, count));
    bytes("srai16", _mm_srai_epi16(a, count));
    bytes("srai32", _mm_srai_epi32(a, count));
}

static void float_lanes(__m128 a, __m128 b)
{
    singles("min", _mm_min_ps(a, b));
    singles("max", _mm_max_ps(b, a));
    singles("min1", _mm_min_ss(a, b));
    singles("max1", _mm_max_ss(a, b));
    singles("lt1", _mm_cmplt_ss(a, b));
    singles("nle1", _mm_cmpnle_ss(a, b));
    singles("ord1", _mm_cmpord_ss(a, b));
    singles("neq", _mm_cmpneq_ps(a, b));
    bytes("round", _mm_cvtps_epi32(a));
    bytes("cut", _mm_cvttps_epi32(a));
    doubles("wider", _mm_cvtps_pd(a));
    printf("%d %d %lld %lld\n", _mm_cvtss_si32(a), _mm_cvttss_si32(a), (long long)_mm_cvtss_si64(a),
           (long long)_mm_cvttss_si64(a));
    printf("%d%d%d%d%d%d %d%d%d%d%d%d signs %d\n", _mm_comieq_ss(a, b), _mm_comilt_ss(a, b),
           _mm_comile_ss(a, b), _mm_comigt_ss(a, b), _mm_comige_ss(a, b), _mm_comineq_ss(a, b),
           _mm_ucomieq_ss(a, b), _mm_ucomilt_ss(a, b), _mm_ucomile_ss(a, b), _mm_ucomigt_ss(a, b),
           _mm_ucomige_ss(a, b), _mm_ucomineq_ss(a, b), _mm_movemask_ps(a));
}

static void double_lanes(__m128d a, __m128d b)
{
    doubles("min", _mm_min_pd(a, b));
    doubles("max1", _mm_max_sd(a, b));
    doubles("nlt1", _mm_cmpnlt_sd(a, b));
    bytes("round", _mm_cvtpd_epi32(a));
    bytes("cut", _mm_cvttpd_epi32(a));
    singles("narrow", _mm_cvtpd_ps(a));
    singles("narrow1", _mm_cvtsd_ss(_mm_set1_ps(3), a));
    doubles("sqrt", _mm_sqrt_pd(_mm_and_pd(a, _mm_castsi128_pd(_mm_set1_epi64x(LLONG_MAX)))));
    printf("%d %lld %d%d signs %d\n", _mm_cvtsd_si32(a), (long long)_mm_cvttsd_si64(a),
           _mm_comilt_sd(a, b), _mm_ucomineq_sd(a, b), _mm_movemask_pd(a));
}

int main(void)
{
    __m128i a = _mm_setr_epi16(1, -2, 300, -30000, 32767, -32768, 7, 128);
    __m128i b = _mm_setr_epi16(3, 4, -5, 6, 255, -32768, 9, 1000);
    integers(a, b);
    integers(b, a);
    int counts[] = {0, 1, 15, 16, 31, 32, 63, 64, 300, -1};
    for (int i = 0; i < (int)(sizeof counts / sizeof *counts); i++)
        shifts(a, counts[i]);
    __m128 values[] = {
        _mm_setr_ps(1.5f, -2.5f, 1e10f, -0.0f),
        _mm_setr_ps(NAN, 0.5f, -1e30f, INFINITY),
        _mm_setr_ps(-7.25f, 0.0f, 2147483520.0f, 3.5f),
    };
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            float_lanes(values[i], values[j]);
    double_lanes(_mm_setr_pd(2.5, -1e300), _mm_setr_pd(-3.5, NAN));
    double_lanes(_mm_setr_pd(NAN, 3.5), _mm_setr_pd(1.0, 2.0));
    _mm_sfence();
    _mm_clflush(&a);
    return 0;
}
