// Characters are changed in place, through the C library.
// args: Hello
#include <ctype.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
  char word[32];
  strncpy(word, argv[1], sizeof word - 1);
  word[31] = 0;
  for (size_t i = 0; i < strlen(word); i++)
#ifdef NEW
    word[i] = toupper((unsigned char)word[i]);
#else
    word[i] = tolower((unsigned char)word[i]);
#endif
  char line[64];
  sprintf(line, "<%s>", word);
  puts(line);
  return 0;
}
