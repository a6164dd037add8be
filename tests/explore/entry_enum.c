// The enumerators are all that is passed.
// entry: name
// paths: 4
enum color { RED, GREEN = 5, BLUE, BLACK = 100 };

int name(enum color color) {
    switch (color) {
    case RED:
        return 1;
    case GREEN:
        return 2;
    case BLUE:
        return 3;
    default:
        return color == BLACK ? 4 : 5;
    }
}
