extension Sequence<UInt8> {
    /// Two lower-case digits for each byte.
    var hexadecimal: String {
        reduce(into: "") { text, byte in text += (byte < 0x10 ? "0" : "") + String(byte, radix: 16) }
    }
}
