//! Keys that each kind has.

use oldhand_core::kind::{Kind, KindSpec};

use super::{Number, Place, Row, Type, row};

pub(super) fn keys(spec: &KindSpec) -> Vec<Row> {
    type Field = for<'s> fn(&'s mut KindSpec) -> Box<dyn Place + 's>;
    let of_kind = |name: &str, kind: Type, field: Field, meaning: &str| {
        let name = format!("kinds.{}.{name}", spec.kind);
        let which = spec.kind.clone();
        row(&name, kind, move |e| Some(field(e.settings.kinds.get_mut(&which)?)), meaning)
    };
    let mut keys = vec![
        of_kind(
            "description",
            Type::Text { chars_max: 500 },
            |spec| Box::new(&mut spec.description),
            "what is kept here, for the index and for agents",
        ),
        of_kind(
            "enabled",
            Type::Flag,
            |spec| Box::new(&mut spec.enabled),
            "whether memories of this kind are written",
        ),
        of_kind(
            "auto_capture",
            Type::Flag,
            |spec| Box::new(&mut spec.auto_capture),
            "whether sessions are searched for them",
        ),
        of_kind(
            "retention_days",
            Type::Number { min: 0, max: 36_500 },
            |spec| Box::new(Number(&mut spec.retention_days)),
            "age at which an ephemeral one expires and a durable one is due for review; 0 never",
        ),
        of_kind(
            "max_retained",
            Type::Number { min: 0, max: 10_000 },
            |spec| Box::new(Number(&mut spec.max_retained)),
            "how many active ones a rolling window keeps; 0 is all",
        ),
    ];
    if matches!(spec.kind, Kind::Custom(_)) {
        keys.push(of_kind(
            "folder",
            Type::Folder,
            |spec| Box::new(&mut spec.folder),
            "the folder inside the store",
        ));
        keys.push(of_kind(
            "durable",
            Type::Flag,
            |spec| Box::new(&mut spec.durable),
            "durable memories are never deleted by themselves",
        ));
        keys.push(of_kind(
            "sections",
            Type::List,
            |spec| Box::new(&mut spec.fields),
            "level-2 headings that its memories have",
        ));
    }
    keys
}
