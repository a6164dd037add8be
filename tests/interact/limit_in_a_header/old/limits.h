#define MOST 4
