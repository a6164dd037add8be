/* The time zone: UTC, whatever the environment says. */

char *tzname[2] = {"GMT", "GMT"};
long timezone;
int daylight;
extern char *__tzname[2] ALIAS_OF(tzname);
extern long __timezone ALIAS_OF(timezone);
extern int __daylight ALIAS_OF(daylight);

void tzset(void) {
    tzname[0] = tzname[1] = "UTC";
    timezone = 0;
    daylight = 0;
}
