package portability

// Type is how a column is encoded in JSON.
type Type int

// Column types.
const (
	Text    Type = iota
	Integer      // whole number
	Boolean
	Instant // RFC 3339, UTC, milliseconds
	JSON    // stored as text
)

// Column is a column of a table with its JSON member.
type Column struct {
	Name, Member string
	Type         Type
}

// Table is a table whose rows become lines of a file. Columns with secrets or their hashes are
// omitted.
type Table struct {
	File    string // without .jsonl
	Name    string
	Key     []string // columns of the primary key besides the organisation
	Columns []Column
}

// Row holds the values of a table's columns, nil for null, and of its key.
type Row struct {
	Values []any
	Key    []string
}

// Tables returns the tables that are exported row by row. Records, events, users and the
// organisation have separate files.
func Tables() []Table {
	return []Table{
		{"keys", "api_keys", []string{"id"}, []Column{
			{"id", "id", Text}, {"user_id", "userId", Text}, {"name", "name", Text}, {"role", "role", Text}, {"hint", "lastFour", Text},
			{"scopes", "scopes", Text}, {"addresses", "addresses", Text},
			{"created_at", "createdAt", Instant}, {"expires_at", "expiresAt", Instant}, {"revoked_at", "revokedAt", Instant},
			{"last_used_at", "lastUsedAt", Instant}, {"last_used_ip", "lastUsedFrom", Text},
		}},
		{"memberships", "memberships", []string{"user_id"}, []Column{
			{"user_id", "id", Text}, {"role", "role", Text}, {"created_at", "createdAt", Instant}, {"left_at", "leftAt", Instant},
		}},
		{"invitations", "invitations", []string{"id"}, []Column{
			{"id", "id", Text}, {"email", "email", Text}, {"role", "role", Text}, {"invited_by", "invitedBy", Text}, {"created_at", "createdAt", Instant},
			{"expires_at", "expiresAt", Instant}, {"used_at", "usedAt", Instant}, {"withdrawn_at", "withdrawnAt", Instant},
		}},
		{"webhook_endpoints", "endpoints", []string{"id"}, []Column{
			{"id", "id", Text}, {"url", "url", Text}, {"description", "description", Text}, {"events", "events", JSON}, {"filter", "filter", JSON}, {"options", "options", JSON}, {"kind", "kind", Text}, {"config", "config", JSON}, {"active", "active", Boolean},
			{"paused_reason", "pausedReason", Text}, {"secret_hint", "secretHint", Text}, {"created_at", "createdAt", Instant}, {"updated_at", "updatedAt", Instant},
		}},
		{"webhook_events", "notices", []string{"id"}, []Column{
			{"id", "id", Text}, {"type", "type", Text}, {"resource_id", "resourceId", Text}, {"created_at", "createdAt", Instant}, {"body", "body", JSON},
		}},
		{"webhook_deliveries", "deliveries", []string{"id"}, []Column{
			{"id", "id", Text}, {"endpoint_id", "endpointId", Text}, {"notice_id", "eventId", Text}, {"event_type", "eventType", Text},
			{"resource_id", "resourceId", Text}, {"cause", "cause", Text}, {"original_id", "originalId", Text}, {"status", "status", Text},
			{"attempts", "attempts", Integer}, {"http_status", "httpStatus", Integer}, {"duration_ms", "durationMs", Integer}, {"error", "error", Text},
			{"response", "responseBody", Text}, {"created_at", "createdAt", Instant}, {"delivered_at", "deliveredAt", Instant},
		}},
		{"submissions", "transmissions", []string{"id"}, []Column{
			{"id", "id", Text}, {"filing_id", "recordId", Text}, {"purpose", "purpose", Text}, {"reference", "reference", Text}, {"lrn", "lrn", Text},
			{"state", "state", Text}, {"conversation_id", "conversationId", Text}, {"problem", "problem", Text}, {"created_at", "createdAt", Instant},
			{"settled_at", "settledAt", Instant}, {"kind", "request", Text}, {"detail", "requestDetail", Text},
		}},
		{"messages", "messages", []string{"id"}, []Column{
			{"id", "id", Text}, {"filing_id", "recordId", Text}, {"conversation_id", "conversationId", Text}, {"message_id", "messageId", Text},
			{"purpose", "purpose", Text}, {"lrn", "lrn", Text}, {"function_code", "functionCode", Text}, {"issued_at", "issuedAt", Instant},
			{"received_at", "receivedAt", Instant}, {"content", "content", JSON}, {"inbox_id", "originalId", Text},
		}},
		authorityMessages,
		{"attachments", "attachments", []string{"id"}, []Column{
			{"id", "id", Text}, {"record_id", "recordId", Text}, {"file_name", "fileName", Text}, {"media_type", "mediaType", Text}, {"size", "size", Integer},
			{"sha256", "sha256", Text}, {"user_id", "userId", Text}, {"created_at", "createdAt", Instant},
		}},
		{"comments", "comments", []string{"id"}, []Column{
			{"id", "id", Text}, {"kind", "recordType", Text}, {"resource_id", "recordId", Text}, {"author_id", "authorId", Text}, {"key_id", "keyId", Text},
			{"text", "text", Text}, {"mentions", "mentions", JSON}, {"created_at", "createdAt", Instant},
		}},
		{"declaration_files", "declaration_files", []string{"id"}, []Column{
			{"id", "id", Text}, {"filing_id", "recordId", Text}, {"batch_id", "batchId", Text}, {"position", "position", Integer}, {"document_type", "documentType", Text},
			{"status", "status", Text}, {"reason", "reason", Text}, {"demands", "demands", JSON}, {"transmission_id", "submissionId", Text}, {"reference", "reference", Text},
			{"scanned_at", "scannedAt", Instant}, {"sent_at", "sentAt", Instant}, {"ended_at", "endedAt", Instant},
		}},
		{"vat_submissions", "mtd_submissions", []string{"id"}, []Column{
			{"id", "id", Text}, {"filing_id", "recordId", Text}, {"vrn", "vatNumber", Text}, {"state", "state", Text}, {"problem", "problem", Text},
			{"receipt", "receipt", Text}, {"created_at", "createdAt", Instant}, {"settled_at", "settledAt", Instant},
		}},
		{"legal_holds", "holds", []string{"record_id"}, []Column{{"record_id", "id", Text}, {"reason", "reason", Text}, {"set_at", "setAt", Instant}}},
		{"identity_providers", "identity_providers", []string{"id"}, []Column{
			{"id", "id", Text}, {"settings", "settings", JSON}, {"created_at", "createdAt", Instant}, {"updated_at", "updatedAt", Instant},
		}},
		{"identity_domains", "identity_domains", []string{"domain"}, []Column{
			{"domain", "id", Text}, {"method", "method", Text}, {"created_at", "createdAt", Instant}, {"verified_at", "verifiedAt", Instant},
		}},
		{"identity_links", "identity_links", []string{"provider_id", "subject"}, []Column{
			{"subject", "id", Text}, {"provider_id", "providerId", Text}, {"user_id", "userId", Text}, {"created_at", "createdAt", Instant},
		}},
		{"scim_users", "scim_users", []string{"user_id"}, []Column{
			{"user_id", "id", Text}, {"user_name", "userName", Text}, {"external_id", "externalId", Text}, {"updated_at", "updatedAt", Instant},
		}},
		{"scim_groups", "scim_groups", []string{"id"}, []Column{
			{"id", "id", Text}, {"display_name", "displayName", Text}, {"external_id", "externalId", Text}, {"members", "members", JSON},
			{"created_at", "createdAt", Instant}, {"updated_at", "updatedAt", Instant},
		}},
		{"imports", "uploads", []string{"id"}, []Column{
			{"id", "id", Text}, {"name", "name", Text}, {"state", "state", Text}, {"total", "total", Integer}, {"created", "created", Integer},
			{"skipped", "skipped", Integer}, {"failed", "failed", Integer}, {"created_at", "createdAt", Instant}, {"updated_at", "updatedAt", Instant},
		}},
	}
}

// authorityMessages is the table of messages to and from authorities besides customs and VAT.
var authorityMessages = Table{"authority_messages", "authority_messages", []string{"id"}, []Column{
	{"id", "id", Text}, {"filing_id", "recordId", Text}, {"authority", "authority", Text}, {"mode", "mode", Text}, {"direction", "direction", Text},
	{"identifier", "identifier", Text}, {"kind", "kind", Text}, {"purpose", "purpose", Text}, {"external_id", "externalId", Text}, {"correlation", "correlationId", Text},
	{"media_type", "mediaType", Text}, {"state", "state", Text}, {"problem", "problem", Text}, {"sent_at", "sentAt", Instant}, {"created_at", "createdAt", Instant},
	{"settled_at", "settledAt", Instant},
}}

// Omitted are the tables of an organisation that are not exported, each with the reason.
func Omitted() map[string]string {
	const derived, secret, passing = "follows from the records", "holds secrets", "is kept for a short time while something runs" // #nosec G101 -- words
	const operators, persons = "belongs to the operator", "belongs to the person, who may work for several organisations"
	return map[string]string{
		"filing_keys": derived, "filing_names": derived, "filing_terms": derived, "deadlines": derived, "timers": derived, "postings": derived, "filing_tallies": derived,
		"ledger_tallies": derived, "client_tallies": derived, "delivery_tallies": derived, "delivery_numbers": derived, "delivery_changes": passing, "audit_tiles": derived, "trail_cuts": derived, "search_heads": derived, "search_blocks": derived, "record_search_heads": derived, "record_search_blocks": derived,
		"authority_names": derived, "authority_records": derived, "authority_polls": "are how far the messages of an authority are fetched",
		"attachment_chunks": "are the content of attachments, which are among the originals",
		"saved_views":       "are searches that users named",
		"list_views":        "are searches that users named",
		"feeds":             secret, "portal_links": secret, "scim_tokens": secret, "mtd_connections": secret, "mtd_consents": secret, "consent_requests": secret, "consent_tokens": secret, "record_secrets": secret, "answers": passing, "idempotency_records": passing, "jobs": passing,
		"inbox_items": "follow from the events of records and from comments", "inbox_reads": "are what members have read", "inbox_settings": "are settings of members",
		"installation": operators, "dispatchers": operators, "inbox": operators + "; messages of the organisation's records are among the originals",
		"reference_tables": operators, "tariff_versions": operators, "tariff_in_force": operators, "tariff_tables": operators, "tariff_parts": operators, "exchange_rate_imports": operators, "origin_imports": operators,
		"links": persons, "sessions": persons, "known_browsers": persons, "sign_in_steps": persons, "passkeys": persons, "totp_factors": persons, "recovery_codes": persons,
		"identity_sessions": passing, "mails": passing, "ended_sessions": passing,
		"organisation_exports": "is the list of exports itself",
		"batches":              "are calls whose records and audit events are exported themselves", "batch_rows": "are calls whose records and audit events are exported themselves",
		"what_ifs": "are calculations that are kept for 30 days and change nothing", "what_if_pieces": passing, "what_if_uploads": passing, "what_if_pages": "are results of calculations that are kept for 30 days",
		"approvals":   "are the requests and approvals in force, which the audit events hold",
		"tariff_uses": derived, "tariff_alerts": "are the events tariff.measure.changed, which are exported",
		"deletion_marks": passing, "removed_transmissions": passing, "record_versions": "are earlier versions of records, kept for a short time for GET /api/events",
		"test_organisations": "is the connection of a test organisation with its live one",
	}
}

// Source is a table with originals.
type Source struct {
	Folder, Extension string
	Table, Column     string
}

// AttachmentsTable is the table whose originals are in parts, each original with an extension of its own.
const AttachmentsTable = "attachments"

// Sources are all originals that lie with the organisation. Messages from customs lie
// with the operator, since they are stored before it is known whose they are.
func Sources() []Source {
	return []Source{
		{"originals/sent-to-customs/", ".xml", "transmissions", "body"},
		{"originals/sent-to-hmrc/", ".json", "mtd_submissions", "body"},
		{"originals/authority-messages/", ".txt", "authority_messages", "body"},
		{"originals/attachments/", "", AttachmentsTable, ""},
		{"originals/imported-files/", ".csv", "uploads", "file"},
		{"originals/declarations-being-filled-in/", ".json", "worksheets", "body"},
	}
}

// Original is a message or document as sent or received.
type Original struct {
	ID        string
	Extension string // besides the source's
	Data      []byte // nil for none
}
