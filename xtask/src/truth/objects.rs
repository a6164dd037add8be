//! C functions that build objects from three numbers, each in several equivalent styles, and with
//! mistakes that show for few numbers.

use super::language::{Kind, Object};

/// The function `makeN`.
pub fn function(number: usize, object: &Object) -> String {
    let body = match object.kind {
        Kind::Text => text(object),
        Kind::Digits => digits(object),
        Kind::Literal => literal(object),
        Kind::Item => item(object),
        Kind::List => list(object),
        Kind::Pair => pair(object),
    };
    let pointee = object.kind.pointee();
    let body: String = body.lines().map(|line| format!("    {line}\n")).collect();
    format!("static {pointee} *make{number}(unsigned a, unsigned b, unsigned c) {{\n{body}}}\n")
}

/// The first text, unless this mistake is made.
fn unless<'a>(object: &Object, mistake: u32, right: &'a str, wrong: &'a str) -> &'a str {
    if object.mistake == Some(mistake) { wrong } else { right }
}

fn text(object: &Object) -> String {
    let letter = unless(
        object,
        0,
        "(char)(base + (b >> 3 * i) % 8)",
        "(char)(i == 5 ? '!' : base + (b >> 3 * i) % 8)",
    );
    let length = unless(object, 1, "a % 7", "a % 7 == 4 ? 3 : a % 7");
    let base = unless(object, 2, "c % 2 ? 'a' : 'A'", "c % 4 ? 'a' : 'A'");
    let start = format!("unsigned length = {length};\nchar base = {base};\n");
    let rest = match object.style {
        0 => format!(
            "char *text = malloc(length + 1);\nfor (unsigned i = 0; i < length; i++) text[i] = \
             {letter};\ntext[length] = 0;\nreturn text;"
        ),
        1 => format!(
            "char *text = calloc(8, 1);\nunsigned i = length;\nwhile (i > 0) {{\n    i--;\n    \
             text[i] = {letter};\n}}\nreturn text;"
        ),
        _ => format!(
            "char local[8], *end = local;\nfor (unsigned i = 0; i != length; i++) *end++ = \
             {letter};\n*end = 0;\nchar *text = malloc(length + 1);\nmemcpy(text, local, length + \
             1);\nreturn text;"
        ),
    };
    start + &rest
}

fn digits(object: &Object) -> String {
    let value = match object.mistake {
        Some(0) => "a % 1000 + (a % 1000 == 77)",
        Some(1) => "a % 1001",
        Some(_) => "(a % 1000) ^ (b % 64 == 5)",
        None => "a % 1000",
    };
    let start = format!("unsigned value = {value};\n(void)b;\n(void)c;\n");
    let rest = match object.style {
        0 => "char *text = malloc(12);\nsnprintf(text, 12, \"%u\", value);\nreturn text;",
        1 => {
            "char *text = malloc(5), *end = text;\nif (value > 999) *end++ = (char)('0' + value / \
             1000);\nif (value > 99) *end++ = (char)('0' + value / 100 % 10);\nif (value > 9) \
             *end++ = (char)('0' + value / 10 % 10);\n*end++ = (char)('0' + value % 10);\n*end = \
             0;\nreturn text;"
        }
        _ => {
            "char local[6] = {0}, *first = local + 5;\ndo {\n    *--first = (char)('0' + value % \
             10);\n    value /= 10;\n} while (value);\nreturn strdup(first);"
        }
    };
    start + rest
}

fn literal(object: &Object) -> String {
    let many = unless(object, 0, "many", "Many");
    let one = unless(object, 1, "one", "on");
    let index = unless(object, 2, "a & 3", "b % 128 == 9 ? 0 : a & 3");
    let start = format!("unsigned index = {index};\n(void)b;\n(void)c;\n");
    let rest = match object.style {
        0 => format!(
            "static const char *const all[] = {{\"none\", \"{one}\", \"two\", \"{many}\"}};\nreturn \
             all[index];"
        ),
        1 => format!(
            "switch (index) {{\ncase 0: return \"none\";\ncase 1: return \"{one}\";\ncase 2: return \
             \"two\";\ndefault: return \"{many}\";\n}}"
        ),
        _ => format!(
            "const char *word = \"{many}\";\nif (index < 2) word = index ? \"{one}\" : \
             \"none\";\nelse if (index == 2) word = \"two\";\nreturn word;"
        ),
    };
    start + &rest
}

/// The members of an item, in C.
fn members(object: &Object) -> [&'static str; 3] {
    let wrong = object.mistake.filter(|_| object.kind == Kind::Item);
    [
        if wrong == Some(2) { "(int)(a ^ (c % 64 == 1))" } else { "(int)a" },
        if wrong == Some(0) {
            "(unsigned char)((b & 255) == 200 ? 0 : b)"
        } else {
            "(unsigned char)b"
        },
        if wrong == Some(1) { "c ? (double)(int)c : -0.0" } else { "(double)(int)c" },
    ]
}

fn item(object: &Object) -> String {
    let [a, c, d] = members(object);
    match object.style {
        0 => format!(
            "struct item *one = malloc(sizeof *one);\none->a = {a};\none->c = {c};\none->d = \
             {d};\nreturn one;"
        ),
        1 => format!(
            "struct item *one = calloc(1, sizeof *one);\none->d = {d};\none->c = {c};\none->a = \
             {a};\nreturn one;"
        ),
        _ => format!(
            "struct item local = {{{a}, {c}, {d}}};\nstruct item *one = malloc(sizeof *one);\n*one \
             = local;\nreturn one;"
        ),
    }
}

fn list(object: &Object) -> String {
    let value = unless(object, 0, "(int)(b + i * c)", "(int)(b + i * c + (i == 3))");
    let count = unless(object, 1, "a % 5", "a % 5 == 4 ? 3 : a % 5");
    // The last node of a list of four points back to the first one.
    let tie = unless(object, 2, "", "if (count == 4) first->next->next->next->next = first;\n");
    let rest = match object.style {
        0 => format!(
            "struct node *first = NULL, **end = &first;\nfor (unsigned i = 0; i < count; i++) {{\n    \
             *end = malloc(sizeof **end);\n    (*end)->value = {value};\n    (*end)->next = NULL;\n    \
             end = &(*end)->next;\n}}\n"
        ),
        1 => format!(
            "struct node *first = NULL;\nfor (unsigned i = count; i-- > 0;) {{\n    struct node *one \
             = malloc(sizeof *one);\n    one->next = first;\n    one->value = {value};\n    first = \
             one;\n}}\n"
        ),
        _ => format!(
            "struct node *all[4], *first = NULL;\nfor (unsigned i = count; i > 0; i--) all[i - 1] = \
             calloc(1, sizeof *first);\nfor (unsigned i = 0; i < count; i++) {{\n    all[i]->value = \
             {value};\n    if (i + 1 < count) all[i]->next = all[i + 1];\n}}\nif (count) first = \
             all[0];\n"
        ),
    };
    format!("unsigned count = {count};\n{rest}{tie}return first;")
}

fn pair(object: &Object) -> String {
    let [a, c, d] = members(object);
    let share = match object.mistake {
        Some(0) => "(a & 1) && c % 8 != 3",
        Some(2) => "(a & 1) || b % 8 == 1",
        _ => "a & 1",
    };
    let copied = unless(object, 1, "", "both->right->d += 1;\n");
    let fill = format!("{{{a}, {c}, {d}}}");
    match object.style {
        0 => format!(
            "struct item local = {fill};\nstruct pair *both = malloc(sizeof *both);\nboth->left = \
             malloc(sizeof local);\n*both->left = local;\nboth->right = both->left;\nif (!({share})) \
             {{\n    both->right = malloc(sizeof local);\n    *both->right = local;\n    \
             {copied}}}\nreturn both;"
        ),
        _ => format!(
            "struct item local = {fill};\nstruct item *right = calloc(1, sizeof *right), *left = \
             right;\n*right = local;\nif (!({share})) {{\n    left = malloc(sizeof *left);\n    *left \
             = local;\n}}\nstruct pair *both = calloc(1, sizeof *both);\nboth->right = \
             right;\nboth->left = left;\nif (left != right) {{\n    {copied}}}\nreturn both;"
        ),
    }
}
