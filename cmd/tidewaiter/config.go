package main

import (
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/tidewaiter/tidewaiter/internal/ops/masterkey"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
)

type configCommand struct {
	Check  configCheckCommand  `cmd:"" help:"Check file, environment and command line together, and report all faults."`
	Show   configShowCommand   `cmd:"" help:"Show every setting and where it comes from."`
	Schema configSchemaCommand `cmd:"" help:"Print the JSON schema of configuration files in YAML."`

	NewMasterKey configMasterKeyCommand `cmd:"" help:"Print a new master key, for instances that share a database. Nothing is changed."`
}

type configCheckCommand struct{}

// Run prints a note for unknown variables. The settings were checked before.
func (configCheckCommand) Run(given *config.Given) error {
	for _, name := range given.Unknown {
		fmt.Printf("note: %s is set, but there is no such setting\n", name)
	}
	fmt.Println("The settings are valid.")
	return nil
}

type configShowCommand struct {
	Redacted bool `help:"Show only whether secrets are set. This is always the case."`
	JSON     bool `help:"Answer in JSON."`
}

// Run never shows secrets, because the output ends in tickets and logs.
func (s configShowCommand) Run(c *config.Config, given *config.Given) error {
	all, err := given.Show(c)
	if err != nil {
		return err
	}
	if s.JSON {
		return printJSON(map[string]any{"settings": all})
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, row := range all {
		fmt.Fprintf(w, "%s\t%s\t%s\n", row.Setting, row.Value, row.From)
	}
	return w.Flush()
}

type configSchemaCommand struct{}

// Run prints the schema.
func (configSchemaCommand) Run() error {
	schema, err := config.Schema()
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(schema)
	return err
}

type configMasterKeyCommand struct{}

// Run prints a new key.
func (configMasterKeyCommand) Run() error {
	key, err := masterkey.New()
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(key)
	return err
}
