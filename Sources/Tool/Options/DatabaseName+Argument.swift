public import ArgumentParser
public import Schema

/// `chat` or `agent`, as `--only` takes them.
extension DatabaseName: ExpressibleByArgument {}
