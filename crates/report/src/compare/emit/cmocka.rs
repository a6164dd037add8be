//! Tests for cmocka: like the tests in C, with the assertions of that library.

use super::c::{comment, expected_texts, header, literal, write_run};
use super::call::Call;
use super::{Case, EmittedFile, function};

const INCLUDES: &str = "\
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
";

pub(super) fn emit(case: &Case<'_>) -> Result<Vec<EmittedFile>, String> {
    let name = format!("{}_cmocka.c", case.name);
    let mut text;
    let mut files = Vec::new();
    if case.compared.entry.is_some() {
        let call = Call::of(case)?;
        let usage = vec![
            "Build it in the directory of the project, with -iquote . and -lcmocka.".to_owned(),
        ];
        text = comment(case, &usage);
        text.push_str(&function::source(case)?);
        text.push_str(INCLUDES);
        text.push_str(&format!("\nstatic void {}(void **state)\n{{\n", case.name));
        text.push_str("    (void)state;\n");
        text.push_str(&function::call(&call));
        for check in &call.checks {
            text.push_str(&format!("    assert_true({});\n", function::condition(check)));
        }
        text.push_str("}\n");
    } else {
        let usage = vec![
            "Build it beside run_program.h, with -lcmocka; PROGRAM in the environment names the"
                .to_owned(),
            "program under test.".to_owned(),
        ];
        text = comment(case, &usage);
        text.push_str("#include \"run_program.h\"\n");
        text.push_str(INCLUDES);
        text.push_str(&format!("\nstatic void {}(void **state)\n{{\n", case.name));
        text.push_str("    char *names[] = {\"test\", getenv(\"PROGRAM\"), NULL};\n");
        write_run(&mut text, case, "program_under_test(names[1] != NULL ? 2 : 1, names)");
        text.push_str("    (void)state;\n\n");
        for check in assertions(case) {
            text.push_str(&format!("    {check};\n"));
        }
        text.push_str("}\n");
        files.push(header());
    }
    text.push_str(&format!(
        "\nint main(void)\n{{\n    const struct CMUnitTest tests[] = {{cmocka_unit_test({})}};\n    \
         return cmocka_run_group_tests(tests, NULL, NULL);\n}}\n",
        case.name
    ));
    files.push(EmittedFile::text(name, text));
    Ok(files)
}

fn assertions(case: &Case<'_>) -> Vec<String> {
    let mut checks = Vec::new();
    if let Some(status) = case.status() {
        checks.push(format!("assert_int_equal(run.status, {status})"));
    }
    checks.extend(expected_texts(case).into_iter().map(|(_, place, text)| match text {
        Some(text) => format!("assert_true(is_text({place}, TEXT({})))", literal(text)),
        None => format!("assert_null({place}.bytes)"),
    }));
    checks
}
