//! Every function that the machine provides itself has a model of what it does to memory.

/// What `syscall` does depends on its first argument: it is taken for unknown code.
const UNKNOWN: [&str; 1] = ["syscall"];

#[test]
fn every_function_of_the_machine_has_a_model() {
    let names = exec::shims::names();
    let missing: Vec<&str> = names.filter(|name| library::model(name).is_none()).collect();
    assert_eq!(missing, UNKNOWN);
}
