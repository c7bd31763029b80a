import ChatDBKit
import ChatDBRequests
import Foundation

// The functions of chatdb.h, which says what each does. Rule: docs/c.md.

/// Opens a store.
@_cdecl("chatdb_open")
public func open(
    _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<CChar>?, _ store: UnsafeMutablePointer<Int64>?
) -> UnsafeMutablePointer<CChar>? {
    store?.pointee = 0
    let answer = CAnswer.of {
        guard let store else { throw CLibraryError.null("store") }
        let opening = try Opening(path: CText.required(path, "path"), options: CText.optional(options, "options"))
        let (opened, answer) = try opening.open()
        store.pointee = OpenStores.shared.add(opened)
        return answer
    }
    return CText.copy(answer)
}

/// Answers a request.
@_cdecl("chatdb_request")
public func request(_ store: Int64, _ request: UnsafePointer<CChar>?) -> UnsafeMutablePointer<CChar>? {
    respond(store, request, readOnly: false)
}

/// Answers a request that only reads.
@_cdecl("chatdb_query")
public func query(_ store: Int64, _ request: UnsafePointer<CChar>?) -> UnsafeMutablePointer<CChar>? {
    respond(store, request, readOnly: true)
}

/// Waits for the next event.
@_cdecl("chatdb_receive")
public func receive(_ store: Int64, _ milliseconds: Int64) -> UnsafeMutablePointer<CChar>? {
    OpenStores.shared[store]?.receive(within: milliseconds < 0 ? nil : .milliseconds(milliseconds))
        .flatMap(CText.copy)
}

/// Releases a text.
@_cdecl("chatdb_free")
public func free(_ text: UnsafeMutablePointer<CChar>?) { Foundation.free(text) }

/// Closes a store.
@_cdecl("chatdb_close")
public func close(_ store: Int64) { OpenStores.shared.remove(store)?.close() }

/// The version of the library.
@_cdecl("chatdb_version")
public func version() -> UnsafePointer<CChar>? { CText.version }

private func respond(
    _ store: Int64, _ request: UnsafePointer<CChar>?, readOnly: Bool
) -> UnsafeMutablePointer<CChar>? {
    guard let open = OpenStores.shared[store] else { return CText.copy(CAnswer.error(CLibraryError.notOpen)) }
    guard let request else { return CText.copy(CAnswer.error(CLibraryError.null("request"))) }
    let bytes = UnsafeBufferPointer(start: request, count: strlen(request))
    return bytes.withMemoryRebound(to: UInt8.self) { open.session.respond(to: $0, readOnly: readOnly) }
        .flatMap(CText.copy)
}
