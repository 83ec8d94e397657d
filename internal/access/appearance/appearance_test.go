package appearance_test

import (
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/access/appearance"
)

// White text can be read on every colour that is accepted: #767676 is the lightest grey that WCAG accepts.
func TestContrast(t *testing.T) {
	for colour, right := range map[string]bool{
		"#000000": true, "#0b5563": true, "#767676": true, "#777777": false, "#FFD500": false, "#ffffff": false,
		"0b5563": false, "#fff": false, "#12345g": false, "#+12345": false, "red": false,
	} {
		p := appearance.PortalAppearance{AccentColour: colour}
		if wrong := p.Check("portal"); (wrong == nil) != right {
			t.Errorf("%s: %v", colour, wrong)
		}
	}
}

// An origin is one source of the policy and adds no directive.
func TestOrigins(t *testing.T) {
	for text, right := range map[string]bool{
		"https://app.example.com": true, "https://app.example.com:8443": true, "http://localhost:3000": true, "https://xn--bcher-kva.example": true,
		"http://app.example.com": false, "https://app.example.com/": false, "https://*.example.com": false, "https://a.example; script-src *": false,
		"https://a.example 'self'": false, "https://user@a.example": false, "*": false, "": false, "https://": false, "https://A.example": false, "null": false,
		"https://a.example\n": false, "https://a.example,https://b.example": false,
	} {
		p := appearance.PortalAppearance{EmbedOrigins: []string{text}}
		if wrong := p.Check("portal"); (wrong == nil) != right || wrong != nil && wrong[0].Field != "portal.embedOrigins[0]" {
			t.Errorf("%q: %v", text, wrong)
		}
	}
	p := appearance.PortalAppearance{EmbedOrigins: []string{"https://a.example", "https://b.example"}}
	if got := p.Ancestors(); got != "https://a.example https://b.example" {
		t.Errorf("ancestors: %s", got)
	}
	var none *appearance.PortalAppearance
	if none.Ancestors() != "'none'" || !strings.Contains((&appearance.PortalAppearance{}).Ancestors(), "none") || none.Check("portal") != nil || none.Accent() != "" {
		t.Error("an organisation without an appearance has another one than none")
	}
}
