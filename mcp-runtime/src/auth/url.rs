//! Which URLs name servers that can be trusted to be who they are.

use http::Uri;
use std::net::IpAddr;

/// Reads the URL of a server that answers by HTTPS. Plain HTTP is good for this machine alone, whose wires nobody taps.
pub(super) fn secure(text: &str) -> Result<Uri, String> {
    let fits = |b: u8| b.is_ascii_graphic() && !b"\"\\<>^`{|}#".contains(&b);
    if !text.bytes().all(fits) {
        return Err(format!("`{text}` has characters that it should not, or a fragment"));
    }
    let uri: Uri = text.parse().map_err(|_| format!("`{text}` is no URL"))?;
    let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
        return Err(format!("`{text}` is no absolute URL such as `https://mcp.example.com/mcp`"));
    };
    if authority.as_str().contains('@') {
        return Err(format!("`{text}` contains a user"));
    }
    match scheme {
        "https" => Ok(uri),
        "http" if is_loopback(authority.host()) => Ok(uri),
        _ => Err(format!("`{text}` does not begin with `https://`, which only names of this machine need not")),
    }
}

/// Reads the identifier of an issuer, or of a resource: a URL as clients write it, without a query if so `plain`.
pub(super) fn identifier(text: &str, plain: bool) -> Result<Uri, String> {
    let uri = secure(text)?;
    if plain && text.contains('?') {
        return Err(format!("`{text}` has a query"));
    }
    Ok(uri)
}

fn is_loopback(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost") || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Scheme and authority of an identifier.
pub(super) fn origin(uri: &Uri) -> String {
    let (scheme, authority) = (uri.scheme_str().unwrap_or_default(), uri.authority().map_or("", |a| a.as_str()));
    format!("{scheme}://{authority}")
}

/// The path of an identifier; nothing if it is that of the root.
pub(super) fn path(uri: &Uri) -> &str {
    uri.path().trim_end_matches('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_https_and_this_machine_are_trusted() {
        for good in [
            "https://login.example.com",
            "https://login.example.com:8443/tenant/1",
            "http://localhost:1/x",
            "http://127.0.0.1",
            "http://[::1]:9",
        ] {
            assert!(secure(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "login.example.com",
            "/mcp",
            "http://login.example.com",
            "http://127.0.0.1.example.com",
            "http://localhost.example.com",
            "ftp://localhost",
            "https://a@b.example.com",
            "https://x.example.com#f",
            "https://x.example.com/\"",
            "https://x.example.com/ y",
        ] {
            assert!(secure(bad).is_err(), "{bad}");
        }
        assert!(identifier("https://x.example.com?a=b", true).is_err());
    }
}
