import Foundation
import Testing

@testable import ChatDBEngine

/// Room on the disk, of places that are still to be made too.
@Suite struct FileSpaceTests {
    @Test("a folder that is still to be made has the room of the one it will be in")
    func missingFolder() throws {
        let here = NSTemporaryDirectory()
        for path in [here, here + "/no/such/folder", "no/such/folder", "/no-such-folder"] {
            #expect(try #require(FileSpace.free(at: path), "\(path)") > 0)
        }
        #expect(FileSpace.isShared(here, here + "/no/such/folder"))
    }

    #if os(Linux)
        @Test("another file system is not shared")
        func another() {
            #expect(!FileSpace.isShared(NSTemporaryDirectory(), "/proc/self"))
        }
    #endif
}
