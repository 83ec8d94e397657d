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
	File    string `arg:"" optional:"" help:"The file to make; one that is there is not overwritten."`
	Record  bool   `help:"Make none: record that one was made just now by other means, such as pg_dump, for doctor, metrics and alerts."`
	WithKey bool   `help:"Put the master key into it as well: whoever has the backup can then read all secrets."`
	JSON    bool   `help:"Answer in JSON."`
}

var errElsewhere = errors.New("no backup was made: PostgreSQL has its own tools")

// Run backs the data folder up beside a running service, or says how PostgreSQL is.
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

// record notes a backup that was made by other means.
func (b backupCommand) record(ctx context.Context, c *config.Config) error {
	if err := within(ctx, c, func(a *app.App) error { return a.NoteBackup(ctx) }); err != nil {
		return err
	}
	if b.JSON {
		return printJSON(map[string]any{"recorded": true})
	}
	fmt.Println("Recorded that a backup was made just now.")
	return nil
}

type restoreCommand struct {
	File   string `arg:"" type:"existingfile" help:"The backup."`
	Verify bool   `help:"Restore nothing: prove the backup, down to the last audit event. Exit code 3 when it is not as it was made."`
	JSON   bool   `help:"Answer in JSON."`
}

// Run restores into the data folder, which must not hold an installation, or proves a
// backup.
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
	fmt.Printf("Backup of %s, made by %s with schema %d.\nholds  every byte is as it was written: %s\nholds  the database of %s is that of the manifest, and sound\nholds  %d tables have the rows of the manifest, %d in all\n",
		m.At.Format(time.RFC3339), m.Program, m.Schema, done.Seal, megabytes(m.Bytes), len(m.Rows), m.AllRows())
	for _, trail := range done.Trails {
		fmt.Println("holds ", sentence(trail))
	}
	fmt.Println(wordsOfKey[done.Key])
	if !r.Verify {
		fmt.Printf("Restored into %s. What has been done since is not in it: before it is served, read docs/operating.md, Backup and restore.\n", c.Data)
	}
	return nil
}

var wordsOfKey = map[masterkey.State]string{
	masterkey.Opens:   "holds  the master key opens what is sealed",
	masterkey.Missing: "note   the master key is not here: put master.key, or the setting, back before the service starts",
	masterkey.Unused:  "note   nothing is sealed yet: any master key will do",
}

func megabytes(bytes int64) string { return fmt.Sprintf("%.1f MB", float64(bytes)/1e6) }
