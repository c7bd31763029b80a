#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Errors of the operating system in the seam's words.
package enum SystemError {
    /// The error of the call that just failed, with what could not be done.
    package static func current(_ what: String) -> StoreError {
        error(errno, what)
    }

    /// An error number with what could not be done.
    package static func error(_ number: CInt, _ what: String) -> StoreError {
        let kind: StoreError.Kind =
            switch number {
            case ENOSPC, EDQUOT: .diskFull
            case EROFS, EACCES, EPERM: .readOnly
            case ENOENT: .missing
            default: .inputOutput
            }
        return StoreError(kind, "\(what): \(String(cString: strerror(number)))", engineCode: Int(number))
    }
}
