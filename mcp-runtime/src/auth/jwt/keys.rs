//! The public keys of an issuer, and the algorithms that go with them.
//!
//! Source: RFC 7517, RFC 7518, RFC 8037, RFC 9864.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::signature::{self, RsaParameters, RsaPublicKeyComponents, UnparsedPublicKey, VerificationAlgorithm};
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;

/// An issuer has few keys.
const MOST: usize = 100;

/// An algorithm that signs with a key which its verifiers do not have. There are no others here: neither `none`, nor those
/// with a shared secret, for which a public key could be passed off as one.
///
/// Source: RFC 7518, section 3.1; RFC 8037; RFC 9864.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum JwtAlgorithm {
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    Rs256,
    /// RSASSA-PKCS1-v1_5 with SHA-384.
    Rs384,
    /// RSASSA-PKCS1-v1_5 with SHA-512.
    Rs512,
    /// RSASSA-PSS with SHA-256.
    Ps256,
    /// RSASSA-PSS with SHA-384.
    Ps384,
    /// RSASSA-PSS with SHA-512.
    Ps512,
    /// ECDSA on P-256 with SHA-256.
    Es256,
    /// ECDSA on P-384 with SHA-384.
    Es384,
    /// Ed25519, also by its older name `EdDSA`.
    Ed25519,
}

impl JwtAlgorithm {
    pub(super) const ALL: [JwtAlgorithm; 9] = {
        use JwtAlgorithm::{Ed25519, Es256, Es384, Ps256, Ps384, Ps512, Rs256, Rs384, Rs512};
        [Rs256, Rs384, Rs512, Ps256, Ps384, Ps512, Es256, Es384, Ed25519]
    };

    /// The algorithm of that name in a header, or in a key.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "RS256" => JwtAlgorithm::Rs256,
            "RS384" => JwtAlgorithm::Rs384,
            "RS512" => JwtAlgorithm::Rs512,
            "PS256" => JwtAlgorithm::Ps256,
            "PS384" => JwtAlgorithm::Ps384,
            "PS512" => JwtAlgorithm::Ps512,
            "ES256" => JwtAlgorithm::Es256,
            "ES384" => JwtAlgorithm::Es384,
            "EdDSA" | "Ed25519" => JwtAlgorithm::Ed25519,
            _ => return None,
        })
    }

    /// How RSA is meant; keys of less than 2048 bits are refused.
    fn rsa(self) -> Option<&'static RsaParameters> {
        Some(match self {
            JwtAlgorithm::Rs256 => &signature::RSA_PKCS1_2048_8192_SHA256,
            JwtAlgorithm::Rs384 => &signature::RSA_PKCS1_2048_8192_SHA384,
            JwtAlgorithm::Rs512 => &signature::RSA_PKCS1_2048_8192_SHA512,
            JwtAlgorithm::Ps256 => &signature::RSA_PSS_2048_8192_SHA256,
            JwtAlgorithm::Ps384 => &signature::RSA_PSS_2048_8192_SHA384,
            JwtAlgorithm::Ps512 => &signature::RSA_PSS_2048_8192_SHA512,
            _ => return None,
        })
    }

    /// The curve's way of verifying.
    fn curve(self) -> Option<&'static dyn VerificationAlgorithm> {
        Some(match self {
            JwtAlgorithm::Es256 => &signature::ECDSA_P256_SHA256_FIXED,
            JwtAlgorithm::Es384 => &signature::ECDSA_P384_SHA384_FIXED,
            JwtAlgorithm::Ed25519 => &signature::ED25519,
            _ => return None,
        })
    }
}

/// One key.
pub(super) struct Key {
    id: Option<String>,
    /// The only algorithm that it is for, if it says so or there is but one.
    algorithm: Option<JwtAlgorithm>,
    material: Material,
}

enum Material {
    Rsa { n: Vec<u8>, e: Vec<u8> },
    Point(Vec<u8>),
}

/// A key as it is published.
#[derive(Deserialize)]
struct Published {
    kty: String,
    kid: Option<String>,
    alg: Option<String>,
    #[serde(rename = "use")]
    purpose: Option<String>,
    key_ops: Option<Vec<String>>,
    crv: Option<String>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

/// A set of keys as it is published. Keys that cannot be read are no reason not to take the others.
#[derive(Deserialize)]
pub(super) struct PublishedKeys {
    keys: Vec<Value>,
}

/// The keys of an issuer.
pub(super) struct Keys(Vec<Arc<Key>>);

impl PublishedKeys {
    /// The keys that signatures can be verified with; at least one.
    pub(super) fn usable(self) -> Option<Keys> {
        let published = self.keys.into_iter().take(MOST).filter_map(|key| serde_json::from_value(key).ok());
        let keys: Vec<Arc<Key>> = published.filter_map(Key::new).map(Arc::new).collect();
        (!keys.is_empty()).then_some(Keys(keys))
    }
}

impl Keys {
    /// The key of that id, if it is for the algorithm. Without an id there must be but one that is.
    pub(super) fn find(&self, id: Option<&str>, algorithm: JwtAlgorithm) -> Option<&Arc<Key>> {
        let mut fitting = self.0.iter().filter(|key| key.fits(algorithm));
        match id {
            Some(id) => fitting.find(|key| key.id.as_deref() == Some(id)),
            None => fitting.next().filter(|_| fitting.next().is_none()),
        }
    }
}

impl Key {
    fn new(published: Published) -> Option<Self> {
        let for_signatures = published.purpose.as_deref().is_none_or(|purpose| purpose == "sig")
            && published.key_ops.as_ref().is_none_or(|ops| ops.iter().any(|op| op == "verify"));
        let bytes = |text: Option<&String>| URL_SAFE_NO_PAD.decode(text?).ok();
        let point = |size: usize| {
            let (x, y) = (bytes(published.x.as_ref())?, bytes(published.y.as_ref())?);
            (x.len() == size && y.len() == size).then(|| Material::Point([&[4], &*x, &*y].concat()))
        };
        let (only, material) = match (&*published.kty, published.crv.as_deref()) {
            ("RSA", _) => {
                // Some put a zero in front of a number, so that it does not look negative.
                let number = |text| bytes(text).map(|bytes| bytes.into_iter().skip_while(|byte| *byte == 0).collect());
                let (n, e) = (number(published.n.as_ref())?, number(published.e.as_ref())?);
                (None, Material::Rsa { n, e })
            }
            ("EC", Some("P-256")) => (Some(JwtAlgorithm::Es256), point(32)?),
            ("EC", Some("P-384")) => (Some(JwtAlgorithm::Es384), point(48)?),
            ("OKP", Some("Ed25519")) => (Some(JwtAlgorithm::Ed25519), Material::Point(bytes(published.x.as_ref())?)),
            _ => return None,
        };
        // A key for an algorithm that is not known here is for none that is.
        let named = match &published.alg {
            Some(name) => Some(JwtAlgorithm::from_name(name)?),
            None => None,
        };
        let agree = only.is_none() || named.is_none() || only == named;
        (for_signatures && agree).then_some(Key { id: published.kid, algorithm: named.or(only), material })
    }

    /// Is it a key for that algorithm?
    fn fits(&self, algorithm: JwtAlgorithm) -> bool {
        let of_kind = matches!(self.material, Material::Rsa { .. }) == algorithm.rsa().is_some();
        of_kind && self.algorithm.is_none_or(|own| own == algorithm)
    }

    /// Is that the key's signature of that message?
    pub(super) fn verifies(&self, algorithm: JwtAlgorithm, message: &[u8], signature: &[u8]) -> bool {
        let verified = match (&self.material, algorithm.rsa(), algorithm.curve()) {
            (Material::Rsa { n, e }, Some(rsa), _) => RsaPublicKeyComponents { n, e }.verify(rsa, message, signature),
            (Material::Point(point), _, Some(curve)) => UnparsedPublicKey::new(curve, point).verify(message, signature),
            _ => return false,
        };
        self.fits(algorithm) && verified.is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn keys(keys: Value) -> Keys {
        let published: PublishedKeys = serde_json::from_value(json!({"keys": keys})).expect("a set");
        published.usable().expect("a key")
    }

    /// Of RFC 7515, appendix A.2.
    const N: &str = "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yR\
                     T-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXB\
                     dQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9ia\
                     GNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ";
    const SIGNED: &str = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19y\
                          b290Ijp0cnVlfQ";
    const SIGNATURE: &str = "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujG\
                             bds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K\
                             0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6\
                             LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw";

    #[test]
    fn an_rsa_signature_is_that_of_one_message_in_one_way() {
        let keys = keys(json!([{"kty": "RSA", "n": N, "e": "AQAB"}]));
        let key = keys.find(None, JwtAlgorithm::Rs256).expect("the key");
        let signature = URL_SAFE_NO_PAD.decode(SIGNATURE).expect("base64");
        assert!(key.verifies(JwtAlgorithm::Rs256, SIGNED.as_bytes(), &signature));
        assert!(!key.verifies(JwtAlgorithm::Ps256, SIGNED.as_bytes(), &signature));
        assert!(!key.verifies(JwtAlgorithm::Es256, SIGNED.as_bytes(), &signature));
        assert!(!key.verifies(JwtAlgorithm::Rs256, &SIGNED.as_bytes()[1..], &signature));
        assert!(!key.verifies(JwtAlgorithm::Rs256, SIGNED.as_bytes(), &signature[1..]));
        let padded = URL_SAFE_NO_PAD.encode([&[0], &*URL_SAFE_NO_PAD.decode(N).expect("base64")].concat());
        let padded = self::keys(json!([{"kty": "RSA", "n": padded, "e": "AQAB"}]));
        let key = padded.find(None, JwtAlgorithm::Rs256).expect("the key");
        assert!(key.verifies(JwtAlgorithm::Rs256, SIGNED.as_bytes(), &signature));
    }

    #[test]
    fn a_key_is_for_what_it_says_and_for_nothing_else() {
        let x = URL_SAFE_NO_PAD.encode([1; 32]);
        let ec = json!({"kty": "EC", "crv": "P-256", "x": x, "y": x, "kid": "ec"});
        let set = keys(json!([
            {"kty": "oct", "k": "AAAA", "kid": "secret"},
            {"kty": "new", "kid": "unknown"},
            "no key at all",
            {"kty": "RSA", "n": N, "e": "AQAB", "kid": "enc", "use": "enc"},
            {"kty": "RSA", "n": N, "e": "AQAB", "kid": "ops", "key_ops": ["encrypt"]},
            {"kty": "RSA", "n": N, "e": "AQAB", "kid": "hmac", "alg": "HS256"},
            {"kty": "EC", "crv": "P-256", "x": x, "y": x, "kid": "other", "alg": "ES384"},
            {"kty": "EC", "crv": "P-256", "x": "AQ", "y": x, "kid": "short"},
            {"kty": "RSA", "n": N, "e": "AQAB", "kid": "ps", "alg": "PS256", "use": "sig"},
            ec,
        ]));
        assert_eq!(set.0.len(), 2);
        assert!(set.find(Some("ps"), JwtAlgorithm::Ps256).is_some());
        assert!(set.find(Some("ps"), JwtAlgorithm::Rs256).is_none());
        assert!(set.find(Some("ps"), JwtAlgorithm::Es256).is_none());
        assert!(
            set.find(Some("ec"), JwtAlgorithm::Es256).is_some() && set.find(Some("ec"), JwtAlgorithm::Rs256).is_none()
        );
        assert!(set.find(None, JwtAlgorithm::Es256).is_some());
        let two = keys(json!([ec, ec]));
        assert!(two.find(None, JwtAlgorithm::Es256).is_none(), "nobody knows which");
    }
}
