package console_test

// teamCases are the cases of the inbox, assignees and comments.
var teamCases = map[string]routeCase{
	"GET /inbox":                      {status: 200},
	"POST /inbox/read":                {status: 303},
	"POST /inbox/settings":            {status: 303},
	"POST /team/assign":               {status: 404}, // without a kind
	"POST /team/comments":             {status: 404}, // without a record
	"POST /team/comments/{id}/delete": {status: 404, record: ofGoods},
}
