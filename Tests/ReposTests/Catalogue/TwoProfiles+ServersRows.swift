extension TwoProfiles {
    /// Makes nothing be missing among the servers of a profile, so that validation has nothing to tell of it to the
    /// other.
    static func serversRows(_ things: Things) -> [String] {
        ["UPDATE protocol_servers SET role_names = 1 WHERE smp_server_id = \(things.smpServer)"]
    }
}
