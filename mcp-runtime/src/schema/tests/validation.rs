use serde_json::{Map, Value, json};

use super::super::{Role, Schemas, Validator, object, report};
use super::enums::{Mixed, Plain, Shape};
use super::refs::Tree;

fn validator(schema: &Value) -> Validator {
    Validator::new(schema).expect("a usable schema")
}

/// The lines about `instance`, which must be refused.
fn lines(schema: &Value, instance: &Value) -> Vec<String> {
    let validator = validator(schema);
    assert!(!validator.is_valid(instance), "{instance}");
    let problems = validator.problems(instance);
    problems.iter().map(ToString::to_string).collect()
}

fn search() -> Value {
    json!({
        "type": "object",
        "properties": {
            "text": {"type": "string", "minLength": 1},
            "limit": {"type": "integer", "minimum": 0, "maximum": 255},
            "filter": {
                "type": "object",
                "properties": {
                    "tags": {"type": "array", "items": {"type": "string", "pattern": "^[a-z]+$"}, "maxItems": 3},
                    "since": {"type": "string", "format": "date"},
                    "or": {"type": "number", "exclusiveMinimum": 0},
                },
                "required": ["since"],
                "additionalProperties": false,
            },
            "more": {"type": "object", "additionalProperties": {"type": "boolean"}},
            "pair": {"type": "array", "prefixItems": [{"type": "string"}, {"minimum": 1}], "minItems": 2},
        },
        "required": ["text", "filter"],
        "additionalProperties": false,
    })
}

#[test]
fn what_fits_has_no_problems() {
    let validator = validator(&search());
    for instance in [
        json!({"text": "a", "filter": {"since": "2026-01-31"}}),
        json!({"text": "a", "limit": 255, "filter": {"since": "2026-01-31", "tags": ["a"], "or": 0.1}}),
        json!({"text": "a", "filter": {"since": "2026-01-31"}, "more": {"x": true}, "pair": ["a", 1]}),
    ] {
        assert!(validator.is_valid(&instance), "{instance}");
        assert_eq!(validator.problems(&instance), []);
    }
}

#[test]
fn every_problem_is_named_in_the_order_of_the_schema() {
    let instance = json!({
        "txet": "a",
        "pair": ["a", 0],
        "more": {"x": 1, "y y": "no"},
        "filter": {"tags": ["ok", 5, "NO"], "or": -1, "sinse": "x"},
        "limit": "abc",
    });
    assert_eq!(
        lines(&search(), &instance),
        [
            "`text`: missing, expected a string of at least 1 character",
            "`limit`: expected an integer from 0 to 255, got \"abc\"",
            "`filter.tags[1]`: expected a string matching `^[a-z]+$`, got 5",
            "`filter.tags[2]`: expected a string matching `^[a-z]+$`, got \"NO\"",
            "`filter.since`: missing, expected a date such as \"2026-01-31\"",
            "`filter.or`: expected a number greater than 0, got -1",
            "`filter.sinse`: not known, did you mean `since`?",
            "`more.x`: expected true or false, got 1",
            "`more[\"y y\"]`: expected true or false, got \"no\"",
            "`pair[1]`: expected a number of at least 1, got 0",
            "`txet`: not known, did you mean `text`?",
        ]
    );
}

#[test]
fn too_many_items_are_told_beside_wrong_ones() {
    let instance = json!({"text": "a", "filter": {"since": "2026-01-31", "tags": ["a", "b", "c", 4]}});
    assert_eq!(
        lines(&search(), &instance),
        [
            "`filter.tags`: expected an array of at most 3 strings, got [\"a\",\"b\",\"c\",4]",
            "`filter.tags[3]`: expected a string matching `^[a-z]+$`, got 4",
        ]
    );
}

#[test]
fn every_kind_of_constraint_has_words() {
    for (schema, value, line) in [
        (json!({"maximum": 5}), json!(6), "a number of at most 5, got 6"),
        (json!({"type": "integer"}), json!(1.5), "an integer, got 1.5"),
        (json!({"multipleOf": 5}), json!(6), "a number divisible by 5, got 6"),
        (json!({"enum": ["a", "b"]}), json!("c"), "one of \"a\", \"b\", got \"c\""),
        (json!({"const": 1}), json!(2), "1, got 2"),
        (json!({"maxLength": 2}), json!("abc"), "a string of at most 2 characters, got \"abc\""),
        (json!({"type": "string", "format": "ipv4"}), json!("1.2"), "an IPv4 address, got \"1.2\""),
        (json!({"type": "string", "format": "uuid"}), json!("x"), "a UUID, got \"x\""),
        (json!({"minItems": 2}), json!([1]), "an array of at least 2 items, got [1]"),
        (json!({"type": "array", "uniqueItems": true}), json!([1, 1]), "an array without duplicates, got [1,1]"),
        (json!({"type": "integer", "not": {"const": 0}}), json!(0), "an integer other than 0, got 0"),
        (json!({"not": {}}), json!(0), "no value at all, got 0"),
        (json!(false), json!(0), "no value at all, got 0"),
        (
            json!({"type": "object", "maxProperties": 0}),
            json!({"a": 1}),
            "an object of at most 0 members, got {\"a\":1}",
        ),
        (json!({"contains": {"const": 1}}), json!([2]), "a value, got [2]"),
        (json!({"type": ["string", "null"]}), json!(1), "a string or null, got 1"),
    ] {
        let root = json!({"properties": {"v": schema}, "required": ["v"]});
        let got = lines(&root, &json!({"v": value}));
        assert_eq!(got, [format!("`v`: expected {line}")], "{schema}");
    }
}

#[test]
fn conditions_and_parts_are_followed() {
    let schema = json!({
        "type": "object",
        "properties": {"by": {"enum": ["phone", "mail"]}},
        "allOf": [{"properties": {"n": {"minimum": 1}}}],
        "if": {"properties": {"by": {"const": "phone"}}, "required": ["by"]},
        "then": {"required": ["phone"]},
        "else": {"properties": {"mail": {"type": "string"}}, "required": ["mail"]},
    });
    assert_eq!(
        lines(&schema, &json!({"by": "phone", "n": 0})),
        ["`n`: expected a number of at least 1, got 0", "`phone`: missing, expected a value"]
    );
    assert_eq!(lines(&schema, &json!({"by": "mail"})), ["`mail`: missing, expected a string"]);
}

/// Arguments of these Rust types.
fn of_types() -> Value {
    let mut schemas = Schemas::new(Role::Input);
    let mut members = Map::new();
    members.insert("shape".to_owned(), schemas.of::<Option<Shape>>());
    members.insert("mixed".to_owned(), schemas.of::<Option<Mixed>>());
    members.insert("plain".to_owned(), schemas.of::<Option<Plain>>());
    members.insert("tree".to_owned(), schemas.of::<Option<Tree>>());
    members.insert("number".to_owned(), schemas.of::<Option<u8>>());
    object(members, Vec::new(), schemas.take_definitions(), true)
}

#[test]
fn alternatives_tell_what_is_wrong_in_the_one_that_was_meant() {
    for (instance, line) in [
        (json!({"shape": {"kind": "circle", "radius": "x"}}), "`shape.radius`: expected a number, got \"x\""),
        (json!({"shape": {"kind": "square"}}), "`shape.side`: missing, expected a number"),
        (
            json!({"shape": {"kind": "cube"}}),
            "`shape`: expected an object with `kind` \"circle\" and `radius`, an object with `kind` \"square\" \
             and `side` or an object with `kind` \"dot\", got {\"kind\":\"cube\"}",
        ),
        (json!({"mixed": {"Members": {"text": 1}}}), "`mixed.Members.text`: expected a string, got 1"),
        (
            json!({"mixed": "Nope"}),
            "`mixed`: expected one of \"Unit\", \"Other\", an object with `Number` or an object with `Members`, \
             got \"Nope\"",
        ),
        (json!({"plain": "C"}), "`plain`: expected one of \"A\", \"B\", got \"C\""),
    ] {
        assert_eq!(lines(&of_types(), &instance), [line]);
    }
}

#[test]
fn a_recursive_value_is_followed_to_the_place() {
    let instance = json!({"tree": {"name": "a", "kids": [{"name": "b", "kids": [{"name": 1, "kids": []}]}]}});
    assert_eq!(lines(&of_types(), &instance), ["`tree.kids[0].kids[0].name`: expected a string, got 1"]);
    let deep = (0..60).fold(json!({"name": 1, "kids": []}), |kid, _| json!({"name": "x", "kids": [kid]}));
    let lines = lines(&of_types(), &json!({"tree": deep}));
    assert_eq!(lines.len(), 1);
    assert!(lines[0].contains("expected a string, got 1"), "{lines:?}");
}

#[test]
fn null_is_taken_as_left_out() {
    let validator = validator(&of_types());
    for instance in [
        json!({"shape": null, "mixed": null, "plain": null, "tree": null, "number": null}),
        json!({"shape": {"kind": "circle", "radius": 1, "label": null}}),
        json!({"mixed": {"Members": {"text": null}}}),
        json!({"tree": {"name": "a", "kids": [{"name": "b", "kids": [], "next": null}], "next": null}}),
    ] {
        assert!(validator.is_valid(&instance), "{instance}");
        assert_eq!(validator.problems(&instance), []);
    }
    assert_eq!(
        lines(&of_types(), &json!({"number": 300, "plain": null})),
        ["`number`: expected an integer from 0 to 255, got 300"]
    );
}

#[test]
fn null_stays_where_it_is_wrong_or_has_a_meaning() {
    for (instance, line) in [
        (json!({"tree": {"name": null, "kids": []}}), "`tree.name`: expected a string, got null"),
        (
            json!({"tree": {"name": "a", "kids": [null]}}),
            "`tree.kids[0]`: expected an object with `name` and `kids`, got null",
        ),
        (json!({"unknown": null}), "`unknown`: not known"),
    ] {
        assert_eq!(lines(&of_types(), &instance), [line]);
    }
    let nullable = json!({
        "properties": {"a": {"type": ["string", "null"]}, "b": {"type": "string"}},
        "minProperties": 1,
    });
    assert!(validator(&nullable).is_valid(&json!({"a": null, "b": null})));
    assert!(!validator(&nullable).is_valid(&json!({"b": null})));
}

#[test]
fn a_wrong_root_is_said_to_be_wrong() {
    let line = lines(&search(), &json!([1]));
    assert_eq!(line, ["the arguments: expected an object with `text` and `filter`, got [1]"]);
    let schema = json!({"type": "object", "dependentRequired": {"a": ["b"]}});
    assert_eq!(lines(&schema, &json!({"a": 1})), ["the arguments: expected an object, got {\"a\":1}"]);
}

#[test]
fn members_beyond_united_alternatives_are_unknown() {
    let schema = json!({
        "type": "object",
        "properties": {"id": {"type": "integer"}},
        "oneOf": [{"properties": {"name": {"type": "string"}}, "required": ["name"]}],
        "unevaluatedProperties": false,
    });
    assert!(validator(&schema).is_valid(&json!({"id": 1, "name": "a"})));
    assert_eq!(lines(&schema, &json!({"name": "a", "idd": 1})), ["`idd`: not known, did you mean `id`?"]);
}

#[test]
fn at_most_32_problems_are_told_apart() {
    let schema = json!({"properties": {"list": {"type": "array", "items": {"type": "string"}}}});
    let items: Vec<Value> = (0..100_000).map(Value::from).collect();
    let problems = validator(&schema).problems(&json!({"list": items}));
    assert_eq!(problems.len(), 33);
    assert_eq!(problems[31].path, "list[31]");
    assert_eq!(problems[32].to_string(), "… and 99968 more");
    let text = report(&problems);
    assert!(text.len() <= 1024 && text.starts_with("`list[0]`: expected a string, got 0\n"));
    assert!(text.ends_with(" more"), "{text}");
}

#[test]
fn a_large_wrong_value_gives_a_short_text() {
    let large = "x".repeat(1 << 20);
    for instance in [
        json!({"text": 1, "limit": large, "filter": {"since": large, "tags": [large]}}),
        json!({"text": "a", "filter": {"since": "2026-01-31", large.clone(): large}}),
        json!({"text": vec![large.clone(); 2], "filter": large}),
        json!(large),
        json!((0..100_000).map(|n| (n.to_string(), json!(n))).collect::<Map<_, _>>()),
    ] {
        let problems = validator(&search()).problems(&instance);
        assert!(!problems.is_empty());
        let text = report(&problems);
        assert!(text.len() <= 1024, "{} bytes", text.len());
    }
    let line = lines(&search(), &json!({"text": "a", "limit": large, "filter": {"since": "2026-01-31"}}));
    assert_eq!(line, ["`limit`: expected an integer from 0 to 255, got a string of 1048576 characters"]);
}

#[test]
fn a_schema_that_cannot_be_used_is_an_error_and_says_why() {
    for (schema, reason) in [
        (json!({"properties": {"a": {"pattern": "(unclosed"}}}), "(unclosed"),
        (json!({"type": "text"}), "text"),
        (json!({"properties": {"a": {"required": null}}}), "/properties/a/required"),
        (json!({"properties": {"a": {"minimum": "1"}}}), "/properties/a/minimum"),
        (json!({"$ref": "https://example.com/other.json"}), "nothing is fetched"),
        (json!({"$ref": "file:///etc/passwd"}), "nothing is fetched"),
        (json!({"$ref": "#/$defs/Absent"}), "Absent"),
        (json!({"$schema": "https://example.com/dialect"}), "dialect"),
        (json!({"$schema": 5}), "dialect"),
        (json!({"$id": "::not a uri"}), "not a uri"),
        (json!("text"), "text"),
        (json!({"pattern": "x".repeat(100_000) + "("}), "not usable"),
    ] {
        let text = Validator::new(&schema).expect_err("cannot be used");
        assert!(text.contains(reason), "{text}");
        assert!(text.len() < 1024, "{text}");
    }
}

#[test]
fn known_dialects_are_followed() {
    let uri = "http://json-schema.org/draft-07/schema#";
    let schema = json!({"$schema": uri, "items": [{"type": "string"}], "additionalItems": false});
    assert!(validator(&schema).is_valid(&json!(["a"])));
    assert!(!validator(&schema).is_valid(&json!(["a", "b"])));
    let current = json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"});
    assert!(validator(&current).is_valid(&json!({})));
}

#[test]
fn hand_written_references_of_all_local_kinds_work() {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {
            "home": {"$ref": "#/$defs/address"},
            "work": {"$ref": "#addressDef"},
            "copy": {"$ref": "#/properties/home"},
            "odd/name~ %": {"type": "string", "maxLength": 1},
        },
        "$defs": {"address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string", "minLength": 1}},
        }},
    });
    for (name, path) in
        [("home", "home.street"), ("work", "work"), ("copy", "copy.street"), ("odd/name~ %", "[\"odd/name~ %\"]")]
    {
        let value = if name.contains('%') { json!("ab") } else { json!({"street": ""}) };
        let problems = validator(&schema).problems(&json!({ name: value }));
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert_eq!(problems[0].path, path);
    }
    let schema = json!({"properties": {"self": {"$ref": "#"}, "name": {"maxLength": 1}}});
    assert_eq!(
        lines(&schema, &json!({"self": {"self": {"name": "ab"}}})),
        ["`self.self.name`: expected a string of at most 1 character, got \"ab\""]
    );
}

/// A tool schema that uses what JSON Schema offers beyond types.
#[test]
fn a_hand_written_tool_schema_is_enforced() {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {"address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }},
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false,
    });
    let fits = json!({"contactMethod": "phone", "phone": "1", "address": {"city": "x"}});
    assert!(validator(&schema).is_valid(&fits));
    assert_eq!(
        lines(&schema, &json!({"contactMethod": "phone", "email": "x", "address": {"city": 1}})),
        ["`phone`: missing, expected a value", "`address.city`: expected a string, got 1",]
    );
    assert_eq!(
        lines(&schema, &json!({"name": "a"})),
        [
            "the arguments: expected an object with `phone` or an object with `email`, got {\"name\":\"a\"}",
            "`email`: missing, expected a value",
        ]
    );
}

#[test]
fn endless_references_end() {
    let schema = json!({
        "properties": {"a": {"$ref": "#/$defs/A"}},
        "$defs": {"A": {"properties": {"a": {"$ref": "#/$defs/A"}, "b": {"type": "string"}}}},
    });
    let mut value = json!({"b": 1});
    for _ in 0..100 {
        value = json!({"a": value});
    }
    assert_eq!(validator(&schema).problems(&value).len(), 1);
}
