package storetest

import (
	"slices"
	"strings"
)

// fewRows are the tables of which an organisation has few rows, by limits of the service or because people make them one by
// one. Their rows may be read together and sorted.
var fewRows = []string{
	"api_keys", "consent_requests", "consent_tokens", "endpoints", "exchange_rate_imports", "feeds", "filing_tallies", "holds",
	"invitations", "known_browsers", "links", "list_views", "mails", "memberships", "mtd_connections", "mtd_consents",
	"organisation_exports", "origin_imports", "passkeys", "portal_links", "reference_tables", "scim_tokens", "sessions",
	"sign_in_steps", "totp_factors", "users", "what_if_uploads", "what_ifs", "worksheets",
}

// exception permits something in the plans of statements.
type exception struct {
	table, statement, what string // of what; empty for any. A statement contains the text
	reason                 string
}

const (
	testClock   = "only in test organisations, after their clock was set"
	ofOneRecord = "the few of one record"
	inTheEnd    = "once, for a job that reads all of it"
	background  = "one process at a time looks for work of all organisations"
	smallTable  = "few rows in every installation"
	limitedEach = "each part has a limit"
)

// exceptions are the plans that read more than they need, each with the reason why that is right, or is accepted.
var exceptions = []exception{
	{table: "goose_db_version", reason: smallTable},
	{table: "tariff_parts", statement: "FROM tariff_parts p WHERE org_id = $1", reason: "once for each edition that is loaded or compared"},
	{table: "tariff_versions", reason: "the editions of some 400 days, most of which are shown"},
	{table: "schema_floor", reason: smallTable},
	{table: "dispatchers", reason: smallTable},
	{table: "identity_domains", reason: smallTable},
	{table: "what_ifs", statement: "DELETE FROM what_if", reason: "once an hour"},
	{table: "what_if_pages", statement: "DELETE FROM what_if", reason: "once an hour"},
	{table: "what_ifs", statement: "DELETE FROM tariff_uses", reason: "once an hour"},
	{table: "tariff_uses", statement: "DELETE FROM tariff_uses WHERE (org_id, used_by) IN", reason: "once an hour"},
	{table: "organisations", statement: "FROM invitations i JOIN organisations o", reason: "the one of an invitation; PostgreSQL scans the table only while it is empty"},
	{table: "worksheets", statement: "DELETE FROM worksheets WHERE updated_at", reason: "once an hour"},
	{table: "inbox_items", statement: "DELETE FROM inbox_items WHERE created_at", reason: "once an hour"},
	{table: "worksheets", statement: "FROM worksheets w WHERE w.updated_at", reason: "once an hour"},
	{table: "organisations", statement: "SELECT org_id FROM organisations ORDER BY org_id", reason: "for commands of the operator"},
	{table: "organisations", statement: "search_heads h", reason: background},
	{table: "organisations", statement: "FROM audit_tiles t", reason: background},
	{table: "record_search_heads", statement: "search_heads h", reason: background},
	{table: "search_heads", statement: "search_heads h", reason: background},
	{table: "endpoints", statement: "e.active", reason: background},
	{table: "endpoints", statement: "SET holder = NULL", reason: "once, when an instance stops"},

	{statement: "UPDATE deliveries SET due_at", reason: testClock},
	{statement: "FROM jobs WHERE org_id = $1 AND queue = $2 AND state = 'due' AND attempt = 0", reason: testClock},
	{statement: "SELECT subject FROM jobs WHERE org_id = $1 AND queue = $2", what: sortsAll, reason: testClock},
	{statement: "FROM timers WHERE org_id = $1 AND run_after < $2", what: sortsAll, reason: testClock},

	{table: "authority_names", statement: "name = $4", what: sortsAll, reason: ofOneRecord},
	{table: "authority_polls", statement: "authority_polls p WHERE p.authority = $1", what: sortsAll, reason: "the few organisations that have one identifier"},
	{table: "transmissions", statement: "filing_id = $2", what: sortsAll, reason: ofOneRecord},
	{table: "transmissions", statement: "conversation_id = $1", what: sortsAll, reason: ofOneRecord},
	{table: "transmissions", statement: "WHERE reference = $1", what: sortsAll, reason: ofOneRecord},
	{table: "messages", statement: "filing_id = $2", what: sortsAll, reason: ofOneRecord},
	{table: "mtd_submissions", statement: "filing_id = $2", what: sortsAll, reason: ofOneRecord},
	{table: "client_tallies", what: sortsAll, reason: "13 months of the few clients in a chart or on a page"},
	{statement: "FROM postings p CROSS JOIN filings f", what: sortsAll, reason: "the index has the order of instants; only entries of the same one are sorted"},
	{statement: "FROM filings f CROSS JOIN postings p", what: sortsAll, reason: "the entries of a client with few records"},
	{statement: "FROM holds h", what: sortsAll, reason: "sorts holds, of which there are few"},
	{statement: "AS one_range", what: sortsAll, reason: limitedEach},
	{statement: "AS b0", what: sortsAll, reason: limitedEach},
	{table: "deliveries", statement: "SELECT DISTINCT notice_id", what: sortsAll, reason: "stops at its limit"},

	{statement: "SELECT count(*) FROM filings WHERE org_id = $1", reason: inTheEnd},
	{statement: "SELECT count(*) FROM messages WHERE org_id = $1", reason: inTheEnd},
	{statement: "- COALESCE(min(sequence), 1) + 1 FROM events", reason: inTheEnd},
	{statement: "COALESCE(sum(length(file)), 0)", reason: "for the page about usage: one row for each stored file"},
	{table: "filing_keys", statement: "DELETE FROM filing_keys", reason: "deletions are rare, and an index would slow down every new record"},
	{table: "filing_names", statement: "DELETE FROM filing_names", reason: "deletions are rare, and an index would slow down every new record"},
}

// untilAnalysed are statements for which PostgreSQL takes the wrong index while a table has no statistics, because it takes the
// table or the organisation for small. Autovacuum analyses a table within a minute after its first rows, and plans are made again then.
var untilAnalysed = []string{
	"FROM filings WHERE org_id = $1 AND id IN ($2, ", "FROM filing_keys k JOIN filings f", "UPDATE filings SET client_id", "FROM declaration_files f", "UPDATE declaration_files",
	"FROM transmissions WHERE org_id = $1 AND id = $2", "UPDATE transmissions SET", "FROM events WHERE org_id = $1 AND sequence IN (",
	"FROM filings f CROSS JOIN postings p", "FROM organisations l WHERE l.org_id = CASE", "FROM jobs WHERE org_id = $1 AND queue = $2 AND subject = $3",
	"UPDATE jobs SET run_at = $4 WHERE org_id = $1 AND queue = $2 AND subject = $3",
	"FROM authority_messages WHERE org_id = $1 AND id = $2", "DELETE FROM authority_messages WHERE org_id = $1 AND filing_id = $2", "UPDATE authority_messages SET state",
}

// permitted reports whether there is a reason for a fault of a plan.
func (p *plan) permitted(table, what string) bool {
	if what != wholeTable && slices.Contains(fewRows, table) {
		return true
	}
	if p.unanalysed && slices.ContainsFunc(untilAnalysed, func(part string) bool { return strings.Contains(p.statement, part) }) {
		return true
	}
	return slices.ContainsFunc(exceptions, func(e exception) bool {
		return (e.table == "" || e.table == table) && strings.Contains(p.statement, e.statement) && (e.what == "" || e.what == what)
	})
}
