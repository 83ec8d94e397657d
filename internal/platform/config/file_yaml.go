package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v4"
)

// yamlFile is a configuration file in YAML. Keys are flags, nested by group.
type yamlFile struct {
	settings []Setting
	entries  []entry
	faults   []string
}

func readYAML(text []byte, settings []Setting) ([]entry, []string) {
	f := &yamlFile{settings: settings}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var document yaml.Node
	err := decoder.Decode(&document)
	if errors.Is(err, io.EOF) {
		return nil, nil // nothing but comments
	}
	if err != nil {
		return nil, []string{" " + err.Error()}
	}
	f.group(document.Content[0], "")
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		f.fault(&document, "want one document")
	}
	return f.entries, f.faults
}

func (f *yamlFile) fault(at *yaml.Node, format string, args ...any) {
	f.faults = append(f.faults, fmt.Sprintf("%d: %s", at.Line, fmt.Sprintf(format, args...)))
}

// group reads the settings of a group; the outermost has no name.
func (f *yamlFile) group(n *yaml.Node, name string) {
	if n.Kind != yaml.MappingNode {
		f.fault(n, "want settings, each as key: value%s", within(name))
		return
	}
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if first := seen[key.Value]; first != 0 {
			f.fault(key, "%s was set in line %d", key.Value, first)
			continue
		}
		seen[key.Value] = key.Line
		if name == "" && f.isGroup(key.Value) {
			f.group(value, key.Value)
			continue
		}
		f.setting(key, value, name)
	}
}

func (f *yamlFile) isGroup(name string) bool {
	for i := range f.settings {
		if f.settings[i].Group == name && name != "" {
			return true
		}
	}
	return false
}

func (f *yamlFile) setting(key, value *yaml.Node, group string) {
	for i := range f.settings {
		s := &f.settings[i]
		switch {
		case s.Group != group:
		case s.Key == key.Value:
			f.take(s, value)
			return
		case s.Secret && s.Key+"-file" == key.Value:
			if value.Kind != yaml.ScalarNode || value.Tag != "!!str" {
				f.fault(value, "%s: want the name of a file", key.Value)
				return
			}
			f.entries = append(f.entries, entry{s.Variable + fileSuffix, value.Value, key.Line})
			return
		}
	}
	f.fault(key, "there is no setting %s%s%s", key.Value, within(group), f.hint(key.Value, group))
}

// hint says where a setting belongs that is in the wrong group.
func (f *yamlFile) hint(key, group string) string {
	for _, s := range f.settings {
		if group == "" && s.Group != "" && s.Flag == key {
			return fmt.Sprintf("; it is %s in the group %s", s.Key, s.Group)
		}
		if group != "" && s.Group == "" && s.Key == group+"-"+key {
			return fmt.Sprintf("; it is %s, outside of any group", s.Key)
		}
	}
	return ""
}

// take checks the form of a value, and then the value itself like one of the environment.
func (f *yamlFile) take(s *Setting, n *yaml.Node) {
	text, ok := f.text(s, n)
	if !ok {
		return
	}
	if err := s.take(text); err != nil {
		f.fault(n, "%s: %v", s.Path(), err)
		return
	}
	f.entries = append(f.entries, entry{s.Variable, text, n.Line})
}

// forms returns the YAML tags that a setting's value may have, and their names.
func forms(form Form) (tags, name string) {
	switch form {
	case Whole:
		return "!!int", "a whole number"
	case Number:
		return "!!int !!float", "a number"
	case Switch:
		return "!!bool", "true or false"
	case Duration:
		return "!!str", "a time, such as 300ms or 6h"
	}
	return "!!str", "text, in quotes where it looks like something else"
}

func (f *yamlFile) text(s *Setting, n *yaml.Node) (string, bool) {
	if s.Form == List {
		return f.list(s, n)
	}
	tags, name := forms(s.Form)
	if n.Kind != yaml.ScalarNode || !strings.Contains(tags, n.Tag) {
		f.fault(n, "%s: want %s", s.Path(), name)
		return "", false
	}
	return n.Value, true
}

func (f *yamlFile) list(s *Setting, n *yaml.Node) (string, bool) {
	if n.Kind != yaml.SequenceNode {
		f.fault(n, "%s: want a list", s.Path())
		return "", false
	}
	var items []string
	for _, item := range n.Content {
		if item.Kind != yaml.ScalarNode || item.Tag != "!!str" || strings.Contains(item.Value, ",") {
			f.fault(item, "%s: want texts without commas", s.Path())
			return "", false
		}
		items = append(items, item.Value)
	}
	return strings.Join(items, ","), true
}

func within(group string) string {
	if group == "" {
		return ""
	}
	return " in the group " + group
}
