use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::{
    ArrayBuilder, BooleanBuilder, Float64Builder, Int64Builder, ListBuilder, StringBuilder,
};
use arrow_schema::{DataType, Field};
use serde_json::Value;

use super::Kind;

/// The metadata of a column that contains JSON text.
pub const JSON: (&str, &str) = ("getaway", "json");

pub enum Column {
    Text(StringBuilder),
    Json(StringBuilder),
    Count(Int64Builder),
    Number(Float64Builder),
    Flag(BooleanBuilder),
    Texts(ListBuilder<StringBuilder>),
}

impl Column {
    pub fn new(kind: Kind) -> Self {
        match kind {
            Kind::Text => Self::Text(StringBuilder::new()),
            Kind::Json => Self::Json(StringBuilder::new()),
            Kind::Count => Self::Count(Int64Builder::new()),
            Kind::Number => Self::Number(Float64Builder::new()),
            Kind::Flag => Self::Flag(BooleanBuilder::new()),
            Kind::Texts => Self::Texts(ListBuilder::new(StringBuilder::new())),
        }
    }

    pub fn field(name: &str, kind: Kind) -> Field {
        let item = || Arc::new(Field::new_list_field(DataType::Utf8, true));
        let data = match kind {
            Kind::Text | Kind::Json => DataType::Utf8,
            Kind::Count => DataType::Int64,
            Kind::Number => DataType::Float64,
            Kind::Flag => DataType::Boolean,
            Kind::Texts => DataType::List(item()),
        };
        let field = Field::new(name, data, true);
        match kind {
            Kind::Json => {
                let (key, value) = JSON;
                field.with_metadata(HashMap::from([(key.to_owned(), value.to_owned())]))
            }
            _ => field,
        }
    }

    /// A value of another type becomes null.
    pub fn push(&mut self, value: Option<&Value>) {
        if let Self::Json(column) = self {
            return column.append_option(value.map(Value::to_string));
        }
        let value = value.filter(|value| !value.is_null());
        match self {
            Self::Json(_) => {}
            Self::Text(column) => column.append_option(value.map(text)),
            Self::Count(column) => column.append_option(value.and_then(Value::as_i64)),
            Self::Number(column) => column.append_option(value.and_then(Value::as_f64)),
            Self::Flag(column) => column.append_option(value.and_then(Value::as_bool)),
            Self::Texts(column) => match value.and_then(Value::as_array) {
                None => column.append_null(),
                Some(items) => {
                    column
                        .values()
                        .extend(items.iter().map(|item| Some(text(item))));
                    column.append(true);
                }
            },
        }
    }

    pub fn finish(&mut self) -> ArrayRef {
        let builder: &mut dyn ArrayBuilder = match self {
            Self::Text(column) | Self::Json(column) => column,
            Self::Count(column) => column,
            Self::Number(column) => column,
            Self::Flag(column) => column,
            Self::Texts(column) => column,
        };
        builder.finish()
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
