package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/demo"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
)

type serveCommand struct{}

// Run serves until it is stopped.
func (serveCommand) Run(ctx context.Context, c *config.Config, given *config.Given) error {
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
	d := app.Deps{Server: true, ReloadSignals: hangups, Reload: func() error { return reloadLevel(c, given) }}
	return openApp(ctx, c, d, func(a *app.App) error {
		return a.Serve(ctx, func(string) {
			fmt.Printf("Tidewaiter %[1]s\n  API       %[2]s/api\n  Try it    %[2]s/api/docs\n  Console   %[2]s\n", version, a.Config.PublicURL)
			link, err := a.SetUpLink(ctx)
			if err != nil {
				fmt.Fprintln(os.Stderr, "tidewaiter: no set-up link:", err)
			} else if link != "" {
				fmt.Printf("  Set up    %s\n            Open this to create the first organisation and its OWNER. The link works once, for 30 minutes.\n", link)
			}
		})
	})
}

// reloadLevel reads the log level from the configuration file again.
func reloadLevel(c *config.Config, given *config.Given) error {
	level, err := given.LogLevel(c.LogLevel)
	if err != nil {
		return err
	}
	return logLevel.UnmarshalText([]byte(level))
}

type demoCommand struct{}

// Run serves with demo organisations.
func (demoCommand) Run(ctx context.Context, c *config.Config) error {
	app.SimulateAuthorities(c)
	return withServer(ctx, c, func(a *app.App) error {
		if err := a.CheckDemo(); err != nil {
			return err
		}
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		var failed error
		err := a.Serve(ctx, func(string) {
			err := a.Demo(ctx, func(d demo.Demo) { fmt.Print(greeting(a.Config.PublicURL, d)) })
			if err != nil && ctx.Err() == nil {
				failed = err
				stop()
			}
		})
		return errors.Join(failed, err)
	})
}

// greeting explains how to use the demo.
func greeting(base string, d demo.Demo) string {
	text := fmt.Sprintf(`Tidewaiter %[1]s, with a demo organisation. CDS is the built-in simulator: nothing is sent to HMRC.

  Console   %[2]s
            sign in as %[3]s with the password %[4]s
`, version, base, d.Email, d.Password)
	for _, c := range d.Colleagues {
		text += fmt.Sprintf("            or as %s (%s) with the same password\n", c.Email, c.Role)
	}
	return text + fmt.Sprintf(`
  API base  %[1]s/api
  Try it    %[1]s/api/docs
  OWNER key %[2]s

Submit the demo's draft declaration, and list the declarations to see CDS accept, tax and clear it:

  curl -s -H 'Authorization: Bearer %[2]s' -H 'Content-Type: application/json' -d '{"declarationId":"%[3]s"}' %[1]s/api/cds/submit
  curl -s -H 'Authorization: Bearer %[2]s' %[1]s/api/declarations
`, base, d.Key, d.DeclarationID)
}

type simulatorCommand struct {
	Callback string `default:"http://127.0.0.1:8080/api/cds/webhook" help:"Address that messages are sent to."`
}

// Run serves the customs simulator until it is stopped.
func (s simulatorCommand) Run(ctx context.Context, c *config.Config) error {
	return app.ServeSimulator(ctx, *c, app.Deps{Log: newLog(c)}, s.Callback, func(address string) {
		fmt.Printf("Customs simulator on http://%s, sending to %s\n", address, s.Callback)
	})
}
