//! A study as comma-separated values, a line for each criterion and distance.

use std::fmt::Write;

use effects::study::Study;

/// The columns, and a line for each row.
pub fn csv(study: &Study) -> String {
    let mut text =
        "criterion,distance,requirements,size,size_low,size_high,detection,detection_low,\
                    detection_high,ds_ratio,ds_ratio_low,ds_ratio_high,detectability\n"
            .to_owned();
    let detectability = study.detectability().map_or(String::new(), |one| format!("{one:.4}"));
    for row in &study.rows {
        let distance = row.distance.map_or(String::new(), |distance| distance.to_string());
        let _ = write!(text, "{},{distance},{}", row.criterion.name(), row.requirements);
        for one in [row.size, row.detection, row.ratio] {
            let _ = write!(text, ",{:.4},{:.4},{:.4}", one.value, one.low, one.high);
        }
        let _ = writeln!(text, ",{detectability}");
    }
    text
}
