package config

import "fmt"

// Authority are the settings of the connection to one of HMRC's systems besides CDS and VAT.
type Authority struct {
	Mode         string  `default:"off" enum:"off,simulator,hmrc-sandbox,live" env:"MODE" help:"No connection, the built-in simulator, HMRC's sandbox, or HMRC. Test organisations always use the simulator."`
	URL          string  `env:"URL" help:"Base address; that of HMRC's sandbox or of HMRC when empty." name:"url"`
	ClientID     string  `env:"CLIENT_ID" help:"OAuth client id of the application at HMRC." name:"client-id"`
	ClientSecret string  `env:"CLIENT_SECRET" help:"OAuth client secret."`
	Scope        string  `env:"SCOPE" help:"Scope of consents, as HMRC names it for the API."`
	TokenURL     string  `env:"TOKEN_URL" help:"Address of OAuth tokens; /oauth/token at the base address when empty." name:"token-url"`
	ConsentURL   string  `env:"CONSENT_URL" help:"Address at which a user gives consent; /oauth/authorize at the base address when empty." name:"consent-url"`
	RedirectURL  string  `env:"REDIRECT_URL" help:"Redirect address after consent, as registered at HMRC; /authorities/consent/callback at the public address when empty." name:"redirect-url"`
	PushSecret   string  `env:"PUSH_SECRET" help:"Push secret of the application's box at HMRC; no notifications are accepted when empty."`
	Rate         float64 `default:"3" env:"RATE" help:"Requests per second to HMRC, of all instances together."`
}

// IsHMRC reports whether the connection is to HMRC or its sandbox.
func (a *Authority) IsHMRC() bool { return a.Mode == "hmrc-sandbox" || a.Mode == "live" }

// AuthorityIDs are the IDs of authorities, in the order in which they are shown.
var AuthorityIDs = []string{"gvms", "ens", "emcs"}

// Authority returns the settings of an authority; nil if there is none with this ID.
func (c *Config) Authority(id string) *Authority {
	return map[string]*Authority{"gvms": &c.GVMS, "ens": &c.ENS, "emcs": &c.EMCS}[id]
}

// wrong returns what is wrong with the settings of an authority.
func (a *Authority) wrong(id, publicURL string) (wrong []string) {
	for _, address := range []struct{ name, value string }{{"url", a.URL}, {"token-url", a.TokenURL}, {"consent-url", a.ConsentURL}, {"redirect-url", a.RedirectURL}} {
		if !isAddress(address.value) {
			wrong = append(wrong, fmt.Sprintf("%s-%s: %q is not an address", id, address.name, address.value))
		}
	}
	if a.Rate < 0 {
		wrong = append(wrong, id+"-rate must not be negative")
	}
	if !a.IsHMRC() {
		return wrong
	}
	for _, needed := range []struct{ name, value string }{{"client-id", a.ClientID}, {"client-secret", a.ClientSecret}, {"scope", a.Scope}} {
		if needed.value == "" {
			wrong = append(wrong, fmt.Sprintf("%s-mode %s needs %s-%s", id, a.Mode, id, needed.name))
		}
	}
	if a.RedirectURL == "" && publicURL == "" {
		wrong = append(wrong, fmt.Sprintf("%s-mode %s needs %s-redirect-url or public-url", id, a.Mode, id))
	}
	return wrong
}
