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
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
)

// demoFile stores the demo's key in the data folder.
const demoFile = "demo.json"

// CheckDemo returns an error unless CDS is the built-in simulator.
func (a *App) CheckDemo() error {
	if c := a.Config.Customs; c.Mode != "simulator" || c.URL != "" {
		return errors.New("demo works only with the built-in simulator. Remove customs-mode and customs-url, or use serve")
	}
	for _, id := range config.AuthorityIDs {
		if a.Config.Authority(id).IsHMRC() {
			return fmt.Errorf("demo works only with the built-in simulators. Remove %s-mode, or use serve", id)
		}
	}
	return nil
}

// SimulateAuthorities connects the demo with the simulators of authorities that are off.
func SimulateAuthorities(c *config.Config) {
	for _, id := range config.AuthorityIDs {
		if settings := c.Authority(id); settings.Mode == "off" {
			settings.Mode = "simulator"
		}
	}
}

// Demo creates demo organisations at the first call for a data folder, and calls greet with them. The service must be
// serving.
func (a *App) Demo(ctx context.Context, greet func(demo.Demo)) error {
	path := filepath.Join(a.Config.Data, demoFile)
	d, known, err := a.storedDemo(ctx, path)
	if err != nil {
		return err
	}
	if known {
		greet(d)
		return nil
	}
	d, finish, err := a.demoCompany().Play(ctx)
	if err != nil {
		return err
	}
	text, err := json.Marshal(d) // #nosec G117 -- the demo shows its own key again; only its user reads the file
	if err != nil {
		return err
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		return err
	}
	greet(d)
	return finish(ctx)
}

// storedDemo returns the demo of an earlier run, unless its key was revoked.
func (a *App) storedDemo(ctx context.Context, path string) (d demo.Demo, known bool, err error) {
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

// demoCompany returns the player of the demo's story. Its records are made as before a connection with authorities besides customs,
// so that each of them has its state at once.
func (a *App) demoCompany() *demo.Company {
	filings := *a.Filings
	filings.Connections = nil
	return &demo.Company{
		Store: demoStore{a.Store}, Access: a.Access, Accounts: a.Accounts, Filings: &filings, Customs: a.Customs,
		Webhooks: a.webhooks.service, Statements: a.statements(), IDs: a.IDs,
	}
}
