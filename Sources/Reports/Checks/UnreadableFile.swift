package import ChatDBKit

/// A database that cannot be read, with its path. The error of SQLite does not name the file.
package struct UnreadableFile: ChatDBError {
    package let error: StoreError
    package let path: String

    package init(_ problem: StoreStatus.Problem) {
        error = problem.error
        path = problem.path
    }

    package var info: ErrorInfo { error.info(about: path) }
}
