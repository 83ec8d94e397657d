package main

import (
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/tidewaiter/tidewaiter/internal/ops/masterkey"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
)

type configCommand struct {
	Check  configCheckCommand  `cmd:"" help:"Check file, environment and command line together; name all that is wrong."`
	Show   configShowCommand   `cmd:"" help:"Show every setting and where it comes from."`
	Schema configSchemaCommand `cmd:"" help:"Print the JSON schema of configuration files in YAML."`

	NewMasterKey configMasterKeyCommand `cmd:"" help:"Print a new master key, for instances that share a database. Nothing is changed."`
}

type configCheckCommand struct{}

// Run has nothing left to check: whoever comes here has good settings.
func (configCheckCommand) Run(given *config.Given) error {
	for _, name := range given.Unknown {
		fmt.Printf("note: %s is set, and there is no such setting\n", name)
	}
	fmt.Println("The settings are good.")
	return nil
}

type configShowCommand struct {
	Redacted bool `help:"Show of secrets only whether they are set. It is never otherwise."`
	JSON     bool `help:"Answer in JSON."`
}

// Run shows no secret, whether or not it is told to hide them: what is printed ends
// in tickets and logs.
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

// Run prints a key that nobody has yet.
func (configMasterKeyCommand) Run() error {
	key, err := masterkey.New()
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(key)
	return err
}
