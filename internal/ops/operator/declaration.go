package operator

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/importer"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// ImportedFile is the outcome of the import of one file.
type ImportedFile struct {
	File          string          `json:"file"`
	Status        string          `json:"status"` // CREATED or REJECTED
	DeclarationID string          `json:"declarationId,omitempty"`
	Notes         []string        `json:"notes,omitempty"`
	Details       []apierr.Detail `json:"details,omitempty"`
}

// Outcomes of an import.
const (
	FileCreated  = "CREATED"
	FileRejected = "REJECTED"
)

// errDryRun ends the transaction of a dry run, so that it is rolled back.
var errDryRun = errors.New("operator: dry run")

// DocumentFile is a file with WCO XML.
type DocumentFile struct {
	Name string
	Read func() ([]byte, error)
}

// ImportDeclarations imports declarations from files, in order, and calls report after each. A file that cannot be imported
// stops nothing.
func (o *Operator) ImportDeclarations(ctx context.Context, org tenant.ID, files []DocumentFile, options importer.Options, dry bool, report func(ImportedFile) error) error {
	org, err := o.soleOrganisation(ctx, org)
	if err != nil {
		return err
	}
	call, err := o.callFor(ctx, org)
	if err != nil {
		return err
	}
	for _, file := range files {
		done, err := o.importFile(ctx, call, file, options, dry)
		if err != nil {
			return err
		}
		if err := report(done); err != nil {
			return err
		}
	}
	return nil
}

// soleOrganisation returns the organisation that the operator names, or the only one that is open.
func (o *Operator) soleOrganisation(ctx context.Context, named tenant.ID) (tenant.ID, error) {
	if named != "" {
		return named, nil
	}
	var open []tenant.ID
	err := o.EachOrganisation(ctx, func(org access.Organisation) error {
		if !org.Closing.Begun && !org.Closing.Closed() {
			open = append(open, org.ID)
		}
		return nil
	})
	if err == nil && len(open) != 1 {
		return "", apierr.New(apierr.InvalidRequest, "There are %d organisations. Name one with --org.", len(open))
	}
	if err != nil {
		return "", err
	}
	return open[0], nil
}

func (o *Operator) importFile(ctx context.Context, call tenant.Call, file DocumentFile, options importer.Options, dry bool) (ImportedFile, error) {
	done := ImportedFile{File: file.Name, Status: FileRejected}
	var made filing.Filing
	var source *importer.Source
	raw, err := file.Read()
	if err == nil {
		source, err = importer.Read(raw, filepath.Base(file.Name))
	}
	options.Rehearsal = dry
	if err == nil {
		err = o.Store.Update(ctx, call.Org, func(tx *store.Tx) (err error) {
			if made, err = o.Importer.Import(tx, call, source, options); err == nil && dry {
				err = errDryRun
			}
			return err
		})
	}
	switch rejected, known := apierr.As(err); {
	case errors.Is(err, errDryRun):
		made.ID = ""
	case known && rejected.Code != apierr.Internal:
		if done.Details = rejected.Details; done.Details == nil {
			done.Details = []apierr.Detail{{Field: "body", Message: rejected.Message}}
		}
		return done, nil
	case err != nil:
		return done, err
	}
	var added struct{ Notes []string }
	done.Status, done.DeclarationID = FileCreated, made.ID
	err = json.Unmarshal(made.Added, &added)
	done.Notes = added.Notes
	return done, err
}
