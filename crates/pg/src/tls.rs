//! How connections are protected: by TLS with the certificates of the system, or by a socket of this machine.

use std::sync::Arc;

use rustls::{ClientConfig, RootCertStore};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::error::PgError;

/// Local sockets need no TLS; every other connection may have it, by its `sslmode`.
pub(crate) fn is_socket(host: &tokio_postgres::config::Host) -> bool {
    matches!(host, tokio_postgres::config::Host::Unix(_))
}

pub(crate) fn tls() -> Result<MakeRustlsConnect, PgError> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| PgError::refused(error.to_string()))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}
