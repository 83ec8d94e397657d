package config

import (
	"net/url"
	"strings"
)

// Shown is a setting as it is shown to an operator.
type Shown struct {
	Setting string `json:"setting"` // customs.mode
	Value   string `json:"value"`   // for a secret, whether it is set
	From    string `json:"from"`    // default, file and line, variable or flag
}

// Show lists the settings of a run with their origin, without secrets.
func (g *Given) Show(c *Config) ([]Shown, error) {
	settings, err := Settings(c)
	if err != nil {
		return nil, err
	}
	var all []Shown
	for i := range settings {
		if s := &settings[i]; !s.Hidden {
			all = append(all, Shown{s.Path(), redacted(s), g.Origin(s)})
		}
	}
	return all, nil
}

// redacted returns the value without secrets: also without a password or a query in a URL.
func redacted(s *Setting) string {
	value := s.Value()
	switch {
	case s.Secret && value == "":
		return "not set"
	case s.Secret:
		return "set"
	case !strings.Contains(value, "://"):
		return value
	}
	u, err := url.Parse(value)
	if err != nil {
		return "set, and no address"
	}
	if u.RawQuery != "" {
		u.RawQuery = "…"
	}
	return u.Redacted()
}

// SecretsInFile names the secrets in the configuration file itself.
func (g *Given) SecretsInFile() (names []string) {
	for variable := range (&Config{}).secrets() {
		if g.lines[variable] != 0 {
			names = append(names, variable)
		}
	}
	return names
}
