package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/webhook/listen"
)

type listenCommand struct {
	Forward string        `placeholder:"URL" help:"Where each event is posted, such as http://localhost:3000/hooks. A failed one is not posted again."`
	Print   bool          `help:"Print the body of each event."`
	URL     string        `name:"url" placeholder:"URL" help:"Address of the service, such as https://customs.example.com; by default that in the settings, or http://127.0.0.1:8080."`
	Events  []string      `placeholder:"TYPE" help:"Only these types of events, or patterns such as declaration.*."`
	Expect  string        `placeholder:"FILE" help:"File with a JSON object on each line: end with 0 when events with these members have happened in this order, and otherwise with 1."`
	Within  time.Duration `default:"1m" help:"How long to wait for the events of --expect."`
	Cursor  string        `default:"latest" help:"Where to begin: latest for new events, oldest for all that are kept, or nextCursor of GET /api/events."`
}

// keyVariable is the environment variable with the API key. There is no flag for it, because other users of the machine see command lines.
const keyVariable = "TIDEWAITER_API_KEY"

// Help returns the text of --help below the first sentence. An indented line is not wrapped.
func (listenCommand) Help() string {
	return "Set " + keyVariable + " to an API key with the scope customs:read, or " + keyVariable + "_FILE to a file with it. Example:\n\n" +
		"    tidewaiter listen --url http://localhost:8080 --forward http://localhost:3000/hooks\n"
}

func (listenCommand) callsService() {}

// Run forwards events until it is stopped.
func (l listenCommand) Run(ctx context.Context, c *config.Config) error {
	key, err := readAPIKey()
	if err != nil {
		return err
	}
	service, err := serviceAddress(l.URL, c)
	if err == nil {
		err = checkAddress(l.Forward)
	}
	if err != nil {
		return err
	}
	expected, err := readExpected(l.Expect)
	if err != nil {
		return err
	}
	if expected != nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, l.Within)
		defer cancel()
	}
	if l.Cursor == "oldest" {
		l.Cursor = ""
	}
	ids := ident.NewSource(rand.Reader, time.Now)
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return (&listen.Listener{
		Service: service, Key: key, Cursor: l.Cursor, Forward: l.Forward, Events: l.Events, Print: l.Print, Expect: expected,
		Client: &http.Client{CheckRedirect: stay}, Now: time.Now, NewID: ids.UUID, Out: os.Stdout,
	}).Run(ctx)
}

// serviceAddress returns the address of the service: the given one, or that of the settings.
func serviceAddress(given string, c *config.Config) (string, error) {
	address := cmp.Or(given, c.PublicURL, c.Scheme()+"://"+c.Addr)
	return address, checkAddress(address)
}

// checkAddress checks an address, unless it is empty.
func checkAddress(address string) error {
	if u, err := url.Parse(address); address != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
		return &config.Invalid{Faults: []string{fmt.Sprintf("%q is not an address that begins with http:// or https://", address)}}
	}
	return nil
}

// readExpected reads the file of --expect; nil for none.
func readExpected(file string) (*listen.Expected, error) {
	if file == "" {
		return nil, nil
	}
	f, err := os.Open(file) // #nosec G304 -- the user names it
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return listen.ReadExpected(f)
}

// readAPIKey reads the API key from its variable, or from the file that a second variable names.
func readAPIKey() (string, error) {
	if key := os.Getenv(keyVariable); key != "" {
		return key, nil
	}
	file := os.Getenv(keyVariable + "_FILE")
	if file == "" {
		return "", &config.Invalid{Faults: []string{"an API key is needed in " + keyVariable + ", or in the file that " + keyVariable + "_FILE names"}}
	}
	text, err := os.ReadFile(file) // #nosec G304 G703 -- the user names it
	return strings.TrimSpace(string(text)), err
}
