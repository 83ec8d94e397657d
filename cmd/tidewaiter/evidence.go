package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/tidewaiter/tidewaiter/internal/records/evidence/check"
)

type evidenceCommand struct {
	Verify evidenceVerifyCommand `cmd:"" help:"Check an evidence pack, without the service that made it. Exit code 3 if it was changed or damaged."`
}

type evidenceVerifyCommand struct {
	File string `arg:"" type:"existingfile" help:"The pack, a ZIP file."`
	Key  string `placeholder:"FINGERPRINT" help:"The fingerprint that the key must have, from GET /api/audit/key of the service."`
	JSON bool   `help:"Answer in JSON."`
}

var errInvalidPack = errors.New("the evidence pack is not as it was made")

// Run checks a pack, and prints what is proved, what is wrong, and what a pack cannot prove.
func (v evidenceVerifyCommand) Run() error {
	file, err := os.Open(v.File)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	report, err := check.Pack(file, info.Size())
	if err != nil {
		return err
	}
	if v.Key != "" {
		report.Expect(v.Key)
	}
	if v.JSON {
		err = printJSON(map[string]any{"ok": report.OK(), "report": report})
	} else {
		printReport(report)
	}
	if err == nil && !report.OK() {
		err = errInvalidPack
	}
	return err
}

func printReport(r *check.Report) {
	fmt.Printf("%s %s of organisation %s\nkey         %s\ncheckpoint  %s\n\n", r.Kind, r.RecordID, r.OrganisationID, r.Fingerprint, r.Checkpoint)
	for _, f := range r.Findings {
		mark := "holds   "
		if !f.Passed {
			mark = "DOES NOT"
		}
		fmt.Println(mark, f.Text)
	}
	fmt.Println("\nA pack cannot prove:")
	for _, text := range r.NotVerifiable {
		fmt.Println("  " + text)
	}
}
