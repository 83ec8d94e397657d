package cds

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-jose/go-jose/v4/json"
)

// claims are the checked claims of a bearer token (RFC 7519). Times are seconds since 1970; nil if the token does not
// have the claim.
type claims struct {
	Issuer    string   `json:"iss,omitempty"`
	Audience  audience `json:"aud,omitempty"`
	Expiry    *float64 `json:"exp,omitempty"`
	NotBefore *float64 `json:"nbf,omitempty"`
	IssuedAt  *float64 `json:"iat,omitempty"`
}

// audience is a string or a list of strings.
type audience []string

// UnmarshalJSON reads either form.
func (a *audience) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		*a = audience{one}
		return nil
	}
	return json.Unmarshal(text, (*[]string)(a))
}

// checkClaims returns an error unless the token is by the issuer, for the audience, and in
// its time. The library's own check lets a token pass in the second in which it expires.
func (s *Signed) checkClaims(payload []byte) error {
	var c claims
	if err := json.Unmarshal(payload, &c); err != nil {
		return err
	}
	now, allowance := float64(s.now().Unix()), leeway.Seconds()
	switch {
	case c.Issuer != s.issuer:
		return fmt.Errorf("iss is %q", c.Issuer)
	case !slices.Contains(c.Audience, s.audience):
		return fmt.Errorf("aud is %q", []string(c.Audience))
	case c.Expiry == nil:
		return errors.New("exp is missing")
	case now >= *c.Expiry+allowance:
		return fmt.Errorf("exp was %.0f seconds ago", now-*c.Expiry)
	case c.NotBefore != nil && now < *c.NotBefore-allowance:
		return fmt.Errorf("nbf is in %.0f seconds", *c.NotBefore-now)
	case c.IssuedAt != nil && now < *c.IssuedAt-allowance:
		return fmt.Errorf("iat is in %.0f seconds", *c.IssuedAt-now)
	}
	return nil
}
