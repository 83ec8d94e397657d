package main

import (
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
	Forward string   `placeholder:"URL" help:"Where each event is posted, such as http://localhost:3000/hooks. A failed one is not posted again."`
	Print   bool     `help:"Print the body of each event."`
	URL     string   `name:"url" placeholder:"URL" help:"Address of the service; by default its public URL, or the address of the settings."`
	Events  []string `placeholder:"TYPE" help:"Only these types of events, or patterns such as declaration.*."`
	Cursor  string   `default:"latest" help:"Where to begin: latest for new events, oldest for all that are kept, or nextCursor of GET /api/events."`
}

// keyVariable is the environment variable with the API key. There is no flag for it, because other users of the machine see command lines.
const keyVariable = "TIDEWAITER_API_KEY"

// Run forwards events until it is stopped.
func (l listenCommand) Run(ctx context.Context, c *config.Config) error {
	key, err := readAPIKey()
	if err != nil {
		return err
	}
	if l.Forward == "" && !l.Print {
		return &config.Invalid{Faults: []string{"listen needs --forward URL, --print, or both"}}
	}
	service := l.URL
	for _, part := range []string{c.PublicURL, c.Scheme() + "://" + c.Addr} {
		if service == "" {
			service = part
		}
	}
	for _, address := range []string{service, l.Forward} {
		if u, err := url.Parse(address); address != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
			return &config.Invalid{Faults: []string{fmt.Sprintf("%q is not an address that begins with http:// or https://", address)}}
		}
	}
	if l.Cursor == "oldest" {
		l.Cursor = ""
	}
	ids := ident.NewSource(rand.Reader, time.Now)
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return (&listen.Listener{
		Service: service, Key: key, Cursor: l.Cursor, Forward: l.Forward, Events: l.Events, Print: l.Print,
		Client: &http.Client{CheckRedirect: stay}, Now: time.Now, NewID: ids.UUID, Out: os.Stdout,
	}).Run(ctx)
}

// readAPIKey reads the API key from its variable, or from the file that a second variable names.
func readAPIKey() (string, error) {
	if key := os.Getenv(keyVariable); key != "" {
		return key, nil
	}
	file := os.Getenv(keyVariable + "_FILE")
	if file == "" {
		return "", &config.Invalid{Faults: []string{"listen needs an API key with the scope customs:read in " + keyVariable + ", or in the file that " + keyVariable + "_FILE names"}}
	}
	text, err := os.ReadFile(file) // #nosec G304 G703 -- the user names it
	return strings.TrimSpace(string(text)), err
}
