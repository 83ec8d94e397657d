package console_test

// deadlineCases are the cases of the deadline pages, auditLogCases those of the audit log. The feed
// belongs to the user, so each user creates one before it is revoked.
var deadlineCases = map[string]routeCase{
	"GET /deadlines":                  {status: 200},
	"GET /deadlines/calendar":         {status: 200},
	"GET /deadlines/calendar/{month}": {status: 200, params: []string{"{month}", "2026-12"}},
	"GET /deadlines/feed":             {status: 200},
	"POST /deadlines/feed":            {status: 200},
	"GET /deadlines/feed/revoke":      {status: 200},
	"POST /deadlines/feed/revoke":     {status: 303},
}

var auditLogCases = map[string]routeCase{
	"GET /audit":               {status: 200},
	"POST /audit/export":       {form: []string{"format", "jsonl"}, status: 200},
	"GET /audit/verification":  {status: 200},
	"POST /audit/verification": {status: 303},
	"GET /audit/checkpoint":    {status: 200},
	"GET /audit/{sequence}":    {status: 200, params: []string{"{sequence}", "1"}},

	"GET /audit/holds":       {status: 200},
	"POST /audit/holds":      {form: []string{"reason", "HMRC inquiry 4711"}, status: 303},
	"POST /audit/holds/lift": {form: []string{"held", "", "why", "closed"}, status: 303}, // set by the case above

	"GET /records/{id}/evidence.zip": {status: 200, record: ofGoods},
}
