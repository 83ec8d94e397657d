package closure

// Law is the legal basis for retaining records when an organisation's data is deleted.
const Law = "Customs Traders (Accounts and Records) Regulations 1995; Value Added Tax Act 1994, Schedule 11"

// table is a table whose rows are all deleted.
type table struct {
	name, key string // key is a column by which rows are deleted, together with all others that have the same value
	ofRecords bool   // a legal hold on a record protects its rows
}

// accessTables hold credentials. They are deleted even under a hold, in an order that their foreign
// keys allow; memberships follow.
var accessTables = []table{
	{name: "mails", key: "id"}, {name: "ended_sessions", key: "session_id"}, {name: "identity_sessions", key: "session_id"}, {name: "identity_links", key: "subject"},
	{name: "identity_domains", key: "domain"}, {name: "identity_providers", key: "id"}, {name: "scim_users", key: "user_id"}, {name: "scim_groups", key: "id"},
	{name: "scim_tokens", key: "org_id"}, {name: "invitations", key: "id"}, {name: "feeds", key: "user_id"}, {name: "portal_links", key: "id"}, {name: "saved_views", key: "id"}, {name: "list_views", key: "id"}, {name: "api_keys", key: "id"},
	{name: "answers", key: "key"}, {name: "idempotency_records", key: "key"}, {name: "organisation_exports", key: "id"}, {name: "mtd_connections", key: "id"},
	{name: "mtd_consents", key: "user_id"}, {name: "consent_requests", key: "user_id"}, {name: "consent_tokens", key: "id"},
	{name: "record_secrets", key: "record_id"}, {name: "inbox_reads", key: "item_id"}, {name: "inbox_settings", key: "member_id"},
}

// dataTables hold data other than records: copies, work in progress and indexes.
var dataTables = []table{
	{name: "deliveries", key: "id", ofRecords: true}, {name: "notices", key: "id", ofRecords: true}, {name: "record_versions", key: "resource_id", ofRecords: true}, {name: "endpoints", key: "id"},
	{name: "delivery_numbers", key: "at"}, {name: "delivery_changes", key: "id"},
	{name: "worksheets", key: "id"}, {name: "uploads", key: "id"}, {name: "batch_rows", key: "batch_id"}, {name: "batches", key: "id"},
	{name: "approvals", key: "record_id"}, {name: "authority_names", key: "filing_id"}, {name: "authority_records", key: "filing_id"}, {name: "authority_polls", key: "id"},
	{name: "what_if_pages", key: "what_if_id"}, {name: "what_if_pieces", key: "what_if_id"}, {name: "what_ifs", key: "id"}, {name: "what_if_uploads", key: "id"}, {name: "search_blocks", key: "number"}, {name: "search_heads", key: "org_id"},
	{name: "comments", key: "id", ofRecords: true}, {name: "inbox_items", key: "id"},
	{name: "record_search_blocks", key: "number"}, {name: "record_search_heads", key: "org_id"}, {name: "tariff_uses", key: "used_by"}, {name: "tariff_alerts", key: "pair"},
}

// A reset of a test organisation deletes work in progress first, because that could add records, then the records, and
// then what changes of records add. Settings, endpoints, keys and indexes stay.
var (
	resetFirst = []table{
		{name: "worksheets", key: "id"}, {name: "uploads", key: "id"}, {name: "batch_rows", key: "batch_id"}, {name: "batches", key: "id"},
		{name: "what_if_pages", key: "what_if_id"}, {name: "what_if_pieces", key: "what_if_id"}, {name: "what_ifs", key: "id"}, {name: "what_if_uploads", key: "id"},
		{name: "approvals", key: "record_id"}, {name: "organisation_exports", key: "id"}, {name: "answers", key: "key"}, {name: "idempotency_records", key: "key"},
	}
	resetLast = []table{
		{name: "deliveries", key: "id", ofRecords: true}, {name: "notices", key: "id", ofRecords: true}, {name: "record_versions", key: "resource_id", ofRecords: true},
		{name: "delivery_numbers", key: "at"}, {name: "delivery_changes", key: "id"},
		{name: "comments", key: "id", ofRecords: true}, {name: "inbox_items", key: "id"}, {name: "inbox_reads", key: "item_id"},
		{name: "authority_messages", key: "id"},
	}
)

// keptTables are counted in the audit event of a deletion.
var keptTables = []string{"filings", "transmissions", "mtd_submissions", "messages", "authority_messages", "attachments", "declaration_files", "events", "holds", "deliveries", "notices", "record_versions", "comments"}
