package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/ops/verify"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/integrity"
)

type auditCommand struct {
	Verify auditVerifyCommand `cmd:"" help:"Check that no event was changed, removed or swapped, and that every record matches its last event. Exit code 3 on any fault."`
}

type auditVerifyCommand struct {
	Org        string   `help:"Only one organisation, by its id."`
	Checkpoint []string `placeholder:"SEQUENCE:HASH|FILE" help:"A checkpoint of the trail that was stored elsewhere, or a file with answers of GET /api/audit/checkpoint. Can be repeated."`
	JSON       bool     `help:"Answer in JSON."`
}

var errBroken = errors.New("the audit trail is broken, or records differ from it")

// Run checks every organisation's chain of events.
func (v auditVerifyCommand) Run(ctx context.Context, c *config.Config) error {
	kept, err := v.checkpoints()
	if err != nil {
		return err
	}
	return withApp(ctx, c, func(a *app.App) error {
		all, err := a.VerifyAudit(ctx, tenant.ID(v.Org), kept)
		if err != nil {
			return err
		}
		ok := true
		for _, o := range all {
			ok = ok && o.OK()
			if !v.JSON {
				fmt.Println(sentence(o))
				printRecords(o.Records)
			}
		}
		if v.JSON {
			if err := printJSON(map[string]any{"ok": ok, "organisations": all}); err != nil {
				return err
			}
		}
		switch {
		case !ok:
			return errBroken
		case v.Org != "":
			return nil
		}
		return a.RecordVerification(ctx)
	})
}

// checkpoints reads the given checkpoints, from files if files of these names exist.
func (v auditVerifyCommand) checkpoints() (kept []audit.Checkpoint, err error) {
	for _, text := range v.Checkpoint {
		file, err := os.Open(text) // #nosec G304 -- the operator names it
		if err != nil {
			c, err := audit.ParseCheckpoint(text)
			if err != nil {
				return nil, fmt.Errorf("%q is neither a checkpoint nor a file: %w", text, err)
			}
			kept = append(kept, c)
			continue
		}
		all, err := audit.ReadCheckpoints(file)
		_ = file.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", text, err)
		}
		kept = append(kept, all...)
	}
	return kept, nil
}

// printRecords prints a line for each record that differs from the trail.
func printRecords(r *integrity.Report) {
	if r == nil {
		return
	}
	for _, f := range r.Differences {
		fmt.Println("  RECORD", f)
	}
	if r.More > 0 {
		fmt.Printf("  and %d more records\n", r.More)
	}
	fmt.Printf("  records: %d compared with the trail, %d of them in part, %d not covered\n", r.Compared+r.ComparedInPart, r.ComparedInPart, r.NotCovered)
	fmt.Printf("  settings: %d compared with the trail, %d not covered\n", r.Settings, r.SettingsNotCovered)
}

func sentence(v verify.Result) string {
	if v.Problem != "" {
		return fmt.Sprintf("%s: BROKEN after %d events: %s", v.OrganisationID, v.Events, v.Problem)
	}
	text := fmt.Sprintf("%s: %d events, unbroken, head %d:%s", v.OrganisationID, v.Events, v.Behind+v.Events, v.Head)
	if v.Behind > 0 {
		text += fmt.Sprintf(", behind event %d, which was removed for its age with all before it", v.Behind)
	}
	if v.Erased > 0 {
		text += fmt.Sprintf(", %d personal values erased", v.Erased)
	}
	for _, kept := range v.Removed {
		text += fmt.Sprintf("; the event of the checkpoint %s has been removed", kept)
	}
	return text
}
