package main

import (
	"context"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

type userCommand struct {
	List      userListCommand      `cmd:"" help:"List the users."`
	Invite    userInviteCommand    `cmd:"" help:"Create a link with which a user joins an organisation, once, within 7 days."`
	ResetLink userResetLinkCommand `cmd:"" help:"Create a link with which a user sets a new password, once, within 30 minutes."`

	ResetFactors userResetFactorsCommand `cmd:"" help:"Remove the passkeys, authenticator apps and recovery codes of a user, and sign the user out everywhere."`

	Erase userEraseCommand `cmd:"" help:"Erase an account in all organisations: name, addresses, credentials, and the personal values of audit events."`
}

type userListCommand struct {
	JSON bool `help:"Answer in JSON."`
}

// userOutput is a user as it is printed.
type userOutput struct {
	ID            string             `json:"id"`
	Email         string             `json:"email"`
	Name          string             `json:"name"`
	Organisations []membershipOutput `json:"organisations"`
}

type membershipOutput struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Role string `json:"role"`
}

// Run lists users by their e-mail addresses.
func (u userListCommand) Run(ctx context.Context, c *config.Config) error {
	return withApp(ctx, c, func(a *app.App) error {
		users, err := a.Users(ctx)
		if err != nil {
			return err
		}
		out := []userOutput{}
		for _, u := range users {
			row := userOutput{ID: u.ID, Email: u.Email, Name: u.Name, Organisations: []membershipOutput{}}
			for _, m := range u.Memberships {
				row.Organisations = append(row.Organisations, membershipOutput{string(m.Org), m.Name, string(m.Role)})
			}
			out = append(out, row)
		}
		if u.JSON {
			return printJSON(map[string]any{"users": out})
		}
		for _, u := range out {
			fmt.Printf("%s  %s\n", u.Email, u.Name)
			for _, m := range u.Organisations {
				fmt.Printf("  %-6s  %s  %s\n", m.Role, m.ID, m.Name)
			}
		}
		return nil
	})
}

type userInviteCommand struct {
	Email string `arg:"" help:"E-mail address of the user."`
	Org   string `required:"" help:"Id of the organisation."`
	Role  string `default:"OWNER" help:"OWNER, MEMBER or VIEWER."`
	JSON  bool   `help:"Answer in JSON."`
}

// Run creates an invitation and shows its link, once.
func (u userInviteCommand) Run(ctx context.Context, c *config.Config) error {
	role, err := tenant.ParseRole(u.Role)
	if err != nil {
		return err
	}
	return withApp(ctx, c, func(a *app.App) error {
		link, err := a.Invite(ctx, tenant.ID(u.Org), u.Email, role)
		if err != nil {
			return err
		}
		if u.JSON {
			return printJSON(map[string]any{"link": link})
		}
		fmt.Printf("%s\nGive this link to %s. It works once, for 7 days.\n", link, u.Email)
		return nil
	})
}

type userResetLinkCommand struct {
	Email string `arg:"" help:"Address that the user signs in with."`
	JSON  bool   `help:"Answer in JSON."`
}

// Run creates a reset link and shows it, once.
func (u userResetLinkCommand) Run(ctx context.Context, c *config.Config) error {
	return withApp(ctx, c, func(a *app.App) error {
		link, err := a.ResetLink(ctx, u.Email)
		if err != nil {
			return err
		}
		if u.JSON {
			return printJSON(map[string]any{"link": link})
		}
		fmt.Printf("%s\nGive this link to the user. It sets a new password, once, within 30 minutes.\n", link)
		return nil
	})
}

type userResetFactorsCommand struct {
	Email string `arg:"" help:"Address that the user signs in with."`
	JSON  bool   `help:"Answer in JSON."`
}

// Run removes the second factors of a user.
func (u userResetFactorsCommand) Run(ctx context.Context, c *config.Config) error {
	return withApp(ctx, c, func(a *app.App) error {
		removed, err := a.ResetFactors(ctx, u.Email)
		if err != nil {
			return err
		}
		if u.JSON {
			return printJSON(map[string]any{"removed": removed})
		}
		fmt.Printf("Removed %d second factors of %s. Until a new one is set up, the password is enough to sign in.\n", removed, u.Email)
		return nil
	})
}
