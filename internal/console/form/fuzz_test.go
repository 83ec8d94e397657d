package form_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// plain returns a body with sorted members, without empty values and without spaces around texts,
// except inside free-form members.
func plain(t *testing.T, body []byte) string {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var v map[string]any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	free := map[string]any{}
	for _, name := range []string{"form", "any"} {
		if v[name] != nil {
			free[name] = v[name]
		}
		delete(v, name)
	}
	lean, _ := trimmed(v).(map[string]any)
	if lean == nil {
		lean = map[string]any{}
	}
	for name, value := range free {
		if text, is := json.Marshal(value); is == nil && string(text) != "{}" {
			lean[name] = value
		}
	}
	text, err := json.Marshal(lean)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func trimmed(v any) any {
	switch v := v.(type) {
	case string:
		if text := strings.TrimSpace(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(v)); text != "" {
			return text
		}
		return nil
	case map[string]any:
		lean := map[string]any{}
		for name, value := range v {
			if value = trimmed(value); value != nil {
				lean[name] = value
			}
		}
		if len(lean) == 0 {
			return nil
		}
		return lean
	case []any:
		var lean []any
		for _, value := range v {
			if value = trimmed(value); value != nil {
				lean = append(lean, value)
			}
		}
		if lean == nil {
			return nil
		}
		return lean
	}
	return v
}
