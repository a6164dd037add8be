//! Whether the values of parameters are consistent.

use super::Assumption;
use crate::Value;

/// The values of parameters, or of the members of one struct, by name.
type Scope = [(String, Value)];

impl Assumption {
    /// Whether it holds for these parameters; also true if they have no such place, as behind a
    /// null pointer.
    pub fn holds(&self, params: &Scope) -> bool {
        let path: Vec<&str> = self.place().split('.').collect();
        let parents = &path[..path.len().saturating_sub(1)];
        let mut scopes = Vec::new();
        find_scopes(params, parents, &mut scopes);
        scopes.into_iter().all(|scope| self.holds_in(scope))
    }

    fn holds_in(&self, scope: &Scope) -> bool {
        let value = |path: &str| {
            let name = path.rsplit('.').next().unwrap_or(path);
            scope.iter().find(|(known, _)| known == name).map(|(_, value)| value)
        };
        let number = |path: &str| match value(path) {
            Some(Value::Int(number)) => Some(*number),
            _ => None,
        };
        let is_null = |path: &str| value(path) == Some(&Value::Null);
        match self {
            Assumption::Length { length, of, elements, least } => {
                let Some(number) = number(length) else { return true };
                let is_empty = number == 0 && of.iter().any(|pointer| is_null(pointer));
                let enough = least.is_none_or(|least| number >= least);
                is_empty || enough && number <= i128::from(*elements)
            }
            Assumption::AtMost { number: less, most } => match (number(less), number(most)) {
                (Some(less), Some(most)) => less <= most,
                _ => true,
            },
            Assumption::Below { number: less, limit } => match (number(less), number(limit)) {
                (Some(less), Some(limit)) => less < limit || less <= 0,
                _ => true,
            },
            Assumption::Empty { number: count, pointer } => {
                !is_null(pointer) || number(count).is_none_or(|count| count == 0)
            }
            Assumption::Inside { pointer, of, .. } => match value(pointer) {
                Some(Value::Inside { .. }) | None => true,
                Some(Value::Null) => is_null(of),
                Some(_) => false,
            },
            // Inputs never contain another member.
            Assumption::Member { .. } => true,
        }
    }
}

fn find_scopes<'v>(scope: &'v Scope, path: &[&str], found: &mut Vec<&'v Scope>) {
    let Some((first, rest)) = path.split_first() else {
        found.push(scope);
        return;
    };
    let inner = scope.iter().find(|(name, _)| name == first).map(|(_, value)| value);
    let elements: &[Value] = match inner {
        Some(Value::Array(elements)) => elements,
        Some(value) => std::slice::from_ref(value),
        None => &[],
    };
    for element in elements {
        if let Value::Struct(members) = element {
            find_scopes(members, rest, found);
        }
    }
}
