public import ArgumentParser
public import ChatDBKit

/// A protocol on the command line: `smp` or `xftp`.
extension ServerProtocol: ExpressibleByArgument {}
