import ChatDBKit

extension NetworkError: Hinted {
    var hint: Hint? {
        switch self {
        case .tlsLibraryMissing: "install OpenSSL 3 (on Debian and Ubuntu: apt-get install libssl3)"
        case .tlsLibraryUnsuitable: "use an OpenSSL 3 that has them: builds and configurations for FIPS do not"
        case .noNetwork: "check the network of this machine, or try again with a longer --timeout"
        }
    }
}

extension QRCodeError: Hinted {
    var hint: Hint? {
        switch self {
        case .libraryMissing: "install libqrencode (on Debian and Ubuntu: apt-get install libqrencode4)"
        case .readerMissing:
            "install zbar-tools (on Debian and Ubuntu: apt-get install zbar-tools), or give the address as text"
        case .noCode, .severalCodes: "cut the picture down to one QR code, or give the address as text"
        case .textTooLong, .readerFailed, .fileNotFound, .cannotRead, .notPicture: nil
        }
    }
}
