package import ChatDBKit
import Foundation

/// A profile with other details, or one that a dry run shows.
package struct UserEditReport: Report {
    package let user: User
    package let before: ProfileDetails
    package let after: ProfileDetails
    package let isApplied: Bool

    package init(user: User, before: ProfileDetails, after: ProfileDetails, isApplied: Bool) {
        self.user = user
        self.before = before
        self.after = after
        self.isApplied = isApplied
    }

    private var fields: [FieldChange] {
        [
            .text("fullName", before.fullName, after.fullName),
            .optionalText("shortDescr", before.shortDescription, after.shortDescription),
            .optionalText("description", before.description, after.description),
            FieldChange(
                "image", before.image, after.image, json: { JSONValue($0?.utf8.count) },
                text: { $0.map { counted($0.utf8.count, "character") } ?? "none" }),
            .optionalText("contactLink", before.contactLink, after.contactLink),
            .optionalText("preferences", before.preferences, after.preferences),
        ].compactMap { $0 }
    }

    /// The question before a part is replaced or cleared; nil if the profile only gets parts that it lacks.
    package var question: String? {
        let parts: [(name: String, from: String?, to: String?)] = [
            ("full name", before.fullName.isEmpty ? nil : before.fullName, after.fullName),
            ("line about the owner", before.shortDescription, after.shortDescription),
            ("description", before.description, after.description), ("picture", before.image, after.image),
            ("contact link", before.contactLink, after.contactLink),
            ("preferences", before.preferences, after.preferences),
        ]
        let lost = parts.filter { $0.from != nil && $0.from != $0.to }.map(\.name)
        return lost.isEmpty
            ? nil : "Replace or clear the \(lost.joined(separator: ", the ")) of \(user.name)? The old ones are lost."
    }

    package var json: JSONValue {
        [
            "user": user.reference, "changed": .bool(!fields.isEmpty), "fields": FieldChange.json(fields),
            "profile": [
                "displayName": .string(user.name), "fullName": .string(after.fullName),
                "shortDescr": JSONValue(after.shortDescription), "description": JSONValue(after.description),
                "contactLink": JSONValue(after.contactLink), "hasImage": .bool(after.image != nil),
                "preferences": JSONValue(after.preferences),
            ], "applied": .bool(isApplied),
        ]
    }

    package var document: Document {
        if fields.isEmpty {
            return [.paragraph("The profile \(user.name) has these values already; nothing was changed.")]
        }
        return [
            .paragraph("The profile \(user.name) \(isApplied ? "was" : "would be") edited."),
            .table(FieldChange.table(fields)),
        ]
    }
}
