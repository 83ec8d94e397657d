package console_test

// approvalCases are the cases of the pages of approvals. The organisation requires none, so nothing is approved.
var approvalCases = func() map[string]routeCase {
	of := []string{"{kind}", "declaration"}
	return map[string]routeCase{
		"GET /approvals":                       {status: 200},
		"GET /approvals/{kind}/{id}":           {status: 200, params: of, record: ofGoods},
		"GET /approvals/{kind}/{id}/document":  {status: 200, params: of, record: ofGoods},
		"POST /approvals/{kind}/{id}/ask":      {status: 400, params: of, record: ofGoods},
		"POST /approvals/{kind}/{id}/approve":  {status: 400, params: of, record: ofGoods},
		"POST /approvals/{kind}/{id}/withdraw": {status: 303, params: of, record: ofGoods},
		"POST /settings/approval":              {form: []string{"approvalRequired", ""}, status: 303},
		"POST /api/declarations/{id}/approval": {status: 400, record: ofGoods},
		"POST /api/{hub}/{many}/{id}/approval": {status: 400, params: []string{"{many}", "declarations"}, record: aFiling("tss.declaration", aDeclaration), hub: "tss"},
	}
}()
