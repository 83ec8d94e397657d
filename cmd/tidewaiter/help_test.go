package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// helpOf returns the help of a command. The parser would end the program after it; here it panics.
func helpOf(t *testing.T, command string) (text string) {
	t.Helper()
	var out bytes.Buffer
	parser, err := kong.New(new(program), kong.Name("tidewaiter"), kong.Help(help), kong.Writers(&out, &out), kong.Exit(func(int) { panic(command) }))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = recover(); text = out.String() }()
	_, err = parser.Parse([]string{command, "--help"})
	t.Error(err)
	return ""
}

// The help of a command shows its own flags before the settings of the service; that of a command that only calls a service shows
// an example, and no settings.
func TestHelpOfCommands(t *testing.T) {
	for _, c := range []struct {
		command, want, first string
		settings             bool
	}{
		{"listen", "tidewaiter listen --url http://localhost:8080 --forward", "--forward", false},
		{"trigger", "tidewaiter trigger declaration.cleared --url http://localhost:8080", "--set", false},
		{"backup", "", "--with-key", true},
	} {
		text := helpOf(t, c.command)
		own, settings := strings.Index(text, c.first), strings.Index(text, "--database-url")
		if own < 0 || !strings.Contains(text, c.want) || settings >= 0 != c.settings || c.settings && settings < own {
			t.Errorf("%s:\n%s", c.command, text)
		}
	}
}
