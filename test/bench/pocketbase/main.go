// Command pocketbase runs PocketBase for the benchmark: one collection whose records have the fields of a
// declaration, one user who may create and list them, and commits as durable as the service's
// (synchronous=FULL; PocketBase's own default is NORMAL). The user's token is written to the file
// "token" in the data folder before the first answer.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/types"
)

// pragmas are PocketBase's own, but for synchronous.
const pragmas = "?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=journal_size_limit(200000000)" +
	"&_pragma=synchronous(FULL)&_pragma=foreign_keys(ON)&_pragma=temp_store(MEMORY)&_pragma=cache_size(-32000)"

// tokenLife is longer than any benchmark.
const tokenLife = 24 * time.Hour

func main() {
	data, address := os.Getenv("TIDEWAITER_DATA"), os.Getenv("TIDEWAITER_ADDR")
	app := pocketbase.NewWithConfig(pocketbase.Config{
		DefaultDataDir:  data,
		HideStartBanner: true,
		DBConnect:       func(path string) (*dbx.DB, error) { return dbx.Open("sqlite", path+pragmas) },
	})
	app.OnServe().BindFunc(func(e *core.ServeEvent) error {
		if err := prepare(e.App, data); err != nil {
			return err
		}
		e.InstallerFunc = nil
		e.Router.GET("/healthz", func(e *core.RequestEvent) error { return e.NoContent(200) })
		return e.Next()
	})
	app.RootCmd.SetArgs([]string{"serve", "--http=" + address})
	if err := app.Start(); err != nil {
		fmt.Fprintln(os.Stderr, "pocketbase:", err)
		os.Exit(1)
	}
}

// prepare creates the collection and the user once, and writes the user's token.
func prepare(app core.App, data string) error {
	if _, err := app.FindCollectionByNameOrId("declarations"); err == nil {
		return nil
	}
	authenticated := types.Pointer("@request.auth.id != ''")
	declarations := core.NewBaseCollection("declarations")
	declarations.CreateRule, declarations.ListRule = authenticated, authenticated
	declarations.Fields.Add(
		&core.TextField{Name: "shipmentId", Required: true},
		&core.SelectField{Name: "declarationType", Required: true, Values: []string{"IMPORT", "EXPORT"}},
		&core.JSONField{Name: "items", Required: true},
		&core.JSONField{Name: "documents"},
		&core.AutodateField{Name: "created", OnCreate: true},
		&core.AutodateField{Name: "updated", OnCreate: true, OnUpdate: true},
	)
	if err := app.Save(declarations); err != nil {
		return err
	}
	users, err := app.FindCollectionByNameOrId("users")
	if err != nil {
		return err
	}
	user := core.NewRecord(users)
	user.SetEmail("clerk@example.com")
	user.SetRandomPassword()
	if err := app.Save(user); err != nil {
		return err
	}
	token, err := user.NewStaticAuthToken(tokenLife)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(data, "token"), []byte(token), 0o600)
}
