//! The server from outside: as an OAuth 2.1 resource server, every refusal with its status and challenge, and behind TLS.

mod calls;
mod fixture;
mod introspection;
mod keys;
mod listener;
mod metadata;
mod public_server;
mod refusals;
mod secrets;
mod serving_tls;
mod streams;
mod tls;
