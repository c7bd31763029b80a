// The system's C library under one name, so that no other file asks which system it is built for. A module of its own,
// because `@_exported` takes public imports only: with the import in a library, an app that embeds the library would
// get every name of the C library too. Modules import this one without `public`.

#if canImport(Glibc)
    @_exported public import Glibc
#elseif canImport(Musl)
    @_exported public import Musl
#else
    @_exported public import Darwin
#endif
