/* The names under which single bytes are read: all reach fgetc. */

int getc(FILE *stream) { return fgetc(stream); }

int _IO_getc(FILE *stream) { return fgetc(stream); }

int fgetc_unlocked(FILE *stream) { return fgetc(stream); }

int getc_unlocked(FILE *stream) { return fgetc(stream); }

int __uflow(FILE *stream) { return fgetc(stream); }

int getchar(void) { return fgetc(stdin); }

int getchar_unlocked(void) { return fgetc(stdin); }
