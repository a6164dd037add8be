//! Single values as text: floats, characters, texts.

/// The shortest decimal that is this float, as C writes it: with an `f` behind those of 32 bits.
pub(super) fn float(bits: u64, width: u32) -> String {
    let (text, is_nan) = match width {
        32 => {
            let number = f32::from_bits(bits as u32);
            (format!("{number:?}f"), number.is_nan())
        }
        _ => {
            let number = f64::from_bits(bits);
            (format!("{number:?}"), number.is_nan())
        }
    };
    // An infinity needs no type to be told.
    if is_nan { format!("NaN({bits:#x})") } else { text.replace("inff", "inf") }
}

/// A character between quotes.
pub(super) fn character(byte: u8) -> String {
    format!("'{}'", escaped(byte, b'\''))
}

/// A text between quotes.
pub(super) fn text(bytes: &[u8]) -> String {
    let inner: String = bytes.iter().map(|byte| escaped(*byte, b'"')).collect();
    format!("\"{inner}\"")
}

/// As in C; what needs no escape is printable ASCII. Two digits always follow `\x`.
fn escaped(byte: u8, quote: u8) -> String {
    match byte {
        b'\n' => "\\n".to_owned(),
        b'\t' => "\\t".to_owned(),
        b'\r' => "\\r".to_owned(),
        0 => "\\0".to_owned(),
        b'\\' => "\\\\".to_owned(),
        _ if byte == quote => format!("\\{}", char::from(byte)),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => format!("\\x{byte:02x}"),
    }
}

/// The name of a choice: plain words as they are, all else between quotes.
pub fn word(bytes: &[u8]) -> String {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-+./:@%=*".contains(byte);
    if !bytes.is_empty() && bytes.iter().all(is_plain) {
        String::from_utf8_lossy(bytes).into_owned()
    } else {
        text(bytes)
    }
}
