//! Structs that ask nothing of serde or schemars: for them there is a way that costs the compiler less than derives.
//!
//! What the three traits do with the fields is written in the runtime, once. The derives remain for everything else, and
//! make the same of these structs.

use super::marker::{alias, local};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Attribute, Data, DeriveInput, Expr, ExprLit, Field, Fields, Lit, Meta, Path, Type};

/// Attributes that change nothing about how a type travels.
const SILENT: [&str; 8] = ["allow", "cfg", "deny", "derive", "expect", "forbid", "must_use", "warn"];

/// More fields are left to the derives: every one is a level of a type.
const MAX_FIELDS: usize = 32;

/// The implementations of `Serialize`, `Deserialize` and `JsonSchema`, if `input` is such a struct.
pub(super) fn expand(input: &DeriveInput, runtime: &Path) -> Option<TokenStream> {
    let Data::Struct(data) = &input.data else { return None };
    let Fields::Named(fields) = &data.fields else { return None };
    if fields.named.is_empty() || fields.named.len() > MAX_FIELDS || !input.generics.params.is_empty() {
        return None;
    }
    let description = description(&input.attrs, &SILENT)?;
    let members = fields.named.iter().map(member).collect::<Option<Vec<Member<'_>>>>()?;
    let conditions = input.attrs.iter().filter(|attribute| attribute.path().is_ident("cfg"));
    let implementations = implementations(&input.ident, &description, &members);
    Some(quote! {
        #(#conditions)*
        const _: () = {
            use __mcp::AnyTypes as _;
            use #runtime::__private as __mcp;
            #implementations
        };
    })
}

/// A field.
struct Member<'a> {
    ident: &'a Ident,
    name: String,
    ty: &'a Type,
    description: String,
}

fn member(field: &Field) -> Option<Member<'_>> {
    let description = description(&field.attrs, &[])?;
    let ident = field.ident.as_ref()?;
    // What is borrowed, even for ever, binds the lifetime of the input.
    (!names_lifetime(field.ty.to_token_stream())).then_some(())?;
    Some(Member { ident, name: ident.unraw().to_string(), ty: &field.ty, description })
}

fn implementations(ident: &Ident, description: &str, members: &[Member<'_>]) -> TokenStream {
    let (rt, from, to, error, generator) = (alias(), local("from"), local("to"), local("error"), local("generator"));
    let name = ident.unraw().to_string();
    let names = members.iter().map(|member| &member.name);
    let idents = members.iter().map(|member| member.ident);
    let locals: Vec<Ident> = (0..members.len()).map(|index| local(&format!("p{index}"))).collect();
    let taken = list(locals.iter().map(ToTokens::to_token_stream));
    let given = list(members.iter().map(|Member { ident, .. }| quote!(&self.#ident)));
    // An error about a field's type is shown at the type.
    let described = members
        .iter()
        .map(|Member { name, ty, description, .. }| quote_spanned!(ty.span()=> .field::<#ty>(#name, #description)));
    // Not as a type of its own: a field may be of `Self`.
    let types = list(members.iter().map(|member| member.ty.to_token_stream()));
    quote! {
        const __FIELDS: &[&str] = &[#(#names),*];
        #[automatically_derived]
        impl #rt::serde::Serialize for #ident {
            fn serialize<__S: #rt::serde::Serializer>(&self, #to: __S) -> #rt::Result<__S::Ok, __S::Error> {
                #rt::FieldTypes::<#types>::HERE.resolve().encode(#to, #name, __FIELDS, #given)
            }
        }
        #[automatically_derived]
        impl<'de> #rt::serde::Deserialize<'de> for #ident {
            fn deserialize<__D: #rt::serde::Deserializer<'de>>(#from: __D) -> #rt::Result<Self, __D::Error> {
                match #rt::FieldTypes::<#types>::HERE.resolve().decode(#from, #name, __FIELDS) {
                    #rt::Ok(#taken) => #rt::Ok(Self { #(#idents: #locals),* }),
                    #rt::Err(#error) => #rt::Err(#error),
                }
            }
        }
        #[automatically_derived]
        impl #rt::schemars::JsonSchema for #ident {
            fn schema_name() -> #rt::Cow<'static, str> {
                #rt::Cow::Borrowed(#name)
            }
            fn schema_id() -> #rt::Cow<'static, str> {
                #rt::Cow::Borrowed(::core::concat!(::core::module_path!(), "::", #name))
            }
            fn json_schema(#generator: &mut #rt::schemars::SchemaGenerator) -> #rt::schemars::Schema {
                #rt::describe_fields(#generator)#(#described)*.schema(#description)
            }
        }
    }
}

/// `(first, (second, ()))`
fn list(items: impl DoubleEndedIterator<Item = TokenStream>) -> TokenStream {
    items.rev().fold(quote!(()), |rest, item| quote!((#item, #rest)))
}

/// What the doc comments among `attributes` say, as schemars reads them; `None` if there is more to them (a title), or
/// if there are attributes other than these and `silent` ones.
fn description(attributes: &[Attribute], silent: &[&str]) -> Option<String> {
    let mut lines = Vec::new();
    for attribute in attributes {
        if silent.iter().any(|name| attribute.path().is_ident(name)) {
            continue;
        }
        let line = doc_comment(attribute)?;
        lines.push(line.strip_prefix(' ').map(str::to_owned).unwrap_or(line));
    }
    let text = lines.join("\n").trim_ascii().to_owned();
    (!text.starts_with('#')).then_some(text)
}

fn doc_comment(attribute: &Attribute) -> Option<String> {
    match &attribute.meta {
        Meta::NameValue(meta) if meta.path.is_ident("doc") => match &meta.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}

fn names_lifetime(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => names_lifetime(group.stream()),
        TokenTree::Punct(punct) => matches!(punct.as_char(), '\'' | '&'),
        _ => false,
    })
}
