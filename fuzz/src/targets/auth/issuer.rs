//! An authorization server with three keys, which are the same each time, and one key that is nobody's.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{Ipv4Addr, TcpListener};
use std::sync::OnceLock;

/// The point that is the public half of the private key 1: x and y.
const ONE: [[u8; 32]; 2] = [
    [
        0x6b, 0x17, 0xd1, 0xf2, 0xe1, 0x2c, 0x42, 0x47, 0xf8, 0xbc, 0xe6, 0xe5, 0x63, 0xa4, 0x40, 0xf2, 0x77, 0x03,
        0x7d, 0x81, 0x2d, 0xeb, 0x33, 0xa0, 0xf4, 0xa1, 0x39, 0x45, 0xd8, 0x98, 0xc2, 0x96,
    ],
    [
        0x4f, 0xe3, 0x42, 0xe2, 0xfe, 0x1a, 0x7f, 0x9b, 0x8e, 0xe7, 0xeb, 0x4a, 0x7c, 0x0f, 0x9e, 0x16, 0x2b, 0xce,
        0x33, 0x57, 0x6b, 0x31, 0x5e, 0xce, 0xcb, 0xb6, 0x40, 0x68, 0x37, 0xbf, 0x51, 0xf5,
    ],
];

/// The signature of a key; none by a name that no key has.
pub(super) fn sign(key: &[u8], message: &[u8]) -> Vec<u8> {
    match key {
        b"k1" => edwards(1).sign(message).as_ref().to_vec(),
        b"k2" => edwards(2).sign(message).as_ref().to_vec(),
        b"k3" => nist().sign(&SystemRandom::new(), message).expect("a signature").as_ref().to_vec(),
        b"stranger" => edwards(9).sign(message).as_ref().to_vec(),
        _ => Vec::new(),
    }
}

/// For which names in `alg` the key of that name is, of those that are published.
pub(super) fn algorithms(key: &str) -> &'static [&'static str] {
    match key {
        "k1" | "k2" => &["EdDSA", "Ed25519"],
        "k3" => &["ES256"],
        _ => &[],
    }
}

fn edwards(seed: u8) -> &'static Ed25519KeyPair {
    static PAIRS: [OnceLock<Ed25519KeyPair>; 10] = [const { OnceLock::new() }; 10];
    PAIRS[usize::from(seed)].get_or_init(|| Ed25519KeyPair::from_seed_unchecked(&[seed; 32]).expect("a key"))
}

fn nist() -> &'static EcdsaKeyPair {
    static PAIR: OnceLock<EcdsaKeyPair> = OnceLock::new();
    PAIR.get_or_init(|| {
        let mut one = [0; 32];
        one[31] = 1;
        let (algorithm, public) = (&ECDSA_P256_SHA256_FIXED_SIGNING, [&[4], &ONE[0][..], &ONE[1]].concat());
        EcdsaKeyPair::from_private_key_and_public_key(algorithm, &one, &public, &SystemRandom::new()).expect("a key")
    })
}

/// The public keys as they are published.
fn published() -> Value {
    let encode = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
    let edwards = |seed| encode(edwards(seed).public_key().as_ref());
    json!({"keys": [
        {"kty": "OKP", "crv": "Ed25519", "kid": "k1", "alg": "EdDSA", "use": "sig", "x": edwards(1)},
        {"kty": "OKP", "crv": "Ed25519", "kid": "k2", "x": edwards(2)},
        {"kty": "EC", "crv": "P-256", "kid": "k3", "x": encode(&ONE[0]), "y": encode(&ONE[1])},
        {"kty": "oct", "kid": "k4", "alg": "HS256", "k": "AAAA"},
    ]})
}

/// Publishes the keys on this machine for as long as the process lives; gives where they are.
pub(super) fn publish() -> String {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let url = format!("http://{}/keys", listener.local_addr().expect("an address"));
    let body = published().to_string();
    let head = format!("content-type: application/json\r\nconnection: close\r\ncontent-length: {}", body.len());
    let response = format!("HTTP/1.1 200 OK\r\n{head}\r\n\r\n{body}");
    std::thread::spawn(move || {
        for stream in listener.incoming().filter_map(Result::ok) {
            let mut lines = BufReader::new(&stream).lines();
            // Whoever goes away before it is answered asks again.
            if lines.any(|line| line.is_ok_and(|line| line.is_empty())) {
                let _ = (&stream).write_all(response.as_bytes());
            }
        }
    });
    url
}
