//! Inputs as KLEE's files. They hold no expectation.

use inputs::{Form, Ktest, KtestObject, Pointer, Scalar, ScalarKind, Shape, Value};

use super::{Case, EmittedFile};
use crate::compare::program_name;

pub(super) fn emit(case: &Case<'_>) -> Result<Vec<EmittedFile>, String> {
    let input = &case.witness.test.input;
    let mut ktest = Ktest::of_input(&program_name(case.compared), input);
    if case.compared.entry.is_some() {
        let Some(signature) = &case.compared.signature else {
            return Err("how the function is called is not known".to_owned());
        };
        let all = signature.params.iter().chain(&signature.globals);
        for param in all {
            let mut values = input.params.iter().chain(&input.globals);
            let value = values.find(|(name, _)| *name == param.name);
            let (_, value) = value.ok_or_else(|| format!("`{}` has no value", param.name))?;
            add(&mut ktest.objects, &param.name, &param.shape, value)?;
        }
    }
    let name = format!("{}.ktest", case.name);
    Ok(vec![EmittedFile { name, content: ktest.to_bytes() }])
}

/// The memory of a parameter, and of the buffer that it points to.
fn add(
    objects: &mut Vec<KtestObject>,
    name: &str,
    shape: &Shape,
    value: &Value,
) -> Result<(), String> {
    let unfit = || format!("`{name}` ({}) is not made of plain numbers", shape.ty);
    if let (Form::Pointer(Pointer::Buffer(buffer)), value) = (&shape.form, value)
        && *value != Value::Null
    {
        let size = usize::try_from(buffer.target.size).map_err(|_| unfit())?;
        let mut bytes = memory(&buffer.target, value).ok_or_else(unfit)?;
        bytes.resize(size, 0);
        objects.push(KtestObject { name: name.to_owned(), bytes: vec![0; 8] });
        objects.push(KtestObject { name: format!("*{name}"), bytes });
        return Ok(());
    }
    let bytes = match (&shape.form, value) {
        (Form::Pointer(_), _) => vec![0; 8],
        _ => memory(shape, value).ok_or_else(unfit)?,
    };
    objects.push(KtestObject { name: name.to_owned(), bytes });
    Ok(())
}

/// Bytes of a value; structs have padding and pointers, so they are not written.
fn memory(shape: &Shape, value: &Value) -> Option<Vec<u8>> {
    match (&shape.form, value) {
        (Form::Scalar(scalar), value) => scalar_bytes(scalar, value),
        (Form::Array { .. }, Value::Bytes(bytes)) => Some(bytes.clone()),
        (Form::Array { element, .. }, Value::Array(values)) => {
            let parts: Option<Vec<Vec<u8>>> =
                values.iter().map(|value| memory(element, value)).collect();
            parts.map(|parts| parts.concat())
        }
        (Form::Array { element, count: 1 }, value) => memory(element, value),
        _ => None,
    }
}

fn scalar_bytes(scalar: &Scalar, value: &Value) -> Option<Vec<u8>> {
    let size = scalar.bits.is_multiple_of(8).then_some(scalar.bits as usize / 8)?;
    match (&scalar.kind, value, size) {
        (ScalarKind::Float, Value::Float(number), 4) => {
            Some((*number as f32).to_le_bytes().to_vec())
        }
        (ScalarKind::Float, Value::Float(number), 8) => Some(number.to_le_bytes().to_vec()),
        (ScalarKind::Float, Value::Bits(bits), size @ (4 | 8)) => {
            Some(bits.to_le_bytes()[..size].to_vec())
        }
        (ScalarKind::Float, ..) => None,
        (_, Value::Int(number), size) => Some(number.to_le_bytes().get(..size)?.to_vec()),
        _ => None,
    }
}
