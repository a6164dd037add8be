// Runs SQL with SQLite: a database in memory and one in a file, joins, aggregates, triggers, errors, JSON, full text.
// subject: libsqlite3-sys
// sources: sqlite3/sqlite3.c
// include: sqlite3
// cflags: -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_ENABLE_FTS5 -DSQLITE_ENABLE_RTREE -w
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sqlite3.h"

static int print_row(void *unused, int n, char **values, char **names) {
    (void)unused, (void)names;
    for (int i = 0; i < n; i++) printf("%s%s", i ? "|" : "", values[i] ? values[i] : "NULL");
    printf("\n");
    return 0;
}

static void run(sqlite3 *db, const char *sql) {
    char *error = NULL;
    printf("> %s\n", sql);
    int code = sqlite3_exec(db, sql, print_row, NULL, &error);
    if (code != SQLITE_OK) printf("error %d: %s\n", code, error);
    sqlite3_free(error);
}

static void triple(sqlite3_context *c, int n, sqlite3_value **v) {
    (void)n;
    sqlite3_result_int64(c, 3 * sqlite3_value_int64(v[0]));
}

static const char *const script[] = {
    "CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INT, city TEXT)",
    "INSERT INTO people(name, age, city) VALUES('Ann', 31, 'Oslo'), ('Bob', 25, 'Rome'), ('Cid', 44, 'Oslo'), ('Dee', NULL, 'Lima')",
    "SELECT * FROM people ORDER BY age DESC",
    "SELECT city, count(*), avg(age), group_concat(name, '+') FROM people GROUP BY city ORDER BY city",
    "CREATE TABLE pets(owner INT REFERENCES people(id), kind TEXT, weight REAL)",
    "INSERT INTO pets VALUES(1, 'cat', 3.5), (1, 'dog', 12.25), (3, 'fish', 0.1)",
    "SELECT p.name, t.kind FROM people p LEFT JOIN pets t ON t.owner = p.id ORDER BY p.name, t.kind",
    "SELECT name FROM people WHERE id IN (SELECT owner FROM pets) AND name LIKE '%n%'",
    "CREATE INDEX by_city ON people(city, age)",
    "EXPLAIN QUERY PLAN SELECT name FROM people WHERE city = 'Oslo' AND age > 30",
    "SELECT name FROM people WHERE city = 'Oslo' AND age > 30 ORDER BY name",
    "WITH RECURSIVE f(a, b) AS (SELECT 0, 1 UNION ALL SELECT b, a + b FROM f LIMIT 20) SELECT group_concat(a) FROM f",
    "SELECT name, age, rank() OVER (ORDER BY age) FROM people WHERE age IS NOT NULL ORDER BY name",
    "SELECT 1/3, 1.0/3, 7 % 3, -7 / 2, 9223372036854775807 + 1, 'a' || 'b', round(2.567, 2), abs(-4), length('héllo'), upper('x')",
    "SELECT printf('%05d|%.3f|%s|%x', 42, 3.14159, 'text', 255), hex('AB'), quote('it''s'), substr('abcdef', 2, 3), replace('aXbX', 'X', '-')",
    "SELECT date('2024-02-28', '+2 days'), strftime('%j %w', '2024-12-31'), julianday('2000-01-01 12:00:00')",
    "SELECT json_extract('{\"a\":[1,2,{\"b\":\"c\"}]}', '$.a[2].b'), json_array(1, 'x', NULL), json_group_array(age) FROM people",
    "SELECT triple(14), typeof(1), typeof(1.5), typeof('x'), typeof(NULL), typeof(x'00'), coalesce(NULL, 5), nullif(1, 1)",
    "CREATE TABLE log(entry TEXT)",
    "CREATE TRIGGER aged AFTER UPDATE OF age ON people BEGIN INSERT INTO log VALUES(old.name || ':' || ifnull(old.age, '?') || '->' || new.age); END",
    "UPDATE people SET age = ifnull(age, 0) + 1 WHERE city <> 'Rome'",
    "SELECT * FROM log",
    "BEGIN; DELETE FROM people; SELECT count(*) FROM people; ROLLBACK; SELECT count(*) FROM people",
    "INSERT INTO people(id, name) VALUES(1, 'again')",
    "INSERT INTO people(name) VALUES(NULL)",
    "SELECT nonsense FROM people",
    "SELECT * FROM missing",
    "SELEC 1",
    "CREATE VIRTUAL TABLE notes USING fts5(body)",
    "INSERT INTO notes VALUES('the quick brown fox'), ('lazy dogs sleep'), ('a quick nap for dogs')",
    "SELECT rowid, highlight(notes, 0, '[', ']') FROM notes WHERE notes MATCH 'quick OR dogs' ORDER BY rank, rowid",
    "CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1)",
    "INSERT INTO boxes VALUES(1, 0, 5), (2, 3, 9), (3, 8, 12)",
    "SELECT id FROM boxes WHERE x0 < 4 AND x1 > 4",
    "CREATE VIEW adults AS SELECT name FROM people WHERE age > 30; SELECT * FROM adults ORDER BY 1",
    "PRAGMA integrity_check",
    "DROP TABLE pets; VACUUM; SELECT count(*) FROM sqlite_master",
};

static void bulk(sqlite3 *db) {
    sqlite3_stmt *insert, *query;
    run(db, "CREATE TABLE n(k INTEGER PRIMARY KEY, v BLOB, r REAL)");
    run(db, "BEGIN");
    sqlite3_prepare_v2(db, "INSERT INTO n VALUES(?, ?, ?)", -1, &insert, NULL);
    unsigned seed = 1;
    for (int i = 0; i < 300; i++) {
        char blob[64];
        seed = seed * 1664525u + 1013904223u;
        memset(blob, 'a' + i % 26, sizeof blob);
        sqlite3_bind_int(insert, 1, (int)(seed >> 8));
        sqlite3_bind_blob(insert, 2, blob, (int)(seed >> 26), SQLITE_TRANSIENT);
        sqlite3_bind_double(insert, 3, seed / 1000.0);
        if (sqlite3_step(insert) != SQLITE_DONE) printf("%s\n", sqlite3_errmsg(db));
        sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    run(db, "COMMIT");
    sqlite3_prepare_v2(db, "SELECT k, length(v), r FROM n WHERE k % 7 = ?1 ORDER BY r LIMIT 8", -1, &query, NULL);
    sqlite3_bind_int(query, 1, 3);
    while (sqlite3_step(query) == SQLITE_ROW)
        printf("%d %d %.3f\n", sqlite3_column_int(query, 0), sqlite3_column_int(query, 1), sqlite3_column_double(query, 2));
    sqlite3_finalize(query);
}

int main(void) {
    sqlite3 *db;
    printf("%s\n", sqlite3_libversion());
    if (sqlite3_open(":memory:", &db) != SQLITE_OK) return 1;
    sqlite3_create_function(db, "triple", 1, SQLITE_UTF8, NULL, triple, NULL, NULL);
    for (unsigned i = 0; i < sizeof script / sizeof *script; i++) run(db, script[i]);
    bulk(db);
    sqlite3_close(db);
    if (sqlite3_open("data.db", &db) != SQLITE_OK) return 2;
    run(db, "CREATE TABLE t(a, b); INSERT INTO t VALUES(1, 'one'), (2, 'two')");
    sqlite3_close(db);
    sqlite3_open("data.db", &db);
    run(db, "SELECT * FROM t ORDER BY a DESC");
    bulk(db);
    run(db, "DELETE FROM n WHERE k > 5000000; SELECT count(*) FROM n; PRAGMA page_count");
    sqlite3_close(db);
    remove("data.db");
    return 0;
}
