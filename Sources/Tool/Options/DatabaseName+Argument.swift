public import ArgumentParser
public import ChatDBKit

/// `chat` or `agent`, as `--only` takes them.
extension DatabaseName: ExpressibleByArgument {}
