// Command tidewaiter runs the service and the operator's tools.
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
	Demo      demoCommand      `cmd:"" help:"Run the service with demo organisations."`
	Migrate   migrateCommand   `cmd:"" help:"Migrate the database as its owner, and set the rights of the service's role."`
	Backup    backupCommand    `cmd:"" help:"Back up the data folder to one file while the service runs; with PostgreSQL, print the commands to use."`
	Restore   restoreCommand   `cmd:"" help:"Restore a backup into an empty data folder, or verify it."`
	Move      moveCommand      `cmd:"" help:"Move an installation to another database. After an interruption, run it again to continue."`
	Org       orgCommand       `cmd:"" help:"Organisations."`
	Key       keyCommand       `cmd:"" help:"API keys."`
	User      userCommand      `cmd:"" help:"Users of the console."`
	Customs   customsCommand   `cmd:"" help:"Messages from CDS."`
	Jobs      jobsCommand      `cmd:"" help:"Failed jobs."`
	Audit     auditCommand     `cmd:"" help:"The audit trail."`
	Evidence  evidenceCommand  `cmd:"" help:"Evidence packs."`
	Hold      holdCommand      `cmd:"" help:"Legal holds, which protect records from removal."`
	Retention retentionCommand `cmd:"" help:"Remove records whose retention period is over, or count them."`
	Data      dataCommand      `cmd:"" help:"Published reference tables."`
	Tariff    tariffCommand    `cmd:"" help:"The tariff in force."`
	Rates     ratesCommand     `cmd:"" help:"Exchange rates for customs values."`
	Ens       ensCommand       `cmd:"" help:"Entry summary declarations of Safety and Security GB."`
	Simulator simulatorCommand `cmd:"" help:"Run only the customs simulator."`
	Openapi   openapiCommand   `cmd:"" help:"Print the OpenAPI document."`
	Settings  configCommand    `cmd:"" name:"config" help:"The settings: check them, show them, print their schema."`
	Doctor    doctorCommand    `cmd:"" help:"Check the deployment, and say what to correct."`
	Health    healthCommand    `cmd:"" help:"Check the health of the service on this machine, for containers."`
	Listen    listenCommand    `cmd:"" help:"Forward the events of an organisation to an address on this machine, signed like webhooks."`
	Trigger   triggerCommand   `cmd:"" help:"Make an event happen where nothing reaches an authority, in a test organisation or with the simulators: create records and submit them."`
	Docs      docsCommand      `cmd:"" hidden:"" help:"Write the generated documents."`
	Version   versionCommand   `cmd:"" help:"Print the version and the commit."`

	ConfigFile    string `name:"config" group:"Settings of the service:" placeholder:"FILE" env:"TIDEWAITER_CONFIG" help:"File with settings: YAML, or one NAME=value a line."`
	config.Config `group:"Settings of the service:"`
}

// collectAt lets the heap grow to three times the memory in use before a collection: the service answers a sixth more
// requests, and the process stays small (measured with test/bench).
const collectAt = 200

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
	os.Exit(run(os.Args[1:]))
}

// checking are the commands that check all settings first, so that all faults are reported together. Other commands
// check them when they open the database.
var checking = []string{"serve", "demo", "config check"}

func run(args []string) int {
	given, wrong := config.Load(args, config.Process())
	var p program
	parser, err := kong.New(&p, kong.Name("tidewaiter"), kong.Description("Customs declarations and trade compliance for the United Kingdom."),
		kong.UsageOnError(), kong.Help(help))
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

// refuse prints all faults of the command line and the settings.
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

// readable returns an error without its code, which is for programs.
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

// withApp opens an existing database, whether or not a server runs.
func withApp(ctx context.Context, c *config.Config, fn func(*app.App) error) error {
	return openApp(ctx, c, app.Deps{Existing: true}, fn)
}

// withNewApp is withApp for commands that create the database if there is none.
func withNewApp(ctx context.Context, c *config.Config, fn func(*app.App) error) error {
	return openApp(ctx, c, app.Deps{}, fn)
}

// withServer is withNewApp for a server, which must be the only one on its data folder.
func withServer(ctx context.Context, c *config.Config, fn func(*app.App) error) error {
	return openApp(ctx, c, app.Deps{Server: true}, fn)
}

func openApp(ctx context.Context, c *config.Config, d app.Deps, fn func(*app.App) error) error {
	d.Log, d.Version, d.Getenv = newLog(c), version, os.Getenv
	a, err := app.Open(ctx, *c, d)
	if err != nil {
		return err
	}
	return errors.Join(fn(a), a.Close())
}

// environment returns what a command needs that opens no App.
func environment(c *config.Config) installation.Environment {
	return app.Deps{Log: newLog(c), Version: version}.Environment()
}
