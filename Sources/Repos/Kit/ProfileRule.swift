package import ChatDBSchema
import Foundation

/// The rules for what a profile says of itself besides its name, with the limits of SimpleX Chat's app.
package enum ProfileRule {
    /// The most characters of a picture, as the text of a data URI.
    package static let largestPicture = 12_500
    /// The most bytes of the short description, as they are in a JSON text.
    package static let longestShortDescription = 160

    /// The details with checked texts; blanks at both ends of the texts are dropped, and an empty one becomes nil. Parts
    /// that are as in `old` stay as they are: an app may have stored them by other rules.
    package static func checked(
        _ given: ProfileDetails, over old: ProfileDetails
    ) throws(ProfileProblem) -> ProfileDetails {
        var changed = given
        if given.fullName == old.fullName { changed.fullName = "" }
        if given.shortDescription == old.shortDescription { changed.shortDescription = nil }
        if given.description == old.description { changed.description = nil }
        if given.image == old.image { changed.image = nil }
        if given.contactLink == old.contactLink { changed.contactLink = nil }
        if given.preferences == old.preferences { changed.preferences = nil }
        var details = try checked(changed)
        if given.fullName == old.fullName { details.fullName = old.fullName }
        if given.shortDescription == old.shortDescription { details.shortDescription = old.shortDescription }
        if given.description == old.description { details.description = old.description }
        if given.image == old.image { details.image = old.image }
        if given.contactLink == old.contactLink { details.contactLink = old.contactLink }
        if given.preferences == old.preferences { details.preferences = old.preferences }
        return details
    }

    /// The details with checked texts; blanks at both ends of the texts are dropped, and an empty one becomes nil.
    package static func checked(_ given: ProfileDetails) throws(ProfileProblem) -> ProfileDetails {
        var details = given
        do throws(NameProblem) {
            let isEmpty = NameRule.trimmed(given.fullName).isEmpty
            details.fullName = isEmpty ? "" : try NameRule.checked(given.fullName)
        } catch {
            throw .fullName(error)
        }
        details.shortDescription = text(given.shortDescription)
        details.description = text(given.description)
        let bytes = details.shortDescription.map(bytesInJSON) ?? 0
        if bytes > longestShortDescription { throw .shortDescription(bytes, longest: longestShortDescription) }
        details.image = try text(given.image).map(picture)
        if let link = text(given.contactLink) {
            guard isLink(link) else { throw .contactLink }
            details.contactLink = link
        } else {
            details.contactLink = nil
        }
        do throws(DocumentProblem) {
            details.preferences = try DocumentRule.checked(text(given.preferences) == nil ? nil : given.preferences)
        } catch {
            throw .preferences(error)
        }
        return details
    }

    /// A picture: `data:image/<type>;base64,` and the bytes.
    private static func picture(_ given: String) throws(ProfileProblem) -> String {
        if given.utf8.count > largestPicture { throw .largePicture(given.utf8.count, largest: largestPicture) }
        let parts = given.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].hasPrefix("data:image/"), parts[0].hasSuffix(";base64"),
            parts[0].utf8.count > "data:image/;base64".utf8.count,
            let bytes = Data(base64Encoded: String(parts[1])), !bytes.isEmpty
        else { throw .picture }
        return given
    }

    private static func isLink(_ text: String) -> Bool {
        (text.hasPrefix("simplex:/") || text.hasPrefix("https://"))
            && text.unicodeScalars.allSatisfy { !$0.properties.isWhitespace && !UnsafeScalars.contains($0) }
    }

    private static func text(_ given: String?) -> String? {
        given.map(NameRule.trimmed).flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func bytesInJSON(_ text: String) -> Int {
        text.utf8.reduce(0) { count, byte in
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
                count + 2
            case 0..<0x20: count + 6
            default: count + 1
            }
        }
    }
}

/// Why a text cannot be a part of a profile.
public enum ProfileProblem: Error, Sendable, Hashable {
    /// The full name.
    case fullName(NameProblem)
    /// The short description: its bytes, and the number that is allowed.
    case shortDescription(Int, longest: Int)
    /// The picture is no picture.
    case picture
    /// The picture: its characters, and the number that is allowed.
    case largePicture(Int, largest: Int)
    /// The contact link is no link.
    case contactLink
    /// The preferences.
    case preferences(DocumentProblem)

    /// A sentence without its full stop.
    public var message: String {
        switch self {
        case .fullName(let problem): "the full name \(problem.message)"
        case .shortDescription(let bytes, let longest):
            "the short description has \(bytes) bytes; expected at most \(longest)"
        case .picture: "the picture is not an image; expected data:image/<type>;base64,<bytes>"
        case .largePicture(let characters, let largest):
            "the picture has \(characters) characters; expected at most \(largest)"
        case .contactLink: "the contact link is not a link; expected one that begins with simplex:/ or https://"
        case .preferences(let problem): "the preferences \(problem.message)"
        }
    }

    /// The part, and the limit if it is the problem.
    package var details: JSONValue {
        switch self {
        case .fullName: ["field": "fullName"]
        case .shortDescription(_, let longest): ["field": "shortDescription", "longest": .integer(Int64(longest))]
        case .picture: ["field": "image"]
        case .largePicture(_, let largest): ["field": "image", "largest": .integer(Int64(largest))]
        case .contactLink: ["field": "contactLink"]
        case .preferences: ["field": "preferences"]
        }
    }
}
