// Package appearance holds how an organisation's webhook portal looks, and which sites may show it in a frame.
package appearance

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// PortalAppearance is how the portal of an organisation looks.
type PortalAppearance struct {
	AccentColour string   `json:"accentColour,omitempty" pattern:"^#[0-9a-fA-F]{6}$" doc:"Colour of its header and buttons under white text; contrast to white at least 4.5" example:"#0b5563"`
	EmbedOrigins []string `json:"embedOrigins,omitempty" maxItems:"20" nullable:"false" doc:"Origins whose pages may show it in a frame; none if absent" example:"[\"https://app.example.com\"]"`
}

// minContrast is the least contrast of text to its background: WCAG 2.2, success criterion 1.4.3.
const minContrast = 4.5

// origin is an origin in the form that the directive frame-ancestors takes. Without a wildcard and without a separator of the
// policy, an origin adds nothing but itself.
var origin = lazyregexp.New(`^(https://[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?|http://(localhost|127\.0\.0\.1))(:[0-9]{1,5})?$`)

// Check returns what is wrong; field is the name of the member that holds the appearance.
func (p *PortalAppearance) Check(field string) (details []apierr.Detail) {
	if p == nil {
		return nil
	}
	if p.AccentColour != "" {
		if contrast, ok := contrastToWhite(p.AccentColour); !ok {
			details = append(details, apierr.Detail{Field: field + ".accentColour", Message: "must be a colour such as #0b5563"})
		} else if contrast < minContrast {
			message := fmt.Sprintf("has a contrast of %.1f to white text, and 4.5 is the least that everyone can read. Choose a darker colour", math.Floor(contrast*10)/10)
			details = append(details, apierr.Detail{Field: field + ".accentColour", Message: message})
		}
	}
	for i, text := range p.EmbedOrigins {
		if !origin.MatchString(text) {
			message := "must be an origin in small letters such as https://app.example.com, without a path; http is for localhost only"
			details = append(details, apierr.Detail{Field: fmt.Sprintf("%s.embedOrigins[%d]", field, i), Message: message})
		}
	}
	return details
}

// Ancestors are the sources of the directive frame-ancestors.
func (p *PortalAppearance) Ancestors() string {
	if p == nil || len(p.EmbedOrigins) == 0 {
		return "'none'"
	}
	return strings.Join(p.EmbedOrigins, " ")
}

// Accent is the colour of header and buttons; empty for that of the service.
func (p *PortalAppearance) Accent() string {
	if p == nil {
		return ""
	}
	return p.AccentColour
}

// contrastToWhite returns the contrast ratio of a colour such as #0b5563 to white, by WCAG 2.2.
func contrastToWhite(colour string) (ratio float64, ok bool) {
	digits, ok := strings.CutPrefix(colour, "#")
	n, err := strconv.ParseUint(digits, 16, 32)
	if !ok || len(digits) != 6 || err != nil {
		return 0, false
	}
	luminance := 0.2126*linear(n>>16) + 0.7152*linear(n>>8&0xff) + 0.0722*linear(n&0xff)
	return 1.05 / (luminance + 0.05), true
}

// linear returns the linear value of an sRGB channel from 0 to 255.
func linear(channel uint64) float64 {
	c := float64(channel) / 255
	if c <= 0.04045 {
		return c / 12.92
	}
	return math.Pow((c+0.055)/1.055, 2.4)
}
