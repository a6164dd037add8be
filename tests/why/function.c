// A function by itself: what it returns differs.
// entry: clamp
// params: 130 0 100
int clamp(int value, int low, int high) {
  int result = value;
#ifdef NEW
  if (result < low)
    result = low;
  else if (result > high)
    result = high - 1;
#else
  if (result < low)
    result = low;
  else if (result > high)
    result = high;
#endif
  return result;
}
int main(void) { return 0; }
