import ChatDBEngine
import Testing

@Suite("parts of paths") struct PathTests {
    @Test(
        "the folder and the last name of a path, also of one character, without a folder, and of the root",
        arguments: [
            ("n", ".", "n"), ("-", ".", "-"), ("", ".", ""), ("new.zip", ".", "new.zip"), ("a/n", "a", "n"),
            ("/n", "/", "n"), ("/", "/", "/"), ("//", "/", "/"), ("/a/b/", "/a", "b"), ("a//b", "a", "b"),
            ("a/\u{301}b", "a", "\u{301}b"), ("é/\r\n", "é", "\r\n"),
        ])
    func parts(_ path: String, _ folder: String, _ name: String) {
        #expect(parentFolder(of: path) == folder)
        #expect(fileName(of: path) == name)
    }
}
