package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/notification"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/importer"
	"github.com/tidewaiter/tidewaiter/internal/ops/operator"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

type customsCommand struct {
	Decode customsDecodeCommand `cmd:"" help:"Print messages from CDS as JSON, one object per line."`
	Import customsImportCommand `cmd:"" help:"Import declarations from files with WCO XML, also beside a running server."`
}

type customsDecodeCommand struct {
	Files []string `arg:"" type:"existingfile" help:"Files with messages from CDS."`
}

// Run prints one object for each response in each file.
func (d customsDecodeCommand) Run() error {
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for _, file := range d.Files {
		data, err := os.ReadFile(file) // #nosec G304 -- the operator names it
		if err != nil {
			return err
		}
		for _, r := range notification.Reports(file, data) {
			if err := out.Encode(r); err != nil {
				return err
			}
		}
	}
	return nil
}

type customsImportCommand struct {
	Org      tenant.ID `help:"The organisation, by its id. It may be left out if there is only one."`
	Client   string    `help:"The client of all declarations, by its id. Without it, the one with the trader's EORI, or a new one."`
	Shipment string    `help:"The shipment of all declarations, by its id. Without it, a new one for each."`
	Fill     string    `enum:",USUAL,KNOWN,NONE" default:"" help:"What the service may add: USUAL, KNOWN or NONE, which is the default."`
	DryRun   bool      `help:"Check the files, and store nothing."`
	JSON     bool      `help:"Answer in JSON, one object per file."`
	Files    []string  `arg:"" type:"path" help:"Files, ZIP files, or folders with files that end in .xml or .zip."`
}

// errRejectedFiles is the error if a file could not be imported. Each was reported.
var errRejectedFiles = errors.New("some files were rejected")

// Run imports the files, whether or not the service runs.
func (i customsImportCommand) Run(ctx context.Context, c *config.Config) error {
	files, err := documentFiles(i.Files)
	if err != nil {
		return err
	}
	options := importer.Options{ClientID: i.Client, ShipmentID: i.Shipment, Fill: i.Fill}
	return withApp(ctx, c, func(a *app.App) error {
		rejected := false
		err := a.ImportDeclarations(ctx, i.Org, files, options, i.DryRun, func(f operator.ImportedFile) error {
			rejected = rejected || f.Status == operator.FileRejected
			if i.JSON {
				return printJSON(f)
			}
			fmt.Printf("%-8s  %s  %s\n", f.Status, f.File, f.DeclarationID)
			for _, note := range f.Notes {
				fmt.Println("          " + note)
			}
			for _, d := range f.Details {
				fmt.Println("          " + d.Field + ": " + d.Message)
			}
			return nil
		})
		if err == nil && rejected {
			return errRejectedFiles
		}
		return err
	})
}

// documentFiles returns the files that the operator names, and those with the ending .xml in the folders, in order.
func documentFiles(names []string) (files []operator.DocumentFile, err error) {
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			if files, err = addFile(files, name); err != nil {
				return nil, err
			}
			continue
		}
		entries, err := os.ReadDir(name) // sorted by name
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if ext := filepath.Ext(e.Name()); e.IsDir() || !strings.EqualFold(ext, ".xml") && !strings.EqualFold(ext, zipExtension) {
				continue
			}
			if files, err = addFile(files, filepath.Join(name, e.Name())); err != nil {
				return nil, err
			}
		}
	}
	return files, nil
}

// zipExtension ends the names of ZIP files.
const zipExtension = ".zip"

// addFile adds a file or, if it is a ZIP file, the documents in it. One that cannot be read is reported as a file of its own.
func addFile(files []operator.DocumentFile, name string) ([]operator.DocumentFile, error) {
	if !strings.EqualFold(filepath.Ext(name), zipExtension) {
		return append(files, documentFile(name)), nil
	}
	file, err := os.Open(name) // #nosec G304 -- the operator names it
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	documents, err := importer.ReadArchive(file, info.Size())
	if err != nil {
		return append(files, operator.DocumentFile{Name: name, Read: func() ([]byte, error) { return nil, err }}), nil
	}
	for _, d := range documents {
		files = append(files, operator.DocumentFile{Name: name + "/" + d.Name, Read: func() ([]byte, error) { return d.Data, nil }})
	}
	return files, nil
}

// documentFile reads a file up to one byte more than a document can have, so that a longer one is rejected.
func documentFile(name string) operator.DocumentFile {
	return operator.DocumentFile{Name: name, Read: func() ([]byte, error) {
		file, err := os.Open(name) // #nosec G304 -- the operator names it
		if err != nil {
			return nil, err
		}
		defer file.Close()
		return io.ReadAll(io.LimitReader(file, importer.MaxSize+1))
	}}
}
