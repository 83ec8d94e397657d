package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
)

// endpoint is the one address of a provider that tasks are posted to.
type endpoint struct {
	client  *http.Client
	url     string
	headers http.Header // with the credentials
}

// StatusError is an answer of a provider with a status other than 2xx.
type StatusError struct {
	Status int
	Start  string // of the body
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("the provider answered %d: %s", e.Status, e.Start)
}

// maxErrorText is the number of bytes of an error answer that are logged.
const maxErrorText = 500

// post sends a request as JSON and decodes the answer's JSON. Errors: *StatusError, and
// those of the connection and of decoding.
func (e *endpoint) post(ctx context.Context, request, answer any) error {
	body, err := json.Marshal(request)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header = maps.Clone(e.headers)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
	response, err := e.client.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode < 200 || response.StatusCode > 299 {
		start, _ := io.ReadAll(io.LimitReader(response.Body, maxErrorText))
		return &StatusError{response.StatusCode, string(start)}
	}
	whole, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	return json.Unmarshal(whole, answer)
}
