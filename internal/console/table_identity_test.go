package console_test

import "github.com/tidewaiter/tidewaiter/internal/access/oidc"

// identityCases are the cases of the organisation's single sign-on and its settings.
var identityCases = map[string]routeCase{
	"GET /sign-in/organisation":                    {status: 200},
	"POST /sign-in/organisation":                   {form: []string{"email", "nina@nowhere.example"}, status: 400},
	"GET /sign-in/organisation/callback":           {status: 400},
	"GET /confirm/organisation":                    {status: 404},
	"GET /settings/scim":                           {status: 200},
	"POST /settings/scim":                          {status: 200},
	"POST /settings/scim/roles":                    {form: []string{"roles", "filers = MEMBER", "defaultRole", "VIEWER"}, status: 303},
	"GET /settings/sign-on":                        {status: 200},
	"POST /settings/sign-on/providers":             {form: []string{"name", "ID", "issuer", "https://id.example.com", "clientId", "c", "secret", "s"}, status: 303},
	"GET /settings/sign-on/providers/{id}":         {status: 200, record: aProvider},
	"POST /settings/sign-on/providers/{id}":        {form: []string{"name", "ID", "issuer", "https://id.example.com", "clientId", "d"}, status: 303, record: aProvider},
	"POST /settings/sign-on/providers/{id}/remove": {status: 303, record: aProvider},
	"POST /settings/sign-on/domains":               {form: []string{"domain", "quay.example"}, status: 303},
	"POST /settings/sign-on/domains/check":         {form: []string{"domain", "other.example"}, status: 404},
	"POST /settings/sign-on/domains/remove":        {form: []string{"domain", "other.example"}, status: 404},
	"POST /settings/sign-on/passwords":             {form: []string{"emergencyOwnerId", ""}, status: 303},
}

func aProvider(owner *user) (id string) {
	owner.must(owner.app.Identity.Store.UpdateIdentity(owner.Context(), owner.org, func(tx oidc.Tx) error {
		all, err := tx.Providers()
		if err != nil || len(all) > 0 {
			id = all[0].ID
			return err
		}
		p, err := owner.app.Identity.Save(tx, owner.call(), "", oidc.Settings{Name: "Canary " + string(owner.org), Issuer: "https://id.example.com", ClientID: "c"}, "secret")
		id = p.ID
		return err
	}))
	return id
}
