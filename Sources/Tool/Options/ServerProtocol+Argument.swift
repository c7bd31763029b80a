public import ArgumentParser
public import Schema

/// A protocol on the command line: `smp` or `xftp`.
extension ServerProtocol: ExpressibleByArgument {}
