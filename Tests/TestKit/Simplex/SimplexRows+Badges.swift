/// What only the newest versions have: alice redeemed a code for a badge and shows it, a file has its proof, and the
/// agent has a certificate and the keys of an address.
extension SimplexRows {
    var badges: [Row] { purchase + payment + [name] }

    private var purchase: [Row] {
        [
            Row(
                "badge_code_redemptions",
                [
                    "badge_code_redemption_id": "1", "user_id": "1", "code": "'SECRET-CODE'",
                    "purchase_key": "x'01'", "purchase_priv_key": "x'02'", "master_key": "x'03'",
                    "created_at": Self.time,
                ]),
            Row(
                "badge_purchases",
                [
                    "badge_purchase_id": "1", "purchase_key": "x'01'", "master_key": "x'03'",
                    "initial_badge_type": "'lighthouse'", "current_badge_type": "'lighthouse'", "status": "'active'",
                    "created_at": Self.time, "updated_at": Self.time, "user_id": "1", "purchase_priv_key": "x'02'",
                    "badge_code_redemption_id": "1",
                ]),
            Row(
                "badge_ledger",
                [
                    "entry_id": "1", "entry_uuid": "'u-1'", "badge_purchase_id": "1", "change_months": "12",
                    "balance_months": "12", "balance_start_ts": Self.time, "balance_anchor_ts": Self.time,
                    "balance_badge_type": "'lighthouse'", "service_created_at": Self.time, "created_at": Self.time,
                    "entry_type": "'credit'",
                ]),
            Row(
                "badge_issuances",
                [
                    "issuance_id": "'i-1'", "badge_purchase_id": "1", "entry_id": "1", "badge_type": "'lighthouse'",
                    "period_start": Self.time, "period_end": Self.time, "expiry": Self.time, "credential": "x'04'",
                    "created_at": Self.time,
                ]),
            Row(
                "file_badge_proofs",
                [
                    "badge_proof_id": "1", "file_id": "1", "proof_kind": "'size'", "badge_proof": "x'05'",
                    "badge_pres_header": "x'06'", "badge_key_idx": "1", "badge_type": "'lighthouse'",
                    "badge_expiry": Self.time, "badge_extra": "''", "created_at": Self.time, "updated_at": Self.time,
                ]),
        ]
    }

    private var payment: [Row] {
        [
            Row(
                "badge_prices",
                [
                    "price_id": "'p-1'", "badge_type": "'lighthouse'", "month_price": "500", "currency": "'EUR'",
                    "status": "'active'", "created_at": Self.time,
                ]),
            Row(
                "badge_offers",
                [
                    "offer_id": "'o-1'", "price_id": "'p-1'", "months": "12", "status": "'active'",
                    "created_at": Self.time,
                ]),
            Row(
                "invoices",
                [
                    "invoice_id": "'n-1'", "provider": "'bank'", "price": "6000", "amount": "6000",
                    "currency": "'EUR'", "expires_at": Self.time, "status": "'paid'", "created_at": Self.time,
                    "updated_at": Self.time,
                ]),
            Row(
                "payments",
                [
                    "payment_id": "'y-1'", "invoice_id": "'n-1'", "provider": "'bank'", "provider_ref": "'ref-1'",
                    "status": "'paid'", "created_at": Self.time, "updated_at": Self.time,
                ]),
        ]
    }

    private var name: Row {
        Row(
            "simplex_names",
            [
                "user_id": "1", "simplex_domain": "'alice.simplex'", "registration": "'{}'", "resolved_at": Self.time,
            ])
    }

    /// Of the agent.
    var services: [Row] {
        [
            Row(
                "client_services",
                [
                    "user_id": "1", "host": "'smp8.simplex.im'", "port": "'5223'", "service_cert": "x'07'",
                    "service_cert_hash": "x'08'", "service_priv_key": "x'09'",
                ]),
            Row(
                "address_ratchet_keys",
                [
                    "address_ratchet_key_id": "1", "conn_id": Self.bytes("Ym9i"), "ratchet_key_id": "x'0a'",
                    "x3dh_priv_key_1": "x'0b'", "x3dh_priv_key_2": "x'0c'", "created_at": Self.time,
                ]),
        ]
    }
}
