package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/ops/operator"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

type orgCommand struct {
	Create       orgCreateCommand       `cmd:"" help:"Create an organisation with an OWNER key."`
	VerifyDomain orgVerifyDomainCommand `cmd:"" help:"Verify a mail domain of an organisation without a DNS record."`
	List         orgListCommand         `cmd:"" help:"List all organisations, including closed and deleted ones."`
	Close        orgCloseCommand        `cmd:"" help:"Close an organisation. Its data is deleted after 30 days."`
	Restore      orgRestoreCommand      `cmd:"" help:"Restore a closed organisation whose deletion has not begun."`
	Export       orgExportCommand       `cmd:"" help:"Write a complete export of an organisation to a file, also of what remains of a deleted one."`
}

type orgVerifyDomainCommand struct {
	Org    string `required:"" help:"Id of the organisation."`
	Domain string `arg:"" help:"Mail domain, such as example.com."`
	JSON   bool   `help:"Answer in JSON."`
}

// Run verifies a mail domain without a DNS record.
func (o orgVerifyDomainCommand) Run(ctx context.Context, c *config.Config) error {
	return withApp(ctx, c, func(a *app.App) error {
		domain, err := a.VerifyDomain(ctx, tenant.ID(o.Org), o.Domain)
		if err != nil {
			return err
		}
		if o.JSON {
			return printJSON(map[string]any{"organisationId": o.Org, "domain": domain, "verified": true})
		}
		fmt.Printf("The domain %s is verified for the organisation %s.\n", domain, o.Org)
		return nil
	})
}

type orgCreateCommand struct {
	Name string `required:"" help:"Name of the organisation."`
	Eori string `help:"EORI of the organisation."`
	JSON bool   `help:"Answer in JSON."`
}

// Run creates an organisation and shows its first key, once.
func (o orgCreateCommand) Run(ctx context.Context, c *config.Config) error {
	return withNewApp(ctx, c, func(a *app.App) error {
		f, err := a.CreateOrganisation(ctx, o.Name, o.Eori)
		if err != nil {
			return err
		}
		if o.JSON {
			return printJSON(map[string]any{"organisationId": f.Organisation.ID, "userId": f.UserID, "apiKey": f.Secret})
		}
		fmt.Printf("Organisation %s\nUser         %s\nOWNER key    %s\nThe key is shown this once.\n", f.Organisation.ID, f.UserID, f.Secret)
		return nil
	})
}

type keyCommand struct {
	Create keyCreateCommand `cmd:"" help:"Create a key."`
	List   keyListCommand   `cmd:"" help:"List the keys of an organisation."`
	Rotate keyRotateCommand `cmd:"" help:"Give a key a new secret. The old one works for 24 hours."`
	Revoke keyRevokeCommand `cmd:"" help:"Revoke a key."`
}

type keyCreateCommand struct {
	Org     string        `required:"" help:"Id of the organisation."`
	Role    string        `required:"" help:"OWNER, MEMBER or VIEWER."`
	Name    string        `required:"" help:"Name of the key."`
	Scope   []string      `placeholder:"HUB:read" help:"What the key is limited to: HUB:read, HUB:write, *:read or *:write; by default what the role allows. Can be repeated."`
	Address []string      `placeholder:"CIDR" help:"Network from which the key can be used; by default any. Can be repeated."`
	Expires time.Duration `help:"How long the key is valid, such as 720h; by default without end."`
	Mode    string        `default:"live" enum:"live,test" help:"live, or test for a key of the test organisation, which is created at its first use."`
	JSON    bool          `help:"Answer in JSON."`
}

// Run creates a key and shows it, once.
func (k keyCreateCommand) Run(ctx context.Context, c *config.Config) error {
	role, err := tenant.ParseRole(k.Role)
	if err != nil {
		return err
	}
	return withApp(ctx, c, func(a *app.App) error {
		key, secret, err := a.IssueKey(ctx, tenant.ID(k.Org), operator.KeyRequest{Name: k.Name, Role: role, Scopes: k.Scope, Addresses: k.Address, Lifetime: k.Expires, Test: k.Mode == "test"})
		if err != nil {
			return err
		}
		return showKey(key.ID, secret, k.JSON)
	})
}

type keyRotateCommand struct {
	Org  string `required:"" help:"Id of the organisation."`
	ID   string `arg:"" help:"Id of the key."`
	JSON bool   `help:"Answer in JSON."`
}

// Run gives a key a new secret and shows it, once.
func (k keyRotateCommand) Run(ctx context.Context, c *config.Config) error {
	return withApp(ctx, c, func(a *app.App) error {
		key, secret, err := a.RotateKey(ctx, tenant.ID(k.Org), k.ID)
		if err != nil {
			return err
		}
		return showKey(key.ID, secret, k.JSON)
	})
}

func showKey(id, secret string, asJSON bool) error {
	if asJSON {
		return printJSON(map[string]any{"keyId": id, "apiKey": secret})
	}
	fmt.Printf("Key id %s\nKey    %s\nThe key is shown this once.\n", id, secret)
	return nil
}

type keyListCommand struct {
	Org  string `required:"" help:"Id of the organisation."`
	JSON bool   `help:"Answer in JSON."`
}

// keyRow is a key as it is printed.
type keyRow struct {
	ID         string      `json:"id"`
	Name       string      `json:"name"`
	Role       tenant.Role `json:"role"`
	Hint       string      `json:"hint"`
	CreatedAt  *string     `json:"createdAt"`
	ExpiresAt  *string     `json:"expiresAt"`
	RevokedAt  *string     `json:"revokedAt"`
	LastUsedAt *string     `json:"lastUsedAt"`
	LastUsedIP string      `json:"lastUsedIp,omitempty"`
	Scopes     []string    `json:"scopes,omitempty"`
	Addresses  []string    `json:"addresses,omitempty"`
}

// Run lists keys, newest first.
func (k keyListCommand) Run(ctx context.Context, c *config.Config) error {
	return withApp(ctx, c, func(a *app.App) error {
		keys, err := a.Keys(ctx, tenant.ID(k.Org))
		if err != nil {
			return err
		}
		rows := []keyRow{}
		for _, key := range keys {
			rows = append(rows, keyRow{
				key.ID, key.Name, key.Role, "svc_…" + key.Hint, instant(key.CreatedAt), instant(key.ExpiresAt), instant(key.RevokedAt), instant(key.LastUsedAt), key.LastUsedIP, key.Scopes, key.Addresses.Texts(),
			})
		}
		if k.JSON {
			return printJSON(map[string]any{"keys": rows})
		}
		for _, r := range rows {
			fmt.Printf("%s  %-6s  %s  %s%s\n", r.ID, r.Role, r.Hint, r.Name, state(r))
		}
		return nil
	})
}

func state(r keyRow) string {
	switch {
	case r.RevokedAt != nil:
		return "  (revoked " + *r.RevokedAt + ")"
	case r.ExpiresAt != nil:
		return "  (until " + *r.ExpiresAt + ")"
	}
	return ""
}

func instant(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	text := audit.Instant(t)
	return &text
}

type keyRevokeCommand struct {
	Org  string `required:"" help:"Id of the organisation."`
	ID   string `arg:"" help:"Id of the key."`
	JSON bool   `help:"Answer in JSON."`
}

// Run revokes a key immediately.
func (k keyRevokeCommand) Run(ctx context.Context, c *config.Config) error {
	return withApp(ctx, c, func(a *app.App) error {
		if err := a.RevokeKey(ctx, tenant.ID(k.Org), k.ID); err != nil {
			return err
		}
		if k.JSON {
			return printJSON(map[string]any{"keyId": k.ID, "revoked": true})
		}
		fmt.Println("The key is revoked.")
		return nil
	})
}

func printJSON(v any) error {
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	return out.Encode(v)
}
