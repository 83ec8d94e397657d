package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/ops/masterkey"
	"github.com/tidewaiter/tidewaiter/internal/ops/recovery"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
)

type backupCommand struct {
	File    string `arg:"" optional:"" help:"The file to create. An existing file is not overwritten."`
	Record  bool   `help:"Make no backup, but record that one was made now by other means, such as pg_dump, for doctor, metrics and alerts."`
	WithKey bool   `help:"Include the master key: anyone with the backup can then read all secrets."`
	JSON    bool   `help:"Answer in JSON."`
}

var errElsewhere = errors.New("no backup was made: PostgreSQL has its own tools")

// Run backs up the data folder while the service runs, or prints the commands for PostgreSQL.
func (b backupCommand) Run(ctx context.Context, c *config.Config) error {
	if b.Record {
		return b.record(ctx, c)
	}
	if b.File == "" {
		return &config.Invalid{Faults: []string{"backup needs the name of the file to make, or --record"}}
	}
	if c.DatabaseURL != "" {
		fmt.Print(recovery.PostgresCommands(ctx, *c, b.File))
		return errElsewhere
	}
	w, err := recovery.Backup(ctx, *c, environment(c), b.File, b.WithKey)
	if err != nil {
		return err
	}
	if b.JSON {
		return printJSON(map[string]any{"file": b.File, "bytes": w.Size, "seal": w.Seal, "manifest": w.Manifest})
	}
	m := w.Manifest
	fmt.Printf("Backed up to %s as of %s: %s, %d rows in %d tables, %d organisations.\nSeal        %s\nMaster key  %s.\n",
		b.File, m.At.Format(time.RFC3339), megabytes(w.Size), m.AllRows(), len(m.Rows), len(m.Heads), w.Seal, m.Key)
	return nil
}

// record stores that a backup was made by other means.
func (b backupCommand) record(ctx context.Context, c *config.Config) error {
	if err := withApp(ctx, c, func(a *app.App) error { return a.RecordBackup(ctx) }); err != nil {
		return err
	}
	if b.JSON {
		return printJSON(map[string]any{"recorded": true})
	}
	fmt.Println("Recorded that a backup was made now.")
	return nil
}

type restoreCommand struct {
	File   string `arg:"" type:"existingfile" help:"The backup."`
	Verify bool   `help:"Only verify the backup, including all audit events. Exit code 3 if it was changed or damaged."`
	JSON   bool   `help:"Answer in JSON."`
}

// Run restores a backup into a data folder without an installation, or verifies it.
func (r restoreCommand) Run(ctx context.Context, c *config.Config) error {
	restore := recovery.Restore
	if r.Verify {
		restore = recovery.Verify
	}
	done, err := restore(ctx, *c, environment(c), r.File)
	if err != nil {
		return err
	}
	if r.JSON {
		return printJSON(map[string]any{"restored": !r.Verify, "manifest": done.Manifest, "seal": done.Seal, "key": done.Key, "trails": done.Trails})
	}
	m := done.Manifest
	fmt.Printf("Backup of %s, made by %s with schema %d.\nholds  no byte was changed: %s\nholds  the database of %s matches the manifest and is undamaged\nholds  %d tables have the rows of the manifest, %d in total\n",
		m.At.Format(time.RFC3339), m.Program, m.Schema, done.Seal, megabytes(m.Bytes), len(m.Rows), m.AllRows())
	for _, trail := range done.Trails {
		fmt.Println("holds ", sentence(trail))
	}
	fmt.Println(wordsOfKey[done.Key])
	if !r.Verify {
		fmt.Printf("Restored into %s. Later changes are not in it: read docs/operating.md, Backup and restore, before you serve it.\n", c.Data)
	}
	return nil
}

var wordsOfKey = map[masterkey.State]string{
	masterkey.Right:   "holds  the master key decrypts the secrets",
	masterkey.Missing: "note   the master key is missing: restore master.key, or the setting, before the service starts",
	masterkey.Unused:  "note   nothing is encrypted yet: any master key works",
}

func megabytes(bytes int64) string { return fmt.Sprintf("%.1f MB", float64(bytes)/1e6) }
