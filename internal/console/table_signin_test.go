package console_test

import (
	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/ops/operator"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"net/http"
)

// signInCases are the cases of sign-in, the home page, the settings and the account.
var signInCases = map[string]routeCase{
	"GET /sign-in":                               {status: 303}, // a signed-in user is redirected to the home page
	"POST /sign-in":                              {form: []string{"email", "unknown@example.com", "password", "x"}, status: 401},
	"POST /sign-out":                             {status: 303},
	"GET /forgot":                                {status: 404}, // without mail
	"POST /forgot":                               {form: []string{"email", "olive@example.com"}, status: 404},
	"GET /settings/security":                     {status: 200},
	"POST /settings/security":                    {status: 303},
	"POST /settings/sessions/{id}/end":           {status: 303, record: aSession},
	"POST /settings/users/{id}/reset-link":       {status: 400, record: aColleague}, // the colleague has no email address
	"POST /sign-in/second":                       {form: []string{"step", "x", "code", "1"}, status: 400},
	"POST /sign-in/passkey/begin":                {status: 400}, // on an IP address there are no passkeys
	"POST /sign-in/passkey":                      {status: 400},
	"GET /confirm":                               {status: 200},
	"POST /confirm":                              {form: []string{"password", password, "next", "/account"}, status: 303},
	"GET /confirm/continue":                      {status: 400},
	"GET /account/security":                      {status: 200},
	"POST /account/security/app/new":             {status: 200},
	"GET /account/security/app/code.png":         {status: 404},
	"POST /account/security/app":                 {form: []string{"step", "x", "name", "Phone", "code", "1"}, status: 400},
	"GET /account/security/passkey":              {status: 400},
	"POST /account/security/passkey/begin":       {status: 400},
	"POST /account/security/passkey":             {status: 400},
	"POST /account/security/factors/{id}/rename": {form: []string{"name", "Another"}, status: 303, record: aFactor},
	"GET /account/security/factors/{id}/remove":  {status: 200, record: aFactor},
	"POST /account/security/factors/{id}/remove": {status: 303, record: aFactor},
	"GET /account/security/recovery":             {status: 200},
	"POST /account/security/recovery":            {status: 200}, // the cases above have added a factor
	"GET /set-up/{token}":                        {status: 404},
	"POST /set-up/{token}":                       {status: 404},
	"GET /reset/{token}":                         {status: 404},
	"POST /reset/{token}":                        {status: 404},
	"POST /theme":                                {form: []string{"theme", "dark"}, status: 303},
	"POST /sidebar":                              {form: []string{"sidebar", "narrow"}, status: 303},
	"POST /density":                              {form: []string{"density", "comfortable"}, status: 303},
	"GET /palette":                               {status: 200},
	"GET /design":                                {status: 200},
	"GET /claim/{token}":                         {status: 404},
	"POST /claim/{token}":                        {status: 404},
	"POST /mode":                                 {form: []string{"mode", "x"}, status: 400},
	"POST /switch":                               {form: []string{"organisation", "x"}, status: 404},
	"GET /sign-in/single":                        {status: 404},
	"GET /sign-in/single/callback":               {status: 404},
	"GET /invitations/{token}":                   {status: 404},
	"POST /invitations/{token}/join":             {status: 404},
	"POST /invitations/{token}/accept":           {status: 404},
	"GET /{$}":                                   {status: 200},
	"GET /settings":                              {status: 200},
	"POST /settings":                             {form: []string{"name", "Quay Ltd"}, status: 303},
	"POST /settings/webhooks":                    {form: []string{"membersMayManageWebhooks", ""}, status: 303},
	"GET /settings/customs":                      {status: 200},
	"POST /settings/customs":                     {form: []string{"paymentMethod", "E"}, status: 303},
	"POST /settings/connection":                  {status: 200},
	"GET /settings/users":                        {status: 200},
	"POST /settings/users/invite":                {form: []string{"email", "new@example.com", "role", "VIEWER", "days", "3"}, status: 200},
	"POST /settings/invitations/{id}/withdraw":   {status: 303, record: anInvitation},
	"POST /settings/users/{id}/role":             {form: []string{"role", "MEMBER"}, status: 303, record: aColleague},
	"GET /settings/users/{id}/remove":            {status: 200, record: aColleague},
	"POST /settings/users/{id}/remove":           {status: 303, record: aColleague},
	"GET /settings/users/{id}/erase":             {status: 200, record: aFormerColleague},
	"POST /settings/users/{id}/erase":            {status: 303, record: aFormerColleague},
	"GET /settings/keys":                         {status: 200},
	"POST /settings/keys":                        {form: []string{"name", "A key", "role", "VIEWER"}, status: 200},
	"GET /settings/keys/{id}/rotate":             {status: 200, record: aKey},
	"POST /settings/keys/{id}/rotate":            {status: 200, record: aKey},
	"GET /settings/keys/{id}/revoke":             {status: 200, record: aKey},
	"POST /settings/keys/{id}/revoke":            {status: 303, record: aKey},
	"GET /settings/hubs":                         {status: 200},
	"POST /settings/hubs/{hub}/enable":           {status: 303},
	"GET /settings/hubs/{hub}/disable":           {status: 200},
	"POST /settings/hubs/{hub}/disable":          {status: 303},
	"GET /settings/usage":                        {status: 200},
	"GET /settings/data":                         {status: 200},
	"POST /settings/data/exports":                {status: 303},
	"GET /settings/data/exports/{id}/archive":    {status: 200, record: anExport},
	"POST /settings/data/exports/{id}/cancel":    {status: 303, record: anExport},
	"POST /settings/data/close":                  {form: []string{"name", "Other Ltd"}, status: 400},
	"POST /settings/data/restore":                {status: 400},
	"DELETE /api/organisation":                   {form: []string{"name", "Other Ltd"}, status: 400},
	"POST /api/organisation/restore":             {status: 400},
	"POST /settings/data/provider":               {form: []string{"provider", "off"}, status: 303},
	"GET /account":                               {status: 200},
	"POST /account/name":                         {form: []string{"name", "Another"}, status: 303},
	"POST /account/password":                     {form: []string{"current", "wrong", "password", "long enough it is"}, status: 400},
	"POST /account/sessions/{id}/end":            {status: 303, record: aSession},
	"GET /account/sign-out-everywhere":           {status: 200},
	"POST /account/sign-out-everywhere":          {status: 303},
	"GET /account/erase":                         {status: 200},
	"POST /account/erase":                        {form: []string{"email", "another@example.com"}, status: 400},
}

func anExport(owner *user) (id string) {
	owner.post("/settings/data/exports").expect(owner, http.StatusSeeOther)
	owner.must(owner.app.Store.View(owner.Context(), owner.org, func(tx *store.Tx) error {
		all, err := tx.Exports()
		if err == nil {
			id = all[0].ID
		}
		return err
	}))
	return id
}

func anInvitation(owner *user) (id string) {
	owner.must(owner.app.Store.Update(owner.Context(), owner.org, func(tx *store.Tx) error {
		i, _, err := owner.app.Access.Invite(tx, owner.call(), "guest@example.com", tenant.Member, 3)
		id = i.ID
		return err
	}))
	return id
}

func aColleague(owner *user) string {
	id := owner.app.IDs.UUID()
	owner.must(owner.app.Store.AddUser(owner.Context(), access.User{ID: id, Name: "Canary " + string(owner.org)}))
	owner.must(owner.app.Store.Update(owner.Context(), owner.org, func(tx *store.Tx) error { return tx.AddMember(id, tenant.Viewer) }))
	return id
}

func aFormerColleague(owner *user) string {
	id := aColleague(owner)
	owner.must(owner.app.Store.Update(owner.Context(), owner.org, func(tx *store.Tx) error { _, err := tx.RemoveMember(id); return err }))
	return id
}

func aKey(owner *user) string {
	k, _, err := owner.app.IssueKey(owner.Context(), owner.org, operator.KeyRequest{Name: "Canary " + string(owner.org), Role: tenant.Viewer})
	owner.must(err)
	return k.ID
}

func aSession(owner *user) string {
	again := owner.visitor()
	again.email = owner.email
	again.signIn()
	session, _, err := owner.app.Store.SessionByHash(owner.Context(), access.Hash(again.cookie()))
	owner.must(err)
	return session.ID
}

func aFactor(owner *user) string {
	id := owner.app.IDs.UUID()
	owner.must(owner.app.Store.Update(owner.Context(), tenant.Operator, func(tx *store.Tx) error {
		return tx.AddAuthenticator(access.Authenticator{ID: id, UserID: owner.id, Name: "Canary phone", Secret: "x", CreatedAt: tx.Now()})
	}))
	return id
}
