//! A comparison as a JSON object.

use serde_json::{Value, json};

use super::{Comparison, Difference, Row};

pub fn line(comparison: &Comparison) -> serde_json::Result<String> {
    let rows = |rows: &[Row]| rows.iter().map(row).collect::<serde_json::Result<Vec<_>>>();
    let mut boards = Vec::new();
    for board in &comparison.boards {
        boards.push(json!({"path": board.address, "entrants": rows(&board.rows)?}));
    }
    let value = json!({
        "seed": comparison.seed,
        "runs": comparison.runs,
        "entrants": rows(&comparison.all)?,
        "differences": comparison.differences.iter().map(difference).collect::<Vec<_>>(),
        "boards": boards,
    });
    Ok(format!("{value}\n"))
}

/// Returns statistics as in `simulate`, with a name and the best possible rate.
fn row(row: &Row) -> serde_json::Result<Value> {
    let mut value = serde_json::to_value(&row.statistics)?;
    value["name"] = row.name.as_str().into();
    if let (Some(best), Some(regret)) = (row.best, row.regret()) {
        value["best"] = best.into();
        value["regret"] = regret.into();
    }
    if let Some(object) = value.as_object_mut() {
        object.remove("seed");
        object.remove("policy");
    }
    Ok(value)
}

fn difference(one: &Difference) -> Value {
    json!({
        "first": one.names[0],
        "second": one.names[1],
        "games": one.pairs.cases,
        "only_first": one.pairs.only_first,
        "only_second": one.pairs.only_second,
        "difference": one.margin,
        "interval": one.interval,
        "p": one.p_value,
        "p_corrected": one.corrected,
        "significant": one.is_significant(),
    })
}
