package consent

import (
	"context"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Credentials are those of one organisation for one call.
type Credentials struct {
	row  row
	user *client.User
	last string // access token that was used last
}

// Credentials returns the credentials of an organisation for one call. Without a consent they have no token; found is
// false then.
func (s *Service) Credentials(ctx context.Context, org tenant.ID) (c *Credentials, found bool, err error) {
	r := row{service: s, org: org}
	err = s.Store.ViewConsent(ctx, org, func(tx Tx) (err error) {
		if r.subject, err = s.subject(tx); err != nil {
			return err
		}
		_, _, found, err = r.usable(tx)
		return err
	})
	tokens := &Tokens{Row: r, Sealer: s.Sealer, Owner: s.owner(org, r.subject), IDs: s.IDs, Log: s.Log}
	return &Credentials{row: r, user: s.Endpoint.User(tokens)}, found, err
}

// Token returns the stored access token, refreshed if it has expired.
func (c *Credentials) Token(ctx context.Context) (string, error) {
	token, err := c.user.Token(ctx)
	c.last = token
	return token, err
}

// Renew returns another access token than the one that HMRC has just refused.
func (c *Credentials) Renew(ctx context.Context, refused string) (string, error) {
	token, err := c.user.Renew(ctx, refused)
	c.last = token
	return token, err
}

// notEnrolled is the text of HMRC's refusal of a token whose Government Gateway account has no enrolment for customs.
const notEnrolled = "EORI number not found in Customs Enrolment"

func (s *Service) notEnrolled() string {
	if s.Other != nil && s.Other.NotEnrolled != "" {
		return s.Other.NotEnrolled
	}
	return notEnrolled
}

// Refused ends the consent if HMRC has refused the token itself, unless there is a newer one. It reports whether the
// organisation has to give consent before anything can be sent.
func (c *Credentials) Refused(ctx context.Context, o client.Refused) (waits bool, err error) {
	enrolled := !strings.Contains(o.Message, c.row.service.notEnrolled())
	switch {
	case o.Code == NoGrant || o.Code == client.CodeNoConsent && c.last == "":
		return true, nil // the refresh has ended the consent, or there is none
	case enrolled && !o.IsUnauthorised() || c.last == "":
		return false, nil
	}
	s := c.row.service
	sealed, err := c.row.Sealed(ctx)
	if err != nil || sealed == "" {
		return true, err
	}
	present, err := OpenToken(s.Sealer, sealed, s.owner(c.row.org, c.row.subject))
	if err != nil || present.Access != c.last {
		return true, err
	}
	if !enrolled {
		return true, c.row.endIf(ctx, sealed, fail, "HMRC answered that the Government Gateway account of the consent has no enrolment for this: "+o.Message)
	}
	return true, c.row.endIf(ctx, sealed, revoke, textRevoked)
}
