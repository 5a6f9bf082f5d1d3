//! Signatures of tokens, checked by `ring`, for `jsonwebtoken`. Only those of public keys: there is no HMAC here, so a
//! public key can't be taken for a secret, and no way to sign.

use jsonwebtoken::crypto::{CryptoProvider, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{Error, ErrorKind};
use jsonwebtoken::signature::{self, Verifier};
use jsonwebtoken::{Algorithm, DecodingKey, DecodingKeyKind};
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P384_SHA384_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256,
    RSA_PKCS1_2048_8192_SHA384, RSA_PKCS1_2048_8192_SHA512, RSA_PSS_2048_8192_SHA256,
    RSA_PSS_2048_8192_SHA384, RSA_PSS_2048_8192_SHA512, RsaParameters, RsaPublicKeyComponents,
    UnparsedPublicKey, VerificationAlgorithm,
};

static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: |_, _| Err(ErrorKind::UnsupportedAlgorithm.into()),
    verifier_factory: verifier,
    key_utils: KeyUtils::new_unimplemented(),
};

/// Once for the process.
pub(super) fn install() {
    // Another door of this process has installed the same.
    let _ = PROVIDER.install_default();
}

enum Key {
    Rsa { parameters: &'static RsaParameters, n: Vec<u8>, e: Vec<u8> },
    Other { algorithm: &'static dyn VerificationAlgorithm, bytes: Vec<u8> },
}

struct Ring {
    algorithm: Algorithm,
    key: Key,
}

fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>, Error> {
    let refused = || Error::from(ErrorKind::UnsupportedAlgorithm);
    if algorithm.family() != key.family() {
        return Err(refused());
    }
    let parameters = match algorithm {
        Algorithm::RS256 => Some(&RSA_PKCS1_2048_8192_SHA256),
        Algorithm::RS384 => Some(&RSA_PKCS1_2048_8192_SHA384),
        Algorithm::RS512 => Some(&RSA_PKCS1_2048_8192_SHA512),
        Algorithm::PS256 => Some(&RSA_PSS_2048_8192_SHA256),
        Algorithm::PS384 => Some(&RSA_PSS_2048_8192_SHA384),
        Algorithm::PS512 => Some(&RSA_PSS_2048_8192_SHA512),
        _ => None,
    };
    let other: Option<&'static dyn VerificationAlgorithm> = match algorithm {
        Algorithm::ES256 => Some(&ECDSA_P256_SHA256_FIXED),
        Algorithm::ES384 => Some(&ECDSA_P384_SHA384_FIXED),
        Algorithm::EdDSA => Some(&ED25519),
        _ => None,
    };
    let key = match (parameters, other, key.kind()) {
        (Some(parameters), _, DecodingKeyKind::RsaModulusExponent { n, e }) => {
            Key::Rsa { parameters, n: n.clone(), e: e.clone() }
        }
        (_, Some(algorithm), DecodingKeyKind::SecretOrDer(bytes)) => {
            Key::Other { algorithm, bytes: bytes.clone() }
        }
        _ => return Err(refused()),
    };
    Ok(Box::new(Ring { algorithm: *algorithm, key }))
}

impl Verifier<Vec<u8>> for Ring {
    fn verify(&self, message: &[u8], said: &Vec<u8>) -> Result<(), signature::Error> {
        let is_right = match &self.key {
            Key::Rsa { parameters, n, e } => {
                RsaPublicKeyComponents { n, e }.verify(parameters, message, said)
            }
            Key::Other { algorithm, bytes } => {
                UnparsedPublicKey::new(*algorithm, bytes).verify(message, said)
            }
        };
        is_right.map_err(|_| signature::Error::new())
    }
}

impl JwtVerifier for Ring {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}
