/* The names under which single bytes are written: all reach fwrite. */

int fputc(int byte, FILE *stream) {
    unsigned char c = (unsigned char)byte;
    return fwrite(&c, 1, 1, stream) == 1 ? c : EOF;
}

int putc(int byte, FILE *stream) { return fputc(byte, stream); }

int _IO_putc(int byte, FILE *stream) { return fputc(byte, stream); }

int fputc_unlocked(int byte, FILE *stream) { return fputc(byte, stream); }

int putc_unlocked(int byte, FILE *stream) { return fputc(byte, stream); }

int __overflow(FILE *stream, int byte) { return fputc(byte, stream); }

int putchar(int byte) { return fputc(byte, stdout); }

int putchar_unlocked(int byte) { return fputc(byte, stdout); }
