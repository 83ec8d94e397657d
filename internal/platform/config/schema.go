package config

import "encoding/json"

// schemaOf is the part of JSON Schema that settings need.
type schemaOf struct {
	Schema      string               `json:"$schema,omitempty"`
	Title       string               `json:"title,omitempty"`
	Description string               `json:"description,omitempty"`
	Type        string               `json:"type"`
	Pattern     string               `json:"pattern,omitempty"`
	Enum        []string             `json:"enum,omitempty"`
	Default     any                  `json:"default,omitempty"`
	Items       *schemaOf            `json:"items,omitempty"`
	Properties  map[string]*schemaOf `json:"properties,omitempty"`
	Additional  *bool                `json:"additionalProperties,omitempty"`
}

// durations matches Go durations: numbers with units.
const durations = `^([0-9]+(\.[0-9]*)?(ns|us|µs|ms|s|m|h))+$|^0$`

// Schema returns the JSON schema (draft 2020-12) of configuration files in YAML.
func Schema() ([]byte, error) {
	var c Config
	settings, err := Settings(&c)
	if err != nil {
		return nil, err
	}
	root := group("Everything that can be set in a file. Flags win over the environment, the environment over the file.")
	root.Schema, root.Title = "https://json-schema.org/draft/2020-12/schema", "Settings of Tidewaiter"
	for i := range settings {
		s, in := &settings[i], root
		if s.Hidden {
			continue
		}
		if s.Group != "" {
			if root.Properties[s.Group] == nil {
				root.Properties[s.Group] = group("")
			}
			in = root.Properties[s.Group]
		}
		in.Properties[s.Key] = s.schema()
		if s.Secret {
			in.Properties[s.Key+"-file"] = &schemaOf{Type: "string", Description: "File that holds " + s.Key + ". (" + s.Variable + fileSuffix + ")"}
		}
	}
	text, err := json.MarshalIndent(root, "", "  ")
	return append(text, '\n'), err
}

func group(description string) *schemaOf {
	return &schemaOf{Type: "object", Description: description, Properties: map[string]*schemaOf{}, Additional: new(bool)}
}

func (s *Setting) schema() *schemaOf {
	of := &schemaOf{Type: string(s.Form), Description: s.Help + " (" + s.Variable + ")", Enum: s.Enum}
	switch s.Form {
	case Duration:
		of.Type, of.Pattern = "string", durations
	case List:
		of.Items = &schemaOf{Type: "string", Pattern: "^[^,]*$"}
	}
	switch {
	case s.Default == "":
	case s.Form == Whole, s.Form == Number, s.Form == Switch:
		of.Default = json.RawMessage(s.Default)
	default:
		of.Default = s.Default
	}
	return of
}
