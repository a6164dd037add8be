#define MOST 6
