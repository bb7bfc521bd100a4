//! Wrong arguments, made from right ones by breaking what their schema says, one keyword at a time.

use serde_json::{Map, Value, json};

/// Wrong arguments.
pub struct Mutant {
    pub arguments: Value,
    /// The argument that is wrong.
    pub argument: String,
    /// What was broken, for a message.
    pub broken: String,
}

/// All mutants of `arguments` that the schema refuses. What is left out or `null` where it may be is not among them.
pub fn of(schema: &Value, arguments: &Value) -> Vec<Mutant> {
    let validator = jsonschema::options().should_validate_formats(true).build(schema).expect("a valid schema");
    assert!(validator.is_valid(arguments), "{arguments} {schema}");
    let mut maker = Maker { root: schema, arguments, found: Vec::new() };
    maker.visit(schema, arguments, &mut Vec::new());
    let found = maker.found.into_iter().filter(|mutant| !validator.is_valid(&mutant.arguments));
    found.filter(|mutant| !is_tolerated(mutant, schema)).collect()
}

/// `null` for an argument that may be left out is taken as left out.
fn is_tolerated(mutant: &Mutant, schema: &Value) -> bool {
    mutant.broken.ends_with("with null") && {
        let validator = jsonschema::validator_for(schema).expect("a valid schema");
        let mut pruned = mutant.arguments.clone();
        prune(&mut pruned);
        validator.is_valid(&pruned)
    }
}

fn prune(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|_, member| !member.is_null());
            members.values_mut().for_each(prune);
        }
        Value::Array(items) => items.iter_mut().for_each(prune),
        _ => {}
    }
}

/// One step into a value.
#[derive(Clone, Debug)]
enum Step {
    Member(String),
    Item(usize),
}

struct Maker<'a> {
    root: &'a Value,
    arguments: &'a Value,
    found: Vec<Mutant>,
}

impl Maker<'_> {
    /// Adds the arguments with another value at `path`.
    fn put(&mut self, path: &[Step], value: Value, broken: &str) {
        let mut arguments = self.arguments.clone();
        let mut place = &mut arguments;
        for step in path {
            place = match step {
                Step::Member(name) => &mut place[name.as_str()],
                Step::Item(index) => &mut place[*index],
            };
        }
        let broken = format!("{path:?}: {broken} with {value}");
        *place = value;
        let argument = match path {
            [Step::Member(name), ..] => name.clone(),
            _ => String::new(),
        };
        self.found.push(Mutant { arguments, argument, broken });
    }

    fn visit(&mut self, schema: &Value, value: &Value, path: &mut Vec<Step>) {
        let Value::Object(map) = schema else { return };
        if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
            let root = self.root;
            if let Some(target) = root.pointer(&reference[1..]) {
                self.visit(target, value, path);
            }
        }
        if !path.is_empty() {
            self.types(path);
            self.scalars(map, value, path);
        }
        for keyword in ["anyOf", "oneOf", "allOf"] {
            for branch in map.get(keyword).and_then(Value::as_array).into_iter().flatten() {
                let whole = json!({"allOf": [branch], "$defs": self.root.get("$defs").cloned().unwrap_or(json!({}))});
                if jsonschema::is_valid(&whole, value) {
                    self.visit(branch, value, path);
                }
            }
        }
        match value {
            Value::Object(members) => self.members(map, members, path),
            Value::Array(items) => self.items(map, items, path),
            _ => {}
        }
    }

    /// A value of every other type.
    fn types(&mut self, path: &[Step]) {
        for other in [json!(null), json!(true), json!(-7), json!(2.5), json!("\u{1}?"), json!([[]]), json!({"?": 1})] {
            self.put(path, other, "type");
        }
    }

    fn scalars(&mut self, map: &Map<String, Value>, value: &Value, path: &[Step]) {
        let number = |keyword: &str| map.get(keyword).and_then(Value::as_f64);
        let as_type = |number: f64| match value.is_f64() {
            true => json!(number),
            false => serde_json::from_str(&format!("{number:.0}")).expect("an integer"),
        };
        for (keyword, step) in
            [("minimum", -1.0), ("maximum", 1.0), ("exclusiveMinimum", 0.0), ("exclusiveMaximum", 0.0)]
        {
            if let Some(bound) = number(keyword) {
                self.put(path, as_type(bound + step), keyword);
            }
        }
        if let Some(step) = number("multipleOf") {
            self.put(path, as_type(value.as_f64().unwrap_or_default() + step - 1.0), "multipleOf");
        }
        if let Some(not) = map.get("not").and_then(|not| not.get("const")) {
            self.put(path, not.clone(), "not");
        }
        if let Some(text) = value.as_str() {
            // Decoders of enums take a name as the only member as well.
            self.put(path, json!({ text: null }), "a name");
            let length = |keyword: &str| map.get(keyword).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
            if let Some(least @ 1..) = length("minLength") {
                self.put(path, text.chars().cycle().take(least - 1).collect::<String>().into(), "minLength");
            }
            if let Some(most) = length("maxLength") {
                self.put(path, text.chars().cycle().take(most + 1).collect::<String>().into(), "maxLength");
            }
            for wrong in ["", "UPPER", "lower", "0", "a b", "\n"] {
                self.put(path, wrong.into(), "pattern, format or enum");
            }
        }
    }

    fn members(&mut self, map: &Map<String, Value>, members: &Map<String, Value>, path: &mut Vec<Step>) {
        let whole = |members: Map<String, Value>| Value::from(members);
        for name in members.keys() {
            let mut fewer = members.clone();
            fewer.shift_remove(name);
            match path.is_empty() {
                true => self.found.push(Mutant {
                    arguments: whole(fewer),
                    argument: name.clone(),
                    broken: format!("required without {name}"),
                }),
                false => self.put(path, whole(fewer), "required or minProperties"),
            }
        }
        let mut more = members.clone();
        more.insert("unknownMember".to_owned(), json!(1));
        match path.is_empty() {
            true => self.found.push(Mutant {
                arguments: whole(more),
                argument: "unknownMember".to_owned(),
                broken: "additionalProperties".to_owned(),
            }),
            false => self.put(path, whole(more), "additionalProperties"),
        }
        if !path.is_empty() {
            // Decoders of structs take their members without names as well.
            self.put(path, members.values().cloned().collect(), "an object");
        }
        if let (Some(most), Some(any)) = (map.get("maxProperties").and_then(Value::as_u64), members.values().next()) {
            let many = (0..=most).map(|n| (format!("m{n}"), any.clone())).collect();
            self.put(path, whole(many), "maxProperties");
        }
        for (name, value) in members {
            let own = map.get("properties").and_then(|all| all.get(name));
            if let Some(schema) = own.or_else(|| map.get("additionalProperties")) {
                path.push(Step::Member(name.clone()));
                self.visit(schema, value, path);
                path.pop();
            }
        }
    }

    fn items(&mut self, map: &Map<String, Value>, items: &[Value], path: &mut Vec<Step>) {
        if let Some(first) = items.first() {
            let most = map.get("maxItems").and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
            let least = map.get("minItems").and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
            if let Some(most) = most {
                let many: Vec<Value> = items.iter().cycle().take(most + 1).cloned().collect();
                self.put(path, many.into(), "maxItems");
            }
            if let Some(least @ 1..) = least {
                self.put(path, items[..(least - 1).min(items.len())].into(), "minItems");
            }
            self.put(path, json!([first, first]), "uniqueItems");
        }
        let places = map.get("prefixItems").and_then(Value::as_array).cloned().unwrap_or_default();
        for (index, value) in items.iter().enumerate() {
            if let Some(schema) = places.get(index).or_else(|| map.get("items")) {
                path.push(Step::Item(index));
                self.visit(schema, value, path);
                path.pop();
            }
        }
    }
}
