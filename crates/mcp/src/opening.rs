//! How a connection begins, and what may not end it there.

use rmcp::model::{ClientJsonRpcMessage, ClientRequest, GetMeta, JsonRpcMessage, ProtocolVersion};

/// The SDK hangs up on anything but a request before the connection is open. Clients do send such a
/// thing: the word that a `server/discover` is given up, before they shake hands.
#[derive(Default)]
pub(crate) struct Opening {
    is_open: bool,
}

impl Opening {
    pub(crate) fn lets_in(&mut self, message: &ClientJsonRpcMessage) -> bool {
        if self.is_open {
            return true;
        }
        let JsonRpcMessage::Request(request) = message else { return false };
        self.is_open = opens(&request.request);
        true
    }
}

/// The same that the SDK goes by: a handshake, or a request that says all for itself.
fn opens(request: &ClientRequest) -> bool {
    match request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => false,
        request => {
            let meta = request.get_meta();
            let is_known = |version| ProtocolVersion::KNOWN_VERSIONS.contains(&version);
            meta.missing_required_keys(&ProtocolVersion::V_2026_07_28).is_empty()
                && meta.protocol_version().is_some_and(is_known)
        }
    }
}
