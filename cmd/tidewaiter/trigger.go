package main

import (
	"context"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/webhook/trigger"
)

type triggerCommand struct {
	Type   string        `arg:"" help:"Type of the event, such as declaration.cleared."`
	Set    []string      `placeholder:"PATH=VALUE" sep:"none" help:"A value of the record, such as items.0.netMassKg=12.5, or of an earlier one, such as client.name=Quay Ltd. May be repeated."`
	URL    string        `name:"url" placeholder:"URL" help:"Address of the service, such as https://customs.example.com; by default that in the settings, or http://127.0.0.1:8080."`
	Within time.Duration `default:"2m" help:"How long to wait for the event."`
}

// Help returns the text of --help below the first sentence. An indented line is not wrapped.
func (triggerCommand) Help() string {
	return "Set " + keyVariable + " to an API key of a MEMBER or an OWNER, such as one of POST /api/sandbox/keys. Example:\n\n" +
		"    tidewaiter trigger declaration.cleared --url http://localhost:8080 --set items.0.netMassKg=12.5\n\n" +
		"The types are " + strings.Join(trigger.Types(), ", ") + "."
}

func (triggerCommand) callsService() {}

// Run creates records until the event has happened.
func (t triggerCommand) Run(ctx context.Context, c *config.Config) error {
	if !slices.Contains(trigger.Types(), t.Type) {
		return &config.Invalid{Faults: []string{"trigger knows these types: " + strings.Join(trigger.Types(), ", ")}}
	}
	key, err := readAPIKey()
	if err != nil {
		return err
	}
	service, err := serviceAddress(t.URL, c)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, t.Within)
	defer cancel()
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return (&trigger.Trigger{
		Service: service, Key: key, Type: t.Type, Set: t.Set, Client: &http.Client{CheckRedirect: stay}, Out: os.Stdout,
	}).Run(ctx)
}
