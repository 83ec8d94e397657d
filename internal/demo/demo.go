// Package demo fills organisations to try the service with: clients, declarations,
// filings of every Hub in many states, colleagues, keys and webhooks. What happened
// there is data, and it happens through the services, with their rules and events.
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

// Tx is what a demo writes of one organisation.
type Tx interface {
	filing.Tx
	access.Tx
	webhook.Tx
}

// Store opens transactions.
type Store interface {
	UpdateDemo(ctx context.Context, org tenant.ID, fn func(Tx) error) error
}

// Company plays the story with the services, which have to be running: customs is
// spoken to.
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

// Demo is what a newcomer needs to try the service.
type Demo struct {
	Key            string    // of the OWNER
	DeclarationID  string    // a draft, ready to be submitted
	Email          string    // to sign in with, in the console
	Password       string    // of everybody in the story
	Colleagues     []Sign    // who else can sign in
	OrganisationID tenant.ID // the one that the key is good for
	UserID         string
}

// Sign is how a colleague signs in, and as what.
type Sign struct {
	Email string
	Role  tenant.Role
}

// A password that can be read from one screen and typed into another.
const (
	passwordAlphabet = "abcdefghjkmnpqrstuvwxyz23456789"
	passwordLength   = 12
)

// Play makes the organisations of the story, one after the other. What follows from
// customs' answers is left to finish, which a caller may call when the newcomer has
// been greeted.
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
