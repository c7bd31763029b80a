import GRDBSQLite

/// A file of a VFS of ours in the form in which SQLite has it: SQLite's part, an object of ours, and behind them the
/// file of the system's VFS, which does everything that the object does not do.
enum WrappedFile {
    typealias Handle = UnsafeMutablePointer<sqlite3_file>
    typealias Methods = UnsafeMutablePointer<sqlite3_io_methods>
    /// The file of the system's VFS and its functions.
    typealias System = (file: Handle, methods: sqlite3_io_methods)

    private struct Beginning {
        var base: sqlite3_file
        var object: Unmanaged<AnyObject>
    }

    /// Bytes before the system's file, which needs the alignment of a pointer.
    static let length = (MemoryLayout<Beginning>.stride + 15) & ~15

    /// Gives a file, whose part of the system is open, its object and functions.
    static func begin(_ file: Handle, _ methods: Methods, _ object: AnyObject) {
        UnsafeMutableRawPointer(file).initializeMemory(
            as: Beginning.self,
            to: Beginning(base: sqlite3_file(pMethods: UnsafePointer(methods)), object: .passRetained(object)))
    }

    /// The place of the system's file.
    static func place(ofSystemIn file: Handle) -> Handle {
        (UnsafeMutableRawPointer(file) + length).assumingMemoryBound(to: sqlite3_file.self)
    }

    static func system(_ file: Handle?) -> System? {
        guard let file else { return nil }
        let system = place(ofSystemIn: file)
        return system.pointee.pMethods.map { (system, $0.pointee) }
    }

    /// The object of a file. Only for a file with functions that belong to objects of this type.
    static func object<Object: AnyObject>(_ file: Handle?, _: Object.Type) -> Object? {
        file.map { file in
            let beginning = UnsafeMutableRawPointer(file).assumingMemoryBound(to: Beginning.self)
            return unsafeDowncast(beginning.pointee.object.takeUnretainedValue(), to: Object.self)
        }
    }

    /// Functions that pass everything on to the system, except for those that the closure sets. They have version 1 of
    /// SQLite's interface: without shared memory and memory maps, so never in WAL mode.
    static func methods(_ change: (inout sqlite3_io_methods) -> Void) -> Methods {
        var methods = sqlite3_io_methods()
        methods.iVersion = 1
        methods.xClose = { file in
            guard let file, let system = WrappedFile.system(file) else { return SQLITE_OK }
            defer {
                UnsafeMutableRawPointer(file).assumingMemoryBound(to: Beginning.self).pointee.object.release()
            }
            return system.methods.xClose(system.file)
        }
        methods.xRead = { file, buffer, count, offset in
            WrappedFile.system(file).map { $0.methods.xRead($0.file, buffer, count, offset) } ?? SQLITE_IOERR
        }
        methods.xWrite = { file, buffer, count, offset in
            WrappedFile.system(file).map { $0.methods.xWrite($0.file, buffer, count, offset) } ?? SQLITE_IOERR
        }
        methods.xTruncate = { file, size in
            WrappedFile.system(file).map { $0.methods.xTruncate($0.file, size) } ?? SQLITE_IOERR
        }
        methods.xSync = { file, flags in
            WrappedFile.system(file).map { $0.methods.xSync($0.file, flags) } ?? SQLITE_IOERR
        }
        methods.xFileSize = { file, size in
            WrappedFile.system(file).map { $0.methods.xFileSize($0.file, size) } ?? SQLITE_IOERR
        }
        methods.xLock = { file, lock in WrappedFile.system(file).map { $0.methods.xLock($0.file, lock) } ?? SQLITE_IOERR
        }
        methods.xUnlock = { file, lock in
            WrappedFile.system(file).map { $0.methods.xUnlock($0.file, lock) } ?? SQLITE_IOERR
        }
        methods.xCheckReservedLock = { file, isReserved in
            WrappedFile.system(file).map { $0.methods.xCheckReservedLock($0.file, isReserved) } ?? SQLITE_IOERR
        }
        methods.xFileControl = { file, operation, argument in
            WrappedFile.system(file).map { $0.methods.xFileControl($0.file, operation, argument) } ?? SQLITE_NOTFOUND
        }
        methods.xSectorSize = { file in WrappedFile.system(file).map { $0.methods.xSectorSize($0.file) } ?? 4_096 }
        methods.xDeviceCharacteristics = { file in
            WrappedFile.system(file).map { $0.methods.xDeviceCharacteristics($0.file) } ?? 0
        }
        change(&methods)
        let memory = Methods.allocate(capacity: 1)
        memory.initialize(to: methods)
        return memory
    }
}
