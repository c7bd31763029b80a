import ChatDBKit
import Testing

/// Texts that PostgreSQL does not store. Rule: docs/copying.md, "What is refused".
@Suite struct TextBytesTests {
    private func fault(_ bytes: [UInt8]) -> TextFault? { bytes.withUnsafeBytes(TextBytes.fault(in:)) }

    @Test("random bytes are UTF-8 for the check where they are for Swift, whatever stands around them")
    func random() {
        var generator = SystemRandomNumberGenerator()
        let parts: [[UInt8]] = [
            [0xC2, 0x80], [0xDF, 0xBF], [0xE0, 0xA0, 0x80], [0xED, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xEF, 0xBF, 0xBF],
            [0xF0, 0x90, 0x80, 0x80], [0xF4, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xC0, 0x80],
            [0xE0, 0x80, 0x80],
            [0xF0, 0x80, 0x80, 0x80], [0xFF], [0x80], [0x41], [0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48],
        ]
        for _ in 0..<20_000 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 0..<6, using: &generator) {
                bytes += Bool.random() ? (parts.randomElement() ?? []) : [UInt8.random(in: 1...255, using: &generator)]
            }
            let isValid = String(validating: bytes, as: UTF8.self) != nil
            #expect((fault(bytes) == nil) == isValid, "\(bytes)")
        }
    }

    @Test("a NUL byte is found at every place")
    func nul() {
        for count in 0..<40 {
            for place in 0..<count {
                var bytes = [UInt8](repeating: 0x7F, count: count)
                #expect(fault(bytes) == nil)
                bytes[place] = 0
                #expect(fault(bytes) == .nul)
                bytes[(place + 1) % count] = 0xFF
                if count > 1 { #expect(fault(bytes) == .nul) }
            }
        }
    }

    @Test("a repaired text has U+FFFD for NUL and for bytes that are not UTF-8, and nothing else changes")
    func repaired() {
        let bytes: [UInt8] = [0x61, 0, 0xC3, 0xA9, 0xFF, 0x62]
        let text = bytes.withUnsafeBytes { String(decoding: TextBytes.repaired($0), as: UTF8.self) }
        #expect(text == "a\u{FFFD}é\u{FFFD}b")
        #expect(Array(text.utf8).withUnsafeBytes(TextBytes.fault(in:)) == nil)
    }
}
