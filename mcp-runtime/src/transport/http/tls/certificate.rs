//! The certificate of a server, which may be renewed while it runs.

use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use sha2::{Digest, Sha256};
use std::fmt::{self, Display};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

/// A certificate and where it comes from.
pub(super) struct Certificate {
    chain: PathBuf,
    key: PathBuf,
    provider: Arc<CryptoProvider>,
    shown: RwLock<Arc<CertifiedKey>>,
    /// What was found in the files last, good or bad: nothing is done, or said, twice.
    last: Mutex<Last>,
}

#[derive(PartialEq)]
enum Last {
    Content([u8; 32]),
    Unreadable(String),
}

/// The bytes of both files.
struct Content {
    chain: Vec<u8>,
    key: Vec<u8>,
}

impl Certificate {
    pub(super) fn read(chain: &Path, key: &Path, provider: &Arc<CryptoProvider>) -> io::Result<Self> {
        let content = Content::read(chain, key)?;
        let certified = content.certified(chain, key, provider)?;
        Ok(Certificate {
            chain: chain.to_owned(),
            key: key.to_owned(),
            provider: Arc::clone(provider),
            shown: RwLock::new(Arc::new(certified)),
            last: Mutex::new(Last::Content(content.digest())),
        })
    }

    /// Reads the files again.
    pub(super) fn renew(&self) {
        let content = Content::read(&self.chain, &self.key);
        let found = match &content {
            Ok(content) => Last::Content(content.digest()),
            Err(error) => Last::Unreadable(error.to_string()),
        };
        {
            let mut last = self.last();
            if *last == found {
                return;
            }
            *last = found;
        }
        match content.and_then(|content| content.certified(&self.chain, &self.key, &self.provider)) {
            Ok(certified) => {
                *self.shown.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(certified);
                tracing::info!(chain = %self.chain.display(), "the certificate was renewed");
            }
            Err(error) => tracing::error!(%error, "the certificate stays the old one: the new one cannot be used"),
        }
    }

    fn last(&self) -> MutexGuard<'_, Last> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Content {
    fn read(chain: &Path, key: &Path) -> io::Result<Self> {
        let read = |path: &Path| fs::read(path).map_err(|error| io::Error::new(error.kind(), about(path, error)));
        Ok(Content { chain: read(chain)?, key: read(key)? })
    }

    /// What tells these files from others, without keeping the key for that.
    fn digest(&self) -> [u8; 32] {
        let mut hash = Sha256::new();
        for part in [&self.chain, &self.key] {
            hash.update(part.len().to_le_bytes());
            hash.update(part);
        }
        hash.finalize().into()
    }

    /// The certificate with its key, which must be the right one.
    fn certified(&self, chain: &Path, key: &Path, provider: &CryptoProvider) -> io::Result<CertifiedKey> {
        let certificates: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&self.chain).collect();
        let certificates = certificates.map_err(|error| invalid(chain, error))?;
        if certificates.is_empty() {
            return Err(invalid(chain, "there is no certificate in it"));
        }
        let private = PrivateKeyDer::from_pem_slice(&self.key).map_err(|error| invalid(key, error))?;
        CertifiedKey::from_der(certificates, private, provider).map_err(|error| invalid(key, error))
    }
}

fn invalid(path: &Path, problem: impl Display) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, about(path, problem))
}

fn about(path: &Path, problem: impl Display) -> String {
    format!("{}: {problem}", path.display())
}

impl ResolvesServerCert for Certificate {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.shown.read().unwrap_or_else(PoisonError::into_inner)))
    }
}

impl fmt::Debug for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Certificate").field("chain", &self.chain).finish_non_exhaustive()
    }
}
