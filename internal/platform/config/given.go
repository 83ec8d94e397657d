package config

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// Environment is the environment of a process.
type Environment struct {
	Get   func(string) string
	Set   func(name, value string) error
	Unset func(string) error
	All   func() []string // NAME=value
}

// Process returns the environment of this process.
func Process() Environment {
	return Environment{Get: os.Getenv, Set: os.Setenv, Unset: os.Unsetenv, All: os.Environ}
}

// Given says where each setting of this run comes from.
type Given struct {
	File    string   // the configuration file; empty for none
	Args    []string // the command line, without invalid settings
	Unknown []string // variables with the service's prefix that are not settings

	environment Environment
	lines       map[string]int  // of File, by variable
	flags       map[string]bool // on the command line
}

// Load puts the settings of the configuration file into the environment, unless the environment has them. The file is
// named by --config or TIDEWAITER_CONFIG. The error names all invalid settings of file, environment and command line;
// they are removed, so that faults of the others are found as well. An empty variable counts as not set.
func Load(args []string, e Environment) (*Given, error) {
	g := &Given{Args: args, environment: e, lines: map[string]int{}, flags: map[string]bool{}}
	var scratch Config
	settings, err := Settings(&scratch)
	if err != nil {
		return g, err
	}
	faults := g.readEnvironment(settings)
	faults = append(faults, g.loadFile(settings)...)
	return g, wrongOf(append(faults, g.readFlags(settings)...))
}

// readEnvironment checks each variable.
func (g *Given) readEnvironment(settings []Setting) (faults []string) {
	known := byVariable(settings)
	for _, line := range g.environment.All() {
		name, value, _ := strings.Cut(line, "=")
		s := known[name]
		switch {
		case s == nil:
			if isUnknown(name) {
				g.Unknown = append(g.Unknown, name)
			}
			continue
		case value == "":
		case name != s.Variable: // names a file
			continue
		default:
			err := s.take(value)
			if err == nil {
				continue
			}
			faults = append(faults, fmt.Sprintf("%s: %v", name, err))
		}
		if err := g.environment.Unset(name); err != nil {
			faults = append(faults, fmt.Sprintf("%s: %v", name, err))
		}
	}
	slices.Sort(g.Unknown)
	return faults
}

// isUnknown reports whether a variable has the service's prefix without being a setting. Kubernetes adds such variables
// with addresses of services.
func isUnknown(name string) bool {
	rest, ours := strings.CutPrefix(name, "TIDEWAITER_")
	return ours && rest != "CONFIG" && rest != "LONG" && !strings.HasPrefix(rest, "API_KEY") && !strings.HasPrefix(rest, "TEST_") && !strings.HasPrefix(rest, "PORT") && !strings.HasPrefix(rest, "SERVICE_")
}

// loadFile does not replace what the environment sets, including a secret by its file.
func (g *Given) loadFile(settings []Setting) []string {
	if g.File = fileOf(g.Args, g.environment.Get); g.File == "" {
		return nil
	}
	entries, faults := readFile(g.File, settings)
	known := byVariable(settings)
	said := map[string]bool{}
	for variable, s := range known {
		said[s.Variable] = said[s.Variable] || g.environment.Get(variable) != ""
	}
	for _, e := range entries {
		if e.value == "" || said[known[e.variable].Variable] {
			continue
		}
		if err := g.environment.Set(e.variable, e.value); err != nil {
			faults = append(faults, fmt.Sprintf("%s:%d: %v", g.File, e.line, err))
		}
		g.lines[e.variable] = e.line
	}
	return faults
}

// readFlags checks each setting on the command line.
func (g *Given) readFlags(settings []Setting) (faults []string) {
	var args []string
	for i := 0; i < len(g.Args); i++ {
		s, value, used := flagAt(g.Args[i:], settings)
		if s == nil {
			args = append(args, g.Args[i])
			continue
		}
		g.flags[s.Variable] = true
		if err := s.take(value); err != nil {
			faults = append(faults, fmt.Sprintf("--%s: %v", s.Flag, err))
		} else {
			args = append(args, "--"+s.Flag+"="+value) // one argument, so that a value may begin with a dash
		}
		i += used - 1
	}
	g.Args = args
	return faults
}

// flagAt returns the setting at the start of a command line, its value, and the number of arguments.
func flagAt(args []string, settings []Setting) (s *Setting, value string, used int) {
	name, value, whole := strings.Cut(args[0], "=")
	i := slices.IndexFunc(settings, func(s Setting) bool { return "--"+s.Flag == name })
	switch {
	case i < 0 || !whole && settings[i].Form != Switch && len(args) == 1:
		return nil, "", 0
	case whole:
		return &settings[i], value, 1
	case settings[i].Form == Switch:
		return &settings[i], "true", 1
	}
	return &settings[i], args[1], 2
}

// Getenv returns a variable of the environment with the file's settings, for Complete. A secret on the command line has
// priority over the file that a variable names.
func (g *Given) Getenv(name string) string {
	if secret, ok := strings.CutSuffix(name, fileSuffix); ok && g.flags[secret] {
		return ""
	}
	return g.environment.Get(name)
}

// Origin returns where a setting comes from.
func (g *Given) Origin(s *Setting) string {
	holder := g.environment.Get(s.Variable + fileSuffix)
	switch {
	case g.flags[s.Variable]:
		return "--" + s.Flag
	case s.Secret && holder != "":
		return fmt.Sprintf("%s (%s)", holder, g.place(s.Variable+fileSuffix))
	case g.environment.Get(s.Variable) != "":
		return g.place(s.Variable)
	}
	return "default"
}

// place returns where a variable was set.
func (g *Given) place(variable string) string {
	if line := g.lines[variable]; line != 0 {
		return fmt.Sprintf("%s:%d", g.File, line)
	}
	return variable
}

// LogLevel reads log-level from the configuration file again. A flag or the environment has priority, as at the start:
// then it returns the level in use.
func (g *Given) LogLevel(used string) (string, error) {
	const variable = "TIDEWAITER_LOG_LEVEL"
	byEnvironment := g.environment.Get(variable) != "" && g.lines[variable] == 0
	if g.File == "" || g.flags[variable] || byEnvironment {
		return used, nil
	}
	settings, err := Settings(&Config{})
	if err != nil {
		return used, err
	}
	entries, faults := readFile(g.File, settings)
	if len(faults) > 0 {
		return used, wrongOf(faults)
	}
	for _, e := range entries {
		if e.variable == variable && e.value != "" {
			return e.value, nil
		}
	}
	return byVariable(settings)[variable].Default, nil
}
