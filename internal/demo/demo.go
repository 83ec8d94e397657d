// Package demo fills organisations with demo data: clients, declarations, filings of every Hub in many
// states, colleagues, API keys and webhooks. The data is in JSON files, and is stored through the
// services, so that their rules and events apply.
package demo

import (
	"context"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/statement"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// Tx is the transaction for one organisation.
type Tx interface {
	filing.Tx
	access.Tx
	webhook.Tx
}

// Store opens transactions.
type Store interface {
	UpdateDemo(ctx context.Context, org tenant.ID, fn func(Tx) error) error
}

// Company creates the demo data. The service's jobs must be running, because declarations are submitted
// to CDS.
type Company struct {
	Store      Store
	Access     *access.Service
	Accounts   *access.Accounts
	Filings    *filing.Service
	Customs    *customs.Service
	Webhooks   *webhook.Service
	Statements *statement.Service
	IDs        *ident.Source
}

// Demo is the information needed to try the service.
type Demo struct {
	Key            string    // API key of the OWNER
	DeclarationID  string    // a draft, ready to be submitted
	Email          string    // to sign in with, in the console
	Password       string    // of all demo users
	Colleagues     []Sign    // further users
	OrganisationID tenant.ID // organisation of the key
	UserID         string
}

// Sign is the sign-in of a colleague.
type Sign struct {
	Email string
	Role  tenant.Role
}

// The password is easy to read from a screen and to type: it has no similar characters.
const (
	passwordAlphabet = "abcdefghjkmnpqrstuvwxyz23456789"
	passwordLength   = 12
)

// Play creates the demo organisations. The function finish waits for CDS and creates what depends on its
// answers, so that a caller can show the sign-in data first.
func (c *Company) Play(ctx context.Context) (d Demo, finish func(context.Context) error, err error) {
	d.Password = c.IDs.Text(passwordAlphabet, passwordLength)
	dana, err := c.enrol(ctx, owner, d.Password)
	if err != nil {
		return d, nil, err
	}
	d.Email, d.UserID = dana.Email, dana.ID
	var first *stage
	for _, o := range organisations() {
		s, err := c.stage(ctx, o, dana, d.Password)
		if err != nil {
			return d, nil, err
		}
		d.Colleagues = append(d.Colleagues, s.signs...)
		if err := s.play(ctx); err != nil {
			return d, nil, err
		}
		if first == nil {
			first = s
		}
	}
	d.Key, d.OrganisationID, d.DeclarationID = first.key, first.org, first.ids[readyDraft]
	return d, first.finish, nil
}
