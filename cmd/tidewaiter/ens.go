package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/element"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/verdict"
)

type ensCommand struct {
	Check ensCheckCommand `cmd:"" help:"Check entry summary declarations (CC315A) and amendments (CC313A) as HMRC does."`
}

type ensCheckCommand struct {
	Files      []string           `arg:"" name:"file" help:"XML files."`
	RulesOnly  bool               `help:"Apply the business rules alone, whatever the schema says."`
	Generation verdict.Generation `enum:"old,new" default:"new" help:"HMRC's set of schemas and rules: new, since 31 October 2024, or old."`
}

// checkedFile is the line that is printed for a file.
type checkedFile struct {
	File   string          `json:"file"`
	Valid  bool            `json:"valid"`
	Errors []verdict.Error `json:"errors"`
}

// errFilesInvalid is the error if HMRC would refuse a file.
var errFilesInvalid = errors.New("not all files are valid")

// Run prints one line for each file, in their order. It needs no database. Nothing is printed if a file is missing.
func (e ensCheckCommand) Run() error {
	for _, name := range e.Files {
		if info, err := os.Stat(name); err != nil {
			return fmt.Errorf("%w: %w", errInvalidRequest, err)
		} else if info.IsDir() {
			return fmt.Errorf("%w: %s is a folder", errInvalidRequest, name)
		}
	}
	invalid := 0
	for _, name := range e.Files {
		checked, err := e.check(name)
		if err != nil {
			return err
		}
		if !checked.Valid {
			invalid++
		}
		if err := printLine(checked); err != nil {
			return err
		}
	}
	if invalid > 0 {
		return fmt.Errorf("%w: %d of %d have errors", errFilesInvalid, invalid, len(e.Files))
	}
	return nil
}

func (e ensCheckCommand) check(name string) (checkedFile, error) {
	file, err := os.Open(name) // #nosec G304 -- the operator names it
	if err != nil {
		return checkedFile{}, err
	}
	document, err := io.ReadAll(io.LimitReader(file, element.MaxSize+1))
	if err := errors.Join(err, file.Close()); err != nil {
		return checkedFile{}, err
	}
	apply := ens.Check
	if e.RulesOnly {
		apply = ens.CheckRules
	}
	found := append([]verdict.Error{}, apply(document, e.Generation)...)
	return checkedFile{File: name, Valid: len(found) == 0, Errors: found}, nil
}

// printLine prints a value as JSON on one line, with < and > as they are.
func printLine(value any) error {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	_, err := os.Stdout.Write(line.Bytes())
	return err
}
