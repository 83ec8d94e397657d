package browser

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
)

// caller is a program that uses the API with its own key.
type caller struct {
	*testing.T
	base, key string
}

// caller creates an OWNER's key in the console, for a program.
func (w *window) caller(name string) caller {
	w.Helper()
	w.visit("/settings/keys")
	w.fill("name", name, "role", "OWNER")
	w.press("Create key")
	return caller{w.T, w.base, eval[string](w, `document.getElementById("shown-once").textContent`)}
}

// send calls the API, and returns the id of the record in the answer.
func (c caller) send(method, path, body string) (id string) {
	c.Helper()
	request, err := http.NewRequest(method, c.base+"/api"+path, strings.NewReader(body))
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
	var held map[string]json.RawMessage
	_ = json.Unmarshal(text, &held)
	var record struct{ ID string }
	if _ = json.Unmarshal(text, &record); record.ID != "" {
		return record.ID
	}
	for _, value := range held {
		if json.Unmarshal(value, &record) == nil && record.ID != "" {
			return record.ID
		}
	}
	return ""
}
