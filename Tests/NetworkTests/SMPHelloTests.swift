import Testing

@testable import ChatDBNetwork

@Suite("the first block of SMP")
struct SMPHelloTests {
    private func block(_ content: [UInt8], length: Int? = nil) -> [UInt8] {
        let length = length ?? content.count
        let start = [UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length)] + content
        return start + [UInt8](repeating: 0x23, count: SMPHello.blockSize - start.count)
    }

    @Test("The versions are read, whatever follows the session identifier")
    func versions() throws {
        #expect(try SMPHello.versions(in: block([0, 6, 0, 18, 2, 1, 1])) == 6...18)
        #expect(try SMPHello.versions(in: block([1, 0, 1, 1, 0, 9, 9, 9])) == 256...257)
        #expect(try SMPHello.versions(in: block([0, 1, 0, 1, 0])) == 1...1)
    }

    @Test("Anything else is refused")
    func refused() {
        let wrong = [
            block([]), block([0, 6, 0, 18]), block([0, 6, 0, 18, 0], length: 4), block([0, 18, 0, 6, 0]),
            block([0, 0, 0, 6, 0]), block([0, 6, 0, 18, 3, 1, 1]), block([0, 6, 0, 18, 0], length: 16_383), [], [0, 5],
            [0, 5, 0, 6, 0, 18], [UInt8](repeating: 0, count: SMPHello.blockSize),
            [UInt8](repeating: 0xFF, count: SMPHello.blockSize),
        ]
        for bytes in wrong {
            #expect(throws: ServerTestFailure(.handshake, .notSMP)) { try SMPHello.versions(in: bytes) }
        }
    }

    @Test("Random blocks give versions or the error, and never a crash")
    func random() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let size = Int.random(in: 0...64, using: &generator)
            let bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &generator) }
            do {
                let versions = try SMPHello.versions(in: bytes)
                #expect(versions.lowerBound >= 1)
            } catch {
                #expect(error == ServerTestFailure(.handshake, .notSMP))
            }
        }
    }
}
