import ChatDBSchema

let base64url = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

/// A key as relays have them.
let sampleKey = "Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw"
/// Another key.
let otherKey = "_qlQfogHGDJ8MAF2wKmkglRBM-xHR142gDJstKiGRQQ"

extension SplitMix64 {
    /// 32 bytes in base64url without padding: the last character is one of sixteen.
    mutating func key() -> String {
        text(of: base64url, count: 42...42) + text(of: "AEIMQUYcgkosw048", count: 1...1)
    }

    mutating func host() -> String {
        switch Int.random(in: 0..<6, using: &self) {
        case 0: text(of: "abcdefghijklmnopqrstuvwxyz234567", count: 56...56) + ".onion"
        case 1: (0..<4).map { _ in String(UInt8.random(in: 0...255, using: &self)) }.joined(separator: ".")
        case 2: "[2001:db8::" + text(of: "0123456789abcdefABCDEF", count: 1...4) + "]"
        default: text(of: "abcXYZ09", count: 1...12) + "." + text(of: "abcdeXY-", count: 0...5) + "m.example"
        }
    }

    mutating func hosts() -> [String] {
        (0..<Int.random(in: 1...4, using: &self)).map { _ in
            let name = host()
            return name.contains(".-") ? "h.example" : name
        }
    }

    mutating func port() -> UInt16? {
        bool() ? UInt16.random(in: 1...65535, using: &self) : nil
    }

    /// A valid address, its parameters in any order.
    mutating func relayAddress() -> String {
        let hosts = hosts()
        let isHTTPS = bool()
        let named = isHTTPS ? Array(hosts.dropFirst()) : hosts
        var parameters = named.isEmpty ? [] : ["h=" + named.joined(separator: bool() ? "," : "%2C")]
        if let port = port() { parameters.append("p=\(port)") }
        if bool() { parameters.append("c=" + key()) }
        parameters.shuffle(using: &self)
        let begin = isHTTPS ? "https://" + hosts[0] : "simplex:"
        return begin + (bool() ? "/r#" : "/a#") + key()
            + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&"))
    }

    /// The text with some bytes changed, dropped and added at random.
    mutating func damaged(_ text: String) -> String {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 1...4, using: &self) {
            let place = bytes.isEmpty ? 0 : Int.random(in: 0..<bytes.count, using: &self)
            switch Int.random(in: 0..<4, using: &self) {
            case 0 where !bytes.isEmpty: bytes[place] = UInt8.random(in: 0...255, using: &self)
            case 1 where !bytes.isEmpty: bytes.remove(at: place)
            case 2: bytes.insert(contentsOf: Array("@:/?#&=%,[]".utf8).shuffled(using: &self).prefix(2), at: place)
            default: bytes = Array(bytes.prefix(place))
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
