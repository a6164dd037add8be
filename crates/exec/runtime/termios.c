/* Settings of terminals, as data. Asking a terminal for them is not here. */

struct termios {
    unsigned c_iflag;
    unsigned c_oflag;
    unsigned c_cflag;
    unsigned c_lflag;
    unsigned char c_line;
    unsigned char c_cc[32];
    unsigned c_ispeed;
    unsigned c_ospeed;
};

#define SPEED_BITS 010017u
#define INPUT_IS_ZERO 020000000000u /* A mark among the input flags. */

unsigned cfgetospeed(const struct termios *settings) { return settings->c_cflag & SPEED_BITS; }

unsigned cfgetispeed(const struct termios *settings) {
    return settings->c_iflag & INPUT_IS_ZERO ? 0 : settings->c_cflag & SPEED_BITS;
}

static int is_speed(unsigned speed) {
    return speed <= 15 || (speed >= 010001 && speed <= 010017);
}

int cfsetospeed(struct termios *settings, unsigned speed) {
    if (!is_speed(speed)) {
        errno = EINVAL;
        return -1;
    }
    settings->c_ospeed = speed;
    settings->c_cflag = (settings->c_cflag & ~SPEED_BITS) | speed;
    return 0;
}

int cfsetispeed(struct termios *settings, unsigned speed) {
    if (!is_speed(speed)) {
        errno = EINVAL;
        return -1;
    }
    settings->c_ispeed = speed;
    if (speed == 0) {
        settings->c_iflag |= INPUT_IS_ZERO;
    } else {
        settings->c_iflag &= ~INPUT_IS_ZERO;
        settings->c_cflag = (settings->c_cflag & ~SPEED_BITS) | speed;
    }
    return 0;
}

int cfsetspeed(struct termios *settings, unsigned speed) {
    int result = cfsetospeed(settings, speed);
    return result == 0 ? cfsetispeed(settings, speed) : result;
}

/* Bytes pass as they are. */
void cfmakeraw(struct termios *settings) {
    settings->c_iflag &= ~(1u | 2u | 010u | 040u | 0100u | 0200u | 0400u | 02000u);
    settings->c_oflag &= ~1u;
    settings->c_lflag &= ~(010u | 0100u | 2u | 1u | 0100000u);
    settings->c_cflag = (settings->c_cflag & ~(060u | 0400u)) | 060u;
    settings->c_cc[6] = 1;
    settings->c_cc[5] = 0;
}

char *ctermid(char *to) {
    static char name[9];
    return strcpy(to == NULL ? name : to, "/dev/tty");
}
