// Package models is a stand-in for a provider of language models: on a real socket, in the protocols of Anthropic
// and OpenAI, with any misbehaviour that a test needs.
package models

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// Server answers every request with the current handler.
type House struct {
	URL string

	mu    sync.Mutex
	act   Act
	heard []Heard
}

// Handler answers one request; reply formats an answer in the protocol of the request.
type Act func(w http.ResponseWriter, say func(answer string) string)

// Request is a received request.
type Heard struct {
	Path   string
	Header http.Header
	Body   string
}

// New starts a server that ends with the test.
func New(t testing.TB, act Act) *House {
	h := &House{act: act}
	server := httptest.NewServer(http.HandlerFunc(h.serve))
	h.URL = server.URL
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	return h
}

// Handle sets the handler, and forgets the received requests.
func (h *House) Do(act Act) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.act, h.heard = act, nil
}

// Requests returns the requests since the last call of Handle.
func (h *House) Heard() []Heard {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.heard
}

func (h *House) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	h.mu.Lock()
	h.heard = append(h.heard, Heard{r.URL.Path, r.Header, string(body)})
	act := h.act
	h.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	if strings.HasSuffix(r.URL.Path, "/messages") {
		act(w, message)
		return
	}
	act(w, completion)
}

// message is an answer in Anthropic's protocol: the input of the tool.
func message(answer string) string {
	return fmt.Sprintf(`{"id":"msg_1","type":"message","role":"assistant","model":"m","stop_reason":"tool_use","stop_sequence":null,
		"content":[{"type":"tool_use","id":"toolu_1","name":"answer","input":%s}],"usage":{"input_tokens":10,"output_tokens":5}}`, answer)
}

// completion is an answer in OpenAI's protocol: the text of a choice.
func completion(answer string) string {
	quoted, _ := json.Marshal(answer) // a string is always valid JSON
	return fmt.Sprintf(`{"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"finish_reason":"stop",
		"message":{"role":"assistant","content":%s,"refusal":null}}],"usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15}}`, quoted)
}

// RespondJSON answers with JSON.
func Says(answer string) Act {
	return func(w http.ResponseWriter, say func(string) string) { _, _ = io.WriteString(w, say(answer)) }
}

// RespondRaw answers with a status and a body outside the protocols.
func Raw(status int, body string) Act {
	return func(w http.ResponseWriter, _ func(string) string) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// Stall sends the beginning of an answer and then nothing for a while.
func Stalls(while time.Duration) Act {
	return func(w http.ResponseWriter, _ func(string) string) {
		w.Header().Set("Content-Length", "1000")
		_, _ = io.WriteString(w, "{")
		_ = http.NewResponseController(w).Flush()
		time.Sleep(while)
	}
}

// CloseConnection closes the connection without an answer.
func HangsUp(http.ResponseWriter, func(string) string) { panic(http.ErrAbortHandler) }

// Refuse declines in both protocols.
func Refuses(w http.ResponseWriter, _ func(string) string) {
	_, _ = io.WriteString(w, `{"type":"message","role":"assistant","content":[],"stop_reason":"refusal","usage":{},
		"choices":[{"index":0,"finish_reason":"content_filter","message":{"role":"assistant","content":"","refusal":"no"}}]}`)
}
