package console_test

// aGoodsMovement is a valid body of a goods movement.
const aGoodsMovement = `{"routeFrom":"Calais","routeTo":"Dover","vehicleReg":"AB24 CDE"}`

// authoritiesCases are the cases of connections to authorities besides customs and VAT.
var authoritiesCases = map[string]routeCase{
	"GET /authorities":                           {status: 200},
	"GET /authorities/records/{id}":              {status: 200, record: aFiling("gvms.movement", aGoodsMovement)},
	"POST /authorities/systems/{system}/consent": {status: 400, params: []string{"{system}", "emcs"}, form: []string{"identifier", "GBWK002281023"}}, // without a connection to HMRC
	"GET /authorities/systems/{system}/end":      {status: 200, params: []string{"{system}", "gvms"}},
	"POST /authorities/systems/{system}/end":     {status: 404, params: []string{"{system}", "gvms"}}, // there is no consent
	"GET /authorities/consent/callback":          {status: 400},                                       // without a consent
	"POST /authorities/consent/confirm":          {status: 400},                                       // also without a consent
	"POST /authorities/messages/{id}/claim":      {status: 404, record: aFiling("gvms.movement", aGoodsMovement), form: []string{"recordId", "01900000-0000-7000-8000-000000000009"}},
}
