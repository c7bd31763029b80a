import ArgumentParser

/// The options of commands that show an address.
struct QROptions: ParsableArguments {
    @Flag(help: "Draw the address as a QR code too.")
    var qr = false

    @Option(
        help: ArgumentHelp(
            "Write the QR code of the address to this file, whose name ends with .svg or .png.", valueName: "file"),
        completion: .file(extensions: ["svg", "png"]))
    var qrFile: String?

    @Flag(help: "Replace the file of the QR code if it exists.")
    var force = false

    func validate() throws {
        if qrFile != nil, kind == nil { throw ValidationError("--qr-file takes a name that ends with .svg or .png") }
        if force, qrFile == nil { throw ValidationError("--force can be used only with --qr-file") }
    }

    /// Whether a code was asked for.
    var isGiven: Bool { qr || qrFile != nil }

    /// The kinds of pictures that chatdb writes.
    enum Kind: String, CaseIterable {
        case svg
        case png
    }

    /// The kind of the picture, by the name of the file.
    var kind: Kind? { Kind.allCases.first { qrFile?.lowercased().hasSuffix(".\($0.rawValue)") == true } }
}

/// The option of commands that take an address: it can be in a picture.
struct QRPictureOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read the address from the QR code in a picture, in PNG or JPEG. Needs zbarimg.", valueName: "picture"),
        completion: .file(extensions: ["png", "jpg", "jpeg"]))
    var qrFile: String?
}
