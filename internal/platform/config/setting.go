package config

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"
)

// Setting is one setting with its names and possible values.
type Setting struct {
	Flag     string // on the command line, without the dashes: customs-mode
	Variable string // in the environment: TIDEWAITER_CUSTOMS_MODE
	Group    string // in a configuration file: customs, or empty for none
	Key      string // in a configuration file, within its group: mode
	Form     Form
	Default  string
	Enum     []string // the possible values; nil for any
	Help     string
	Secret   bool // never printed; <Variable>_FILE and <Key>-file name a file that contains it
	Hidden   bool // accepted but not shown, because it has no effect any more

	flag *kong.Flag
}

// Form is the form of a setting's values.
type Form string

// The forms, named as in JSON Schema where that has them.
const (
	Text     Form = "string"
	Whole    Form = "integer"
	Number   Form = "number"
	Switch   Form = "boolean"
	Duration Form = "duration" // 300ms, 6h
	List     Form = "array"    // of texts, comma-separated outside of YAML
)

// Settings lists all settings in the order of their declaration, with the values of c.
func Settings(c *Config) ([]Setting, error) {
	parser, err := kong.New(c, kong.NoDefaultHelp(), kong.Exit(func(int) {}))
	if err != nil {
		return nil, fmt.Errorf("config: %w", err)
	}
	secrets := c.secrets()
	var all []Setting
	for _, f := range parser.Model.Flags {
		group := f.Tag.Prefix
		s := Setting{
			Flag: f.Name, Variable: f.Envs[0], Group: strings.TrimSuffix(group, "-"), Key: strings.TrimPrefix(f.Name, group),
			Form: formOf(f), Default: f.Default, Help: f.Help, Hidden: f.Hidden, flag: f,
		}
		if f.Enum != "" {
			s.Enum = strings.Split(f.Enum, ",")
		}
		_, s.Secret = secrets[s.Variable]
		all = append(all, s)
	}
	return all, nil
}

func formOf(f *kong.Flag) Form {
	switch f.Target.Interface().(type) {
	case int, int64, uint64:
		return Whole
	case float64:
		return Number
	case bool:
		return Switch
	case time.Duration:
		return Duration
	}
	if f.IsSlice() {
		return List
	}
	return Text
}

// Path returns the name of the setting in a configuration file, such as customs.mode.
func (s *Setting) Path() string {
	if s.Group == "" {
		return s.Key
	}
	return s.Group + "." + s.Key
}

// Value returns the setting as it is written on the command line.
func (s *Setting) Value() string {
	switch v := s.flag.Target.Interface().(type) {
	case []string:
		return strings.Join(v, ",")
	case []netip.Prefix:
		texts := make([]string, len(v))
		for i, p := range v {
			texts[i] = p.String()
		}
		return strings.Join(texts, ",")
	default:
		return fmt.Sprint(v)
	}
}

// take sets the setting in its Config, or returns why the text is not valid.
func (s *Setting) take(text string) error {
	if s.Enum != nil && !slices.Contains(s.Enum, text) {
		return fmt.Errorf("%q is not one of %s", text, strings.Join(s.Enum, ", "))
	}
	token := kong.Token{Type: kong.FlagValueToken, Value: text}
	err := s.flag.Parse(kong.ScanFromTokens(token), s.flag.Target)
	if err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "--"+s.Flag+": "))
	}
	return nil
}
