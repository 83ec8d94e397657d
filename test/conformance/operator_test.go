package conformance

import (
	"context"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"github.com/tidewaiter/tidewaiter/internal/app"
	commands "github.com/tidewaiter/tidewaiter/internal/ops/operator"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// operator creates organisations and keys while a server runs, as the commands do, without a process for each.
type operator struct{ *app.App }

func newOperator(t testing.TB, folder, database string) operator {
	t.Helper()
	var c config.Config
	parser, err := kong.New(&c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse([]string{"--data", folder, "--database-url", database}); err != nil {
		t.Fatal(err)
	}
	a, err := app.Open(context.Background(), c, app.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	return operator{a}
}

// organisation creates an organisation; the caller is its OWNER.
func (p *server) organisation(name string) *caller {
	p.t.Helper()
	made, err := p.operator.CreateOrganisation(p.t.Context(), name, "GB123456789000")
	if err != nil {
		p.t.Fatal(err)
	}
	return &caller{p, string(made.Organisation.ID), made.Secret}
}

// as is the same organisation with a key of another role.
func (c *caller) as(role string) *caller {
	c.t.Helper()
	return &caller{c.server, c.org, c.newKey(role, 0)}
}

// newKey is a key with a lifetime; 0 means no expiry.
func (c *caller) newKey(role string, lifetime time.Duration) string {
	c.t.Helper()
	_, secret, err := c.operator.IssueKey(c.t.Context(), tenant.ID(c.org), commands.KeyRequest{Name: role, Role: tenant.Role(role), Lifetime: lifetime})
	if err != nil {
		c.t.Fatal(err)
	}
	return secret
}
