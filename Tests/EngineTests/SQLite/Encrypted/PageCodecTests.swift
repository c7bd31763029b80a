import ChatDBKit
import Testing

/// The encryption of pages. Rule: docs/encryption.md, "The format".
@Suite("encryption of pages")
struct PageCodecTests {
    private static let salt: [UInt8] = Array(1...16)
    private static let magic = Array("SQLite format 3\0".utf8)

    private func codec(_ format: CipherFormat = .version4, _ digits: String = "2f") throws -> PageCodec {
        let key = Passphrase("x'\(String(repeating: digits, count: 32))'".utf8)
        return try #require(PageCodec(key, salt: Self.salt, format, pageSize: 4_096))
    }

    /// A page with content, and zeros in its reserved bytes.
    private func page(_ format: CipherFormat = .version4, first: Bool = false) -> [UInt8] {
        var page = (0..<4_096).map { UInt8(truncatingIfNeeded: $0 / 3) }
        if first { page.replaceSubrange(0..<16, with: Self.magic) }
        page.replaceSubrange((4_096 - format.reserved)..., with: [UInt8](repeating: 0, count: format.reserved))
        return page
    }

    private func encrypted(_ page: [UInt8], _ codec: PageCodec, number: UInt32) throws -> [UInt8] {
        var page = page
        try page.withUnsafeMutableBytes { try codec.encrypt($0, number: number) }
        return page
    }

    private func decrypted(_ page: [UInt8], _ codec: PageCodec, number: UInt32) throws -> [UInt8] {
        var page = page
        try page.withUnsafeMutableBytes { try codec.decrypt($0, number: number) }
        return page
    }

    @Test("a page that was encrypted is decrypted to the same content", arguments: [UInt32(1), 2, 262_145, .max])
    func roundTrip(number: UInt32) throws {
        for format in [CipherFormat.version4, .version3] {
            let (page, codec) = (page(format, first: number == 1), try codec(format))
            let secret = try encrypted(page, codec, number: number)
            #expect(secret != page)
            #expect(try decrypted(secret, codec, number: number) == page)
        }
    }

    @Test("the first page begins with the salt, and no other page does")
    func salt() throws {
        let codec = try codec()
        #expect(try encrypted(page(first: true), codec, number: 1).starts(with: Self.salt))
        #expect(try !encrypted(page(), codec, number: 2).starts(with: Self.salt))
    }

    @Test("the same content gives other bytes each time, so that nobody sees that a page did not change")
    func vectors() throws {
        let codec = try codec()
        let pages = try Set((0..<50).map { _ in try encrypted(page(), codec, number: 2) })
        #expect(pages.count == 50)
        #expect(Set(pages.map { Array($0[..<16]) }).count == 50)
        #expect(Set(pages.map { Array($0[4_016..<4_032]) }).count == 50)
    }

    @Test("a page of zeros is encrypted too, and decrypted to zeros")
    func zeros() throws {
        let (zeros, codec) = ([UInt8](repeating: 0, count: 4_096), try codec())
        let secret = try encrypted(zeros, codec, number: 3)
        #expect(secret.count { $0 == 0 } < 100)
        #expect(try decrypted(secret, codec, number: 3) == zeros)
    }

    @Test("a page does not fit another number, another key or another byte")
    func changes() throws {
        let codec = try codec()
        let secret = try encrypted(page(), codec, number: 2)
        #expect(throws: PageCodec.NotAuthentic.self) { try decrypted(secret, codec, number: 3) }
        #expect(throws: PageCodec.NotAuthentic.self) { try decrypted(secret, self.codec(.version4, "2e"), number: 2) }
        for place in [0, 2_000, 4_015, 4_016, 4_032, 4_095] {
            var changed = secret
            changed[place] ^= 1
            #expect(throws: PageCodec.NotAuthentic.self) { try decrypted(changed, codec, number: 2) }
        }
    }
}
