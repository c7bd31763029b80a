import Foundation
import Testing

@testable import ChatDBEngine

/// Free space of file systems, also for paths that do not exist yet.
@Suite struct DiskTests {
    @Test("a folder that does not exist yet has the free space of its parent")
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
