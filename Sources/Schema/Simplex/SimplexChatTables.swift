extension CatalogueTable {
    /// What the chat databases of SimpleX Chat have since 2026-07-20 and this build has not: whole tables, and columns of
    /// tables that this build has too. `Catalogue` says which of two descriptions counts.
    static let simplexChat: [CatalogueTable] = simplexChatColumns + simplexPurchases + simplexPayments + simplexNames

    private static let simplexChatColumns: [CatalogueTable] = [
        CatalogueTable(
            "users", "A profile.",
            [
                .public("auto_accept_group_invitations", "1 when the app accepts invitations to groups itself"),
                .public("shown_badge_id", "the purchase whose badge the profile shows, or NULL"),
            ]),
        CatalogueTable(
            "contact_profiles", "What a person says of themselves.",
            [
                .personal(
                    "preferences_json",
                    "the preferences as received, when they have parts that the app did not know; counts before preferences"
                )
            ]),
        CatalogueTable(
            "group_profiles", "What a group says of itself.",
            [
                .personal(
                    "preferences_json",
                    "the preferences as received, when they have parts that the app did not know; counts before preferences"
                )
            ]),
        CatalogueTable(
            "contact_requests", "A request of a person to become a contact.",
            [.public("rejection_supported", "1 when the other app understands that the request is rejected")]),
        CatalogueTable(
            "chat_items", "An entry in a chat.",
            [
                .personal("fwd_from_group_type", "the kind of the group that the message was forwarded from"),
                .personal("fwd_from_group_link", "the link of that group"),
                .personal("fwd_from_public_group_id", "the public id of that group"),
                .personal("fwd_from_member_id", "the member who sent the message there"),
                .personal("fwd_from_shared_msg_id", "the id of the message there"),
            ]),
        CatalogueTable(
            "files", "A file that is sent or received.",
            [
                .personal("file_expires_at", "when the servers remove the file, UTC"),
                .public("file_max_size", "the largest size that was allowed, in bytes"),
                .personal("file_badge_status", "what the check of the sender's badge found"),
            ]),
    ]

    /// Badges: what a profile bought or redeemed, with the keys that prove it.
    private static let simplexPurchases: [CatalogueTable] = [
        CatalogueTable(
            "badge_purchases", "A purchase of a badge.",
            [
                .public("badge_purchase_id", "the purchase's number"),
                .secret("purchase_key", "the public key of the purchase, by which the service knows it"),
                .secret("master_key", "the key from which the badge's credentials are made"),
                .personal("initial_badge_type", "the badge that was bought"),
                .personal("current_badge_type", "the badge that it is now"),
                .personal("status", "the state of the purchase"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
                .public("user_id", "the profile that bought it, or NULL"),
                .secret("purchase_priv_key", "the private key of the purchase"),
                .personal("alert_acked_kind", "the last alert that the person closed"),
                .personal("alert_acked_episode", "what that alert was about"),
                .personal("alert_snooze_until", "until when alerts are off, UTC"),
                .public("badge_code_redemption_id", "the redemption of a code that it came from, or NULL"),
                .public("issue_failed_since", "since when no credential could be fetched, UTC"),
                .public("issue_error_at", "when fetching one failed last, UTC"),
                .personal("issue_error", "the error of that attempt"),
                .public("next_wake_at", "when the app looks at the purchase again, UTC"),
            ]),
        CatalogueTable(
            "badge_code_redemptions", "A code that a profile redeemed for a badge.",
            [
                .public("badge_code_redemption_id", "the redemption's number"),
                .public("user_id", "the profile"),
                .secret("code", "the code; anyone who has it can redeem it"),
                .secret("purchase_key", "the public key of the purchase"),
                .secret("purchase_priv_key", "the private key of the purchase"),
                .secret("master_key", "the key from which the badge's credentials are made"),
                .public("created_at", "when the row was made, UTC"),
            ]),
        CatalogueTable(
            "badge_ledger", "A change of the months that remain of a purchase.",
            [
                .public("entry_id", "the change's number"),
                .personal("entry_uuid", "the id that the service gave it"),
                .public("badge_purchase_id", "the purchase"),
                .personal("change_months", "months added or taken"),
                .personal("balance_months", "months that remain after it"),
                .personal("balance_start_ts", "when these months began, UTC"),
                .personal("balance_anchor_ts", "the time from which months are counted, UTC"),
                .personal("balance_badge_type", "the badge of these months"),
                .personal("was_paused_since", "since when the badge had been paused, UTC, or NULL"),
                .personal("service_created_at", "when the service made the change, UTC"),
                .public("created_at", "when the row was made, UTC"),
                .personal("entry_type", "the kind of change"),
                .personal("entry_credit_type", "why months were added, or NULL"),
                .personal("entry_debit_type", "why months were taken, or NULL"),
                .public("entry_type_unknown", "1 when the app does not know the kind of change"),
                .personal("entry_type_value", "the change as received, when its kind is not known"),
                .public("balance_checked", "whether the app calculated the same balance, or NULL"),
            ]),
        CatalogueTable(
            "badge_issuances", "A credential for a badge, for one period.",
            [
                .personal("issuance_id", "the id that the service gave it"),
                .public("badge_purchase_id", "the purchase"),
                .public("entry_id", "the change of the ledger that it belongs to, or NULL"),
                .personal("badge_type", "the badge"),
                .personal("period_start", "when its period begins, UTC"),
                .personal("period_end", "when its period ends, UTC"),
                .personal("expiry", "when the credential expires, UTC"),
                .secret("credential", "the credential that proves the badge"),
                .public("created_at", "when the row was made, UTC"),
            ]),
        CatalogueTable(
            "file_badge_proofs", "The proof of a badge that allows a file to be larger or to stay longer.",
            [
                .public("badge_proof_id", "the proof's number"),
                .public("file_id", "the file"),
                .personal("proof_kind", "what the proof is for"),
                .secret("badge_proof", "the proof"),
                .secret("badge_pres_header", "the header that the proof was made for"),
                .public("badge_key_idx", "the number of the service's key"),
                .personal("badge_type", "the badge"),
                .personal("badge_expiry", "when the badge expires, UTC"),
                .personal("badge_extra", "more that the badge says"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
    ]

    /// Prices, and how a person paid.
    private static let simplexPayments: [CatalogueTable] = [
        CatalogueTable(
            "badge_prices", "A price of a badge, as the service offers it to everyone.",
            [
                .public("price_id", "the id that the service gave it"),
                .public("badge_type", "the badge"),
                .public("month_price", "the price of a month, in the smallest unit of the currency"),
                .public("currency", "the currency"),
                .public("status", "whether the service still offers it"),
                .public("created_at", "when the row was made, UTC"),
            ]),
        CatalogueTable(
            "badge_offers", "An offer of several months for a price, to everyone.",
            [
                .public("offer_id", "the id that the service gave it"),
                .public("price_id", "the price, or NULL"),
                .public("months", "how many months"),
                .public("free_months", "how many of them are free, or NULL"),
                .public("discount", "the discount, or NULL"),
                .public("status", "whether the service still offers it"),
                .public("created_at", "when the row was made, UTC"),
            ]),
        CatalogueTable(
            "invoices", "A bill for a badge.",
            [
                .personal("invoice_id", "the id that the service gave it"),
                .personal("provider", "who takes the payment"),
                .personal("price", "the price, in the smallest unit of the currency"),
                .personal("discount_amount", "the discount, or NULL"),
                .personal("credit_amount", "what was paid before, or NULL"),
                .personal("amount", "what is to be paid"),
                .personal("currency", "the currency"),
                .secret("payment_url", "the page that takes the payment; anyone who has it sees the bill"),
                .personal("payment_address", "the address that takes the payment"),
                .personal("payment_crypto_currency", "the cryptocurrency, or NULL"),
                .personal("payment_crypto_amount", "the amount in it, or NULL"),
                .personal("expires_at", "until when it can be paid, UTC"),
                .personal("status", "the state of the bill"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "payments", "A payment, or a subscription, for a badge.",
            [
                .personal("payment_id", "the id that the service gave it"),
                .personal("invoice_id", "the bill, or NULL"),
                .personal("provider", "who took the payment"),
                .secret("provider_ref", "the provider's reference of the payment or subscription"),
                .personal("amount", "what was paid, in the smallest unit of the currency"),
                .personal("currency", "the currency"),
                .personal("status", "the state of the payment"),
                .personal("exception", "what was wrong with it, or NULL"),
                .personal("subscription_renews_at", "when the subscription renews, UTC, or NULL"),
                .personal("grace_until", "until when a late payment is accepted, UTC, or NULL"),
                .public("cancelled", "1 when the subscription was cancelled"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
    ]

    /// Names that the app looked up.
    private static let simplexNames: [CatalogueTable] = [
        CatalogueTable(
            "simplex_names", "A name that a profile registered. Some current versions lack the table.",
            [
                .public("user_id", "the profile"),
                .personal("simplex_domain", "the name"),
                .personal("registration", "the registration of the name"),
                .public("resolved_at", "when the app looked it up last, UTC"),
            ])
    ]
}
