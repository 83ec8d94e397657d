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

// Setting is one setting: the names by which it is set, and what it may be.
type Setting struct {
	Flag     string // on the command line, without the dashes: customs-mode
	Variable string // in the environment: TIDEWAITER_CUSTOMS_MODE
	Group    string // in a configuration file: customs, or empty for none
	Key      string // in a configuration file, within its group: mode
	Form     Form
	Default  string
	Enum     []string // the values that there are; nil where any will do
	Help     string
	Secret   bool // never shown; <Variable>_FILE and <Key>-file name a file that holds it
	Hidden   bool // for measuring, not for operators

	flag *kong.Flag
}

// Form is what the values of a setting look like.
type Form string

// The forms of settings, in the words of a JSON schema where that has one.
const (
	Text     Form = "string"
	Whole    Form = "integer"
	Number   Form = "number"
	Switch   Form = "boolean"
	Duration Form = "duration" // 300ms, 6h
	List     Form = "array"    // of texts, separated by commas outside of YAML
)

// Settings lists all settings in the order in which they are declared, with the
// values that c has.
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

// Path names the setting as a configuration file nests it: customs.mode.
func (s *Setting) Path() string {
	if s.Group == "" {
		return s.Key
	}
	return s.Group + "." + s.Key
}

// Value is what the setting is, as it would be written on the command line.
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

// take sets the setting in the Config that it was listed of, and says what is wrong
// with a text that it cannot be.
func (s *Setting) take(text string) error {
	if s.Enum != nil && !slices.Contains(s.Enum, text) {
		return fmt.Errorf("%q is none of %s", text, strings.Join(s.Enum, ", "))
	}
	token := kong.Token{Type: kong.FlagValueToken, Value: text}
	err := s.flag.Parse(kong.ScanFromTokens(token), s.flag.Target)
	if err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "--"+s.Flag+": "))
	}
	return nil
}
