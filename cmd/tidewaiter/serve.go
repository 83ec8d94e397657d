package main

import (
	"context"
	"fmt"
	"os"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/config"
)

type serveCommand struct{}

// Run serves until it is told to stop.
func (serveCommand) Run(ctx context.Context, c *config.Config) error {
	return within(ctx, c, func(a *app.App) error {
		return a.Serve(ctx, func(address string) {
			fmt.Printf("Tidewaiter %[1]s\n  API       http://%[2]s/api\n  Try it    http://%[2]s/api/docs\n  Console   %[3]s\n", version, address, a.Config.PublicURL)
			link, err := a.SetUpLink(ctx)
			if err != nil {
				fmt.Fprintln(os.Stderr, "tidewaiter: no set-up link:", err)
			} else if link != "" {
				fmt.Printf("  Set up    %s\n            Open this to make the first organisation and its OWNER: good once, for 30 minutes.\n", link)
			}
		})
	})
}

type demoCommand struct{}

// Run serves with an organisation to try the service with.
func (demoCommand) Run(ctx context.Context, c *config.Config) error {
	return within(ctx, c, func(a *app.App) error {
		d, err := a.Demo(ctx)
		if err != nil {
			return err
		}
		return a.Serve(ctx, func(address string) {
			fmt.Printf(`Tidewaiter %[1]s, with a demo organisation. Customs is the built-in simulator: nothing leaves this machine.

  Console   %[5]s
            sign in as %[6]s with the password %[7]s

  API base  http://%[2]s/api
  Try it    http://%[2]s/api/docs
  OWNER key %[3]s

Submit the demo's draft declaration, and list the declarations to watch customs accept, tax and clear it:

  curl -s -H 'Authorization: Bearer %[3]s' -H 'Content-Type: application/json' -d '{"declarationId":"%[4]s"}' http://%[2]s/api/cds/submit
  curl -s -H 'Authorization: Bearer %[3]s' http://%[2]s/api/declarations
`, version, address, d.Key, d.DeclarationID, a.Config.PublicURL, d.Email, d.Password)
		})
	})
}

type simulatorCommand struct {
	Callback string `default:"http://127.0.0.1:8080/api/cds/webhook" help:"Address that messages are sent to."`
}

// Run serves customs' stand-in until it is told to stop.
func (s simulatorCommand) Run(ctx context.Context, c *config.Config) error {
	return app.ServeSimulator(ctx, *c, app.Deps{Log: newLog(c)}, s.Callback, func(address string) {
		fmt.Printf("Customs simulator on http://%s, sending to %s\n", address, s.Callback)
	})
}

type versionCommand struct{}

// Run prints the version.
func (versionCommand) Run() error {
	_, err := fmt.Fprintln(os.Stdout, version)
	return err
}
