package browser

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"testing"
)

// caller is a program that uses the API with a key of its own.
type caller struct {
	*testing.T
	base, key string
}

// newKey makes a key in the console.
func (w *window) newKey(name, role string) caller {
	w.Helper()
	w.visit("/settings/keys")
	w.fill("name", name, "role", role)
	w.press("Make key")
	return caller{w.T, w.base, eval[string](w, `document.getElementById("shown-once").textContent`)}
}

// send calls the API and gives the id of the record that it answers with, if any.
func (c caller) send(method, path, body string) (id string) {
	c.Helper()
	request, err := http.NewRequest(method, c.base+"/api"+path, bytes.NewReader([]byte(body)))
	if err != nil {
		c.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+c.key)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		c.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		c.Fatal(err)
	}
	if response.StatusCode >= 300 {
		c.Fatalf("%s %s: %d %s", method, path, response.StatusCode, text)
	}
	var all map[string]json.RawMessage
	_ = json.Unmarshal(text, &all)
	for _, record := range append([]json.RawMessage{text}, all["declaration"], all["movement"], all["filing"]) {
		var known struct{ ID string }
		if json.Unmarshal(record, &known) == nil && known.ID != "" {
			return known.ID
		}
	}
	return ""
}
