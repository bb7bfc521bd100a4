//! Keys that are made for a test, and tokens that are signed with them.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, ECDSA_P384_SHA384_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _,
};
use serde_json::{Value, json};
use std::time::SystemTime;

/// A key pair with a name.
#[derive(Debug)]
pub struct Key {
    id: String,
    pair: Pair,
}

#[derive(Debug)]
enum Pair {
    P256(EcdsaKeyPair),
    P384(EcdsaKeyPair),
    Ed25519(Ed25519KeyPair),
}

/// The seconds since 1970.
pub fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("it is after 1970").as_secs()
}

fn encode(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// The part of a token that is signed.
pub fn unsigned(header: &Value, claims: &Value) -> String {
    format!("{}.{}", encode(header.to_string()), encode(claims.to_string()))
}

impl Key {
    /// A new key for an algorithm: `ES256`, `ES384` or `EdDSA`.
    pub fn new(id: &str, algorithm: &str) -> Self {
        let random = SystemRandom::new();
        let ecdsa = |algorithm| {
            let pkcs8 = EcdsaKeyPair::generate_pkcs8(algorithm, &random).expect("a key");
            EcdsaKeyPair::from_pkcs8(algorithm, pkcs8.as_ref(), &random).expect("a key")
        };
        let pair = match algorithm {
            "ES256" => Pair::P256(ecdsa(&ECDSA_P256_SHA256_FIXED_SIGNING)),
            "ES384" => Pair::P384(ecdsa(&ECDSA_P384_SHA384_FIXED_SIGNING)),
            "EdDSA" => {
                let pkcs8 = Ed25519KeyPair::generate_pkcs8(&random).expect("a key");
                Pair::Ed25519(Ed25519KeyPair::from_pkcs8(pkcs8.as_ref()).expect("a key"))
            }
            other => panic!("no keys are made here for {other}"),
        };
        Key { id: id.to_owned(), pair }
    }

    /// Its algorithm.
    pub fn algorithm(&self) -> &'static str {
        match self.pair {
            Pair::P256(_) => "ES256",
            Pair::P384(_) => "ES384",
            Pair::Ed25519(_) => "EdDSA",
        }
    }

    /// The public half as an issuer publishes it.
    pub fn public(&self) -> Value {
        let (kind, curve, point) = match &self.pair {
            Pair::P256(pair) => ("EC", "P-256", pair.public_key().as_ref()),
            Pair::P384(pair) => ("EC", "P-384", pair.public_key().as_ref()),
            Pair::Ed25519(pair) => ("OKP", "Ed25519", pair.public_key().as_ref()),
        };
        let mut key = json!({"kty": kind, "crv": curve, "kid": self.id, "alg": self.algorithm(), "use": "sig"});
        match kind {
            "OKP" => key["x"] = encode(point).into(),
            _ => {
                let (x, y) = point[1..].split_at((point.len() - 1) / 2);
                (key["x"], key["y"]) = (encode(x).into(), encode(y).into());
            }
        }
        key
    }

    /// The header of its tokens.
    pub fn header(&self) -> Value {
        json!({"alg": self.algorithm(), "typ": "at+jwt", "kid": self.id})
    }

    /// A token of these claims.
    pub fn token(&self, claims: &Value) -> String {
        self.token_with(&self.header(), claims)
    }

    /// A token of this header and these claims.
    pub fn token_with(&self, header: &Value, claims: &Value) -> String {
        let signed = unsigned(header, claims);
        let message = signed.as_bytes();
        let signature = match &self.pair {
            Pair::P256(pair) | Pair::P384(pair) => {
                pair.sign(&SystemRandom::new(), message).expect("a signature").as_ref().to_vec()
            }
            Pair::Ed25519(pair) => pair.sign(message).as_ref().to_vec(),
        };
        format!("{signed}.{}", encode(signature))
    }
}
