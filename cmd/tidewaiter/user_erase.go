package main

import (
	"context"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
)

type userEraseCommand struct {
	User string `arg:"" help:"E-mail address or id of the user."`
	JSON bool   `help:"Answer in JSON."`
}

// Run erases an account and prints what was removed and what remains.
func (u userEraseCommand) Run(ctx context.Context, c *config.Config) error {
	return withApp(ctx, c, func(a *app.App) error {
		id, all, err := a.EraseUser(ctx, u.User)
		if err != nil {
			return err
		}
		if u.JSON {
			return printJSON(map[string]any{"userId": id, "organisations": all})
		}
		fmt.Printf("The account %s is erased.\n", id)
		for _, o := range all {
			fmt.Printf("%s\n", o.Organisation)
			for _, sentence := range o.Sentences() {
				fmt.Printf("  %s\n", sentence)
			}
		}
		return nil
	})
}
