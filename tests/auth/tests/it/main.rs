//! The server as an OAuth 2.1 resource server, from outside: every refusal with its status and challenge.

mod calls;
mod fixture;
mod introspection;
mod keys;
mod listener;
mod metadata;
mod refusals;
mod secrets;
mod streams;
mod tls;
