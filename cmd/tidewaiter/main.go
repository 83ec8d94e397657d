// Command tidewaiter is the service, and the operator's tools beside it.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/ops/installation"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
)

// program is the command line.
type program struct {
	Serve     serveCommand     `cmd:"" help:"Run the service."`
	Demo      demoCommand      `cmd:"" help:"Run the service with an organisation to try it with."`
	Migrate   migrateCommand   `cmd:"" help:"Bring the database up to date as its owner, and set the rights of the service's role."`
	Backup    backupCommand    `cmd:"" help:"Back the data folder up into one file, beside the running service; say how PostgreSQL is backed up."`
	Restore   restoreCommand   `cmd:"" help:"Restore a backup into a data folder without an installation, or prove one."`
	Move      moveCommand      `cmd:"" help:"Take a whole installation to another database. What was broken off goes on when it is run again."`
	Org       orgCommand       `cmd:"" help:"Organisations."`
	Key       keyCommand       `cmd:"" help:"API keys."`
	User      userCommand      `cmd:"" help:"People who sign in to the console."`
	Customs   customsCommand   `cmd:"" help:"Messages of customs."`
	Jobs      jobsCommand      `cmd:"" help:"Jobs that were given up."`
	Audit     auditCommand     `cmd:"" help:"The audit trail."`
	Evidence  evidenceCommand  `cmd:"" help:"Evidence packs."`
	Hold      holdCommand      `cmd:"" help:"Legal holds: what must not be removed."`
	Retention retentionCommand `cmd:"" help:"Remove what has been kept long enough, or say what would go."`
	Data      dataCommand      `cmd:"" help:"Tables that others publish."`
	Tariff    tariffCommand    `cmd:"" help:"The tariff in force."`
	Simulator simulatorCommand `cmd:"" help:"Run the customs simulator alone."`
	Openapi   openapiCommand   `cmd:"" help:"Print the OpenAPI document."`
	Settings  configCommand    `cmd:"" name:"config" help:"The settings: check them, show them, print their schema."`
	Doctor    doctorCommand    `cmd:"" help:"Examine the deployment, and say what to do."`
	Health    healthCommand    `cmd:"" help:"Ask the service that runs here whether it is well: for containers."`
	Docs      docsCommand      `cmd:"" hidden:"" help:"Write the generated documents."`
	Version   versionCommand   `cmd:"" help:"Print the version, and what it was built of."`

	ConfigFile string `name:"config" placeholder:"FILE" env:"TIDEWAITER_CONFIG" help:"File with settings: YAML, or one NAME=value a line."`
	config.Config
}

// collectAt lets the heap grow to three times what is in use before it is
// collected: a sixth more requests, and still a small process.
const collectAt = 200

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
	os.Exit(run(os.Args[1:]))
}

// checking are the commands that parse every setting before they do anything, so that all faults are named at once.
// All others that open the database do so when they open it.
var checking = []string{"serve", "demo", "config check"}

func run(args []string) int {
	given, wrong := config.Load(args, config.Process())
	var p program
	parser, err := kong.New(&p, kong.Name("tidewaiter"), kong.Description("Customs declarations and trade compliance for the United Kingdom."),
		kong.UsageOnError())
	if err != nil {
		return refuse(err)
	}
	command, err := parser.Parse(given.Args)
	if err == nil {
		err = p.Config.Complete(given.Getenv)
		if slices.Contains(checking, command.Command()) {
			err = config.Join(err, app.CheckSettings(p.Config))
		}
	}
	if err := config.Join(wrong, err); err != nil {
		return refuse(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	command.BindTo(ctx, (*context.Context)(nil))
	err = command.Run(&p.Config, given)
	var faulty *config.Invalid
	if errors.As(err, &faulty) {
		return refuse(err)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "tidewaiter:", readable(err))
	}
	return exitCode(err)
}

// refuse names all that is wrong with a command line or a setting, each in a line.
func refuse(err error) int {
	var wrong *config.Invalid
	if errors.As(err, &wrong) {
		for _, fault := range wrong.Faults {
			fmt.Fprintln(os.Stderr, "tidewaiter: settings:", fault)
		}
		return exitUsage
	}
	fmt.Fprintln(os.Stderr, "tidewaiter:", err)
	return exitUsage
}

// readable is an error without the code that is for programs.
func readable(err error) string {
	f, ok := apierr.As(err)
	if !ok {
		return err.Error()
	}
	text := f.Message
	for _, d := range f.Details {
		text += fmt.Sprintf(" %s %s.", d.Field, d.Message)
	}
	if cause := errors.Unwrap(f); cause != nil {
		text += " (" + cause.Error() + ")"
	}
	return text
}

// logLevel is the level in use; SIGHUP may change it.
var logLevel slog.LevelVar

func newLog(c *config.Config) *slog.Logger {
	_ = logLevel.UnmarshalText([]byte(c.LogLevel))
	return slog.New(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: &logLevel}))
}

// within opens an existing database beside a running server, or without one.
func within(ctx context.Context, c *config.Config, fn func(*app.App) error) error {
	return opened(ctx, c, app.Deps{Existing: true}, fn)
}

// creating is within for a command that makes the database if there is none.
func creating(ctx context.Context, c *config.Config, fn func(*app.App) error) error {
	return opened(ctx, c, app.Deps{}, fn)
}

// serving is creating for a server, which is the only one on its data folder.
func serving(ctx context.Context, c *config.Config, fn func(*app.App) error) error {
	return opened(ctx, c, app.Deps{Server: true}, fn)
}

func opened(ctx context.Context, c *config.Config, d app.Deps, fn func(*app.App) error) error {
	d.Log, d.Version, d.Getenv = newLog(c), version, os.Getenv
	a, err := app.Open(ctx, *c, d)
	if err != nil {
		return err
	}
	return errors.Join(fn(a), a.Close())
}

// environment is what a command needs that opens no App.
func environment(c *config.Config) installation.Environment {
	return app.Deps{Log: newLog(c), Version: version}.Environment()
}
