package console_test

// aGoodsMovement is a valid body of a goods movement.
const aGoodsMovement = `{"routeFrom":"Calais","routeTo":"Dover","vehicleReg":"AB24 CDE"}`

// authoritiesCases are the cases of connections to authorities besides customs and VAT.
var authoritiesCases = map[string]routeCase{
	"GET /authorities":                      {status: 200},
	"GET /authorities/records/{id}":         {status: 200, record: aFiling("gvms.movement", aGoodsMovement)},
	"POST /authorities/messages/{id}/claim": {status: 404, record: aFiling("gvms.movement", aGoodsMovement), form: []string{"recordId", "01900000-0000-7000-8000-000000000009"}},
}
