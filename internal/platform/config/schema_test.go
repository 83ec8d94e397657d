package config_test

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"

	"github.com/tidewaiter/tidewaiter/internal/platform/config"
)

// The schema accepts and rejects the same values as the program.
func TestSchemaAgreesWithTheReader(t *testing.T) {
	text, err := config.Schema()
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("config.schema.json", document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("config.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for text, good := range map[string]bool{
		"addr: a:1\ncustoms: {mode: hmrc, rate: 3, version: '2.0'}": true,
		"webhook-allow: [10.0.0.0/8]\nhubs-off: []":                 true,
		"simulator-delay: 1h30m":                                    true,
		"ai: {provider: openai, key-file: /run/k, budget: 0}":       true,
		"customs: {rate: 2.5}":                                      true,
		"allow-private-webhooks: false":                             true,
		"customs: {version: 2.0}":                                   false,
		"customs: {mode: moon}":                                     false,
		"customs-mode: hmrc":                                        false,
		"addr: 8080":                                                false,
		"limit-ai: 1.5":                                             false,
		"limit-ai: 'many'":                                          false,
		"simulator-delay: 300":                                      false,
		"simulator-delay: soon":                                     false,
		"hubs-off: tax":                                             false,
		"webhook-allow: ['10.0.0.0/8,11.0.0.0/8']":                  false,
		"nonsense: 1":                                               false,
		"customs: hmrc":                                             false,
		"addr-file: /x":                                             false,
		"redis-url:":                                                false,
		"allow-private-webhooks: perhaps":                           false,
	} {
		var value any
		if err := yaml.Unmarshal([]byte(text), &value); err != nil {
			t.Fatal(err)
		}
		bySchema := schema.Validate(value)
		byReader := load(map[string]string{}, "--config", named(t, "t.yaml", text))
		if (bySchema == nil) != good || (byReader == nil) != good {
			t.Errorf("%q\nschema: %v\nreader: %v", text, bySchema, byReader)
		}
	}
}

// Every default is a valid value.
func TestDefaultsAreTaken(t *testing.T) {
	settings, err := config.Settings(&config.Config{})
	if err != nil {
		t.Fatal(err)
	}
	variables := map[string]string{}
	for _, s := range settings {
		variables[s.Variable] = s.Default
	}
	if err := load(variables); err != nil {
		t.Error(err)
	}
}

var name = regexp.MustCompile("`(TIDEWAITER_[A-Z_]+|_[A-Z_]+)`")

// docs/operating.md lists exactly the existing settings in its table.
func TestBookListsEverySetting(t *testing.T) {
	text, err := os.ReadFile("../../../docs/operating.md")
	if err != nil {
		t.Fatal(err)
	}
	settings, err := config.Settings(&config.Config{})
	if err != nil {
		t.Fatal(err)
	}
	missing := map[string]bool{}
	for _, s := range settings {
		missing[s.Variable] = !s.Hidden
	}
	_, table, _ := strings.Cut(string(text), "| variable | meaning | default |")
	table, _, _ = strings.Cut(table, "\n\n")
	for _, row := range strings.Split(table, "\n") {
		cells := strings.Split(row, "|")
		if len(cells) < 2 {
			continue
		}
		full := ""
		for _, found := range name.FindAllStringSubmatch(cells[1], -1) {
			variable := found[1]
			if strings.HasPrefix(variable, "_") {
				variable = completed(full, variable, missing)
			} else {
				full = variable
			}
			if _, there := missing[variable]; !there {
				t.Errorf("the document lists %s (%s), which is not a setting", found[1], variable)
			}
			missing[variable] = false
		}
	}
	for variable, is := range missing {
		if is {
			t.Errorf("the table of settings in the document lacks %s", variable)
		}
	}
}

// completed returns the full name of a variable of which the table gives only the end.
func completed(full, end string, known map[string]bool) string {
	for i := len(full) - 1; i > 0; i-- {
		if _, there := known[full[:i]+end]; full[i] == '_' && there {
			return full[:i] + end
		}
	}
	return full + end
}
