package door

import (
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/tidewaiter/tidewaiter/internal/access/oidc"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

const (
	organisationPath   = "/sign-in/organisation"
	organisationCookie = "tidewaiter_organisation"
)

// Signing in through the identity provider of an organisation, found by the mail domain.
func (d *Door) organisationRoutes() []page.Route {
	return []page.Route{
		page.Get(organisationPath, page.ForAnybody, d.organisationPage),
		page.Post(organisationPath, page.ForAnybody, d.chooseProvider),
		page.Get(oidc.CallbackPath, page.ForAnybody, d.finishOrganisation),
		page.Get(page.ConfirmOrganisationPath, page.ForUser, d.confirmAtOrganisation),
	}
}

// throughView is what the page of signing in through an organisation shows.
type throughView struct {
	Next  string
	Email string
	Ways  []way // to the providers; empty before an address was given
}

// way leads to a provider.
type way struct{ Name, Address string }

func (d *Door) organisationPage(v *page.Visit) error {
	return d.showThrough(v, throughView{Next: page.Local(v.R.FormValue("next"))})
}

func (d *Door) showThrough(v *page.Visit, shown throughView) error {
	return v.Show("sign-in-organisation", "Sign in with your organisation", shown)
}

// journey is what the browser keeps between leaving for a provider and coming back.
type journey struct {
	Org    tenant.ID
	Proofs oidc.Proofs
	Next   string
	Again  bool // whether it proves who is at the browser, for a session that is open
}

// chooseProvider shows the way to the providers of the organisation that an address belongs to. It
// is a link, since forms of this console lead nowhere else.
func (d *Door) chooseProvider(v *page.Visit) error {
	shown := throughView{Next: page.Local(v.Value("next")), Email: v.Value("email")}
	again := func() error { return d.showThrough(v, throughView{Next: shown.Next}) }
	if err := d.Accounts.CountLookup(v.R.Context(), v.Visitor); err != nil {
		return v.Again(err, again)
	}
	providers, err := d.Identity.ForEmail(v.R.Context(), shown.Email)
	if err == nil && len(providers) == 0 {
		err = apierr.Invalid(apierr.Detail{Field: "email", Message: "belongs to no organisation with single sign-on here"})
	}
	if err != nil {
		return v.Again(err, again)
	}
	j := newJourney(d, providers[0].Org, shown.Next)
	for _, p := range providers {
		address, failed := d.Identity.Address(v.R.Context(), p, j.Proofs, shown.Email)
		if failed != nil {
			err = failed
			continue
		}
		shown.Ways = append(shown.Ways, way{p.Name, address})
	}
	if len(shown.Ways) == 0 {
		return err
	}
	if err := keepJourney(v, j); err != nil {
		return err
	}
	return d.showThrough(v, shown)
}

// confirmAtOrganisation sends the person of a session to the provider that opened it, to sign in there
// once more.
func (d *Door) confirmAtOrganisation(v *page.Visit) error {
	if v.Session.BoundOrg == "" {
		return apierr.New(apierr.NotFound, "There is no such page.")
	}
	if err := d.Accounts.CountLookup(v.R.Context(), v.Visitor); err != nil {
		return err
	}
	j := newJourney(d, v.Session.BoundOrg, page.Local(v.R.URL.Query().Get("next")))
	j.Again = true
	address, err := d.Identity.AgainAt(v.R.Context(), v.Session, j.Proofs)
	if err != nil {
		return err
	}
	if err := keepJourney(v, j); err != nil {
		return err
	}
	http.Redirect(v.W, v.R, address, http.StatusSeeOther)
	return nil
}

func newJourney(d *Door, org tenant.ID, next string) journey {
	return journey{Org: org, Proofs: oidc.Proofs{State: newSecret(d), Nonce: newSecret(d), Verifier: newSecret(d)}, Next: next}
}

// keepJourney lets the browser keep a journey until it comes back.
func keepJourney(v *page.Visit, j journey) error {
	text, err := json.Marshal(j)
	if err == nil {
		v.SetCookie(organisationCookieName(v), url.QueryEscape(string(text)), singleLife)
	}
	return err
}

// showRefused shows the page from which the person left, with what is wrong.
func (d *Door) showRefused(v *page.Visit, j journey, err error) error {
	return v.Again(err, func() error {
		if j.Again && v.SignedIn {
			return d.Confirm(v, page.Local(j.Next), nil)
		}
		return d.showThrough(v, throughView{Next: page.Local(j.Next)})
	})
}

func organisationCookieName(v *page.Visit) string {
	if v.Secure() {
		return "__Host-" + organisationCookie
	}
	return organisationCookie
}

// finishOrganisation takes a person up who comes back from a provider.
func (d *Door) finishOrganisation(v *page.Visit) error {
	var j journey
	cookie, err := v.R.Cookie(organisationCookieName(v))
	if err == nil {
		v.SetCookie(organisationCookieName(v), "", 0)
		var text string
		if text, err = url.QueryUnescape(cookie.Value); err == nil {
			err = json.Unmarshal([]byte(text), &j)
		}
	}
	query := v.R.URL.Query()
	if err != nil || j.Proofs.State == "" || j.Org == "" {
		return apierr.New(apierr.InvalidRequest, "This sign-in was not begun in this browser, or took too long. Begin again.")
	}
	back := oidc.Return{Org: j.Org, State: query.Get("state"), Code: query.Get("code"), Proofs: j.Proofs}
	if v.SignedIn {
		back.Account = v.Session
	}
	if query.Get("error") != "" || back.Code == "" {
		return d.showRefused(v, j, apierr.New(apierr.Unauthorized, "Your organisation's identity provider has not signed you in."))
	}
	if j.Again && v.SignedIn {
		return d.finishConfirmation(v, j, back)
	}
	token, err := d.Identity.SignIn(v.R.Context(), v.Visitor, back)
	if err != nil {
		return d.showRefused(v, j, err)
	}
	if err := v.Enter(token); err != nil {
		return err
	}
	return v.Done(page.Local(j.Next), "")
}

func (d *Door) finishConfirmation(v *page.Visit, j journey, back oidc.Return) error {
	if err := d.Identity.Confirm(v.R.Context(), v.Visitor, back); err != nil {
		return d.showRefused(v, j, err)
	}
	http.Redirect(v.W, v.R, page.Local(j.Next), http.StatusSeeOther)
	return nil
}
