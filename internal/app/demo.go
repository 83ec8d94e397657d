package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/demo"
)

// demoFile holds the demo's key between runs.
const demoFile = "demo.json"

// CheckDemo refuses a demo that would speak to the real customs.
func (a *App) CheckDemo() error {
	if c := a.Config.Customs; c.Mode != "simulator" || c.URL != "" {
		return errors.New("a demo declares to its own simulator alone: leave customs-mode and customs-url out, or use serve")
	}
	return nil
}

// Demo makes organisations to try the service with, once for a data folder, and
// greets the newcomer with them. The service must be serving.
func (a *App) Demo(ctx context.Context, greet func(demo.Demo)) error {
	path := filepath.Join(a.Config.Data, demoFile)
	d, known, err := a.knownDemo(ctx, path)
	if err != nil {
		return err
	}
	if known {
		greet(d)
		return nil
	}
	d, finish, err := a.company().Play(ctx)
	if err != nil {
		return err
	}
	text, err := json.Marshal(d) // #nosec G117 -- the demo shows its own again; nobody else reads the file
	if err != nil {
		return err
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		return err
	}
	greet(d)
	return finish(ctx)
}

// knownDemo is the demo of an earlier run, unless somebody has ended its key.
func (a *App) knownDemo(ctx context.Context, path string) (d demo.Demo, known bool, err error) {
	text, err := os.ReadFile(path) // #nosec G304 -- in the data folder
	if errors.Is(err, fs.ErrNotExist) {
		return d, false, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	if err != nil {
		return d, false, fmt.Errorf("app: demo: %w", err)
	}
	_, known, err = a.Store.KeyByHash(ctx, access.Hash(d.Key))
	return d, known && d.Password != "", err
}

func (a *App) company() *demo.Company {
	return &demo.Company{
		Store: demoStore{a.Store}, Access: a.Access, Accounts: a.Accounts, Filings: a.Filings, Customs: a.Customs,
		Webhooks: a.post.service, Statements: a.statements(), IDs: a.IDs,
	}
}
