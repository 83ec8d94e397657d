package provider_test

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/assist/provider"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
)

// task asks for one word.
var task = provider.Task{
	Name: "word", Rules: "Answer with a word.", Material: "What is the customs duty on tea?", MaxTokens: 200,
	Schema: map[string]any{
		"type": "object", "properties": map[string]any{"word": map[string]any{"type": "string"}},
		"required": []string{"word"}, "additionalProperties": false,
	},
}

// fakeProvider is a provider on a real socket with both protocols. It answers one request
// after the other by its script, and all further ones by the last part.
type fakeProvider struct {
	*httptest.Server
	mu       sync.Mutex
	script   []reply
	received []request
}

// reply answers one request.
type reply func(w http.ResponseWriter, r *http.Request, say func(answer string) string)

type request struct {
	path string
	head http.Header
	body map[string]any
}

func newFakeProvider(t *testing.T, script ...reply) *fakeProvider {
	t.Helper()
	h := &fakeProvider{script: script}
	h.Server = httptest.NewServer(http.HandlerFunc(h.serve))
	t.Cleanup(h.CloseClientConnections)
	t.Cleanup(h.Close)
	return h
}

func (h *fakeProvider) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	asked := request{path: r.URL.Path, head: r.Header}
	_ = json.Unmarshal(body, &asked.body)
	h.mu.Lock()
	h.received = append(h.received, asked)
	reply := h.script[0]
	if len(h.script) > 1 {
		h.script = h.script[1:]
	}
	h.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	say := chat
	if strings.HasSuffix(r.URL.Path, "/messages") {
		say = message
	}
	reply(w, r, say)
}

func (h *fakeProvider) requests() []request {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.received
}

// message and chat return answers in the two protocols.
func message(answer string) string {
	return fmt.Sprintf(`{"id":"msg_1","type":"message","role":"assistant","model":"m","stop_reason":"tool_use","stop_sequence":null,
		"content":[{"type":"tool_use","id":"toolu_1","name":"word","input":%s}],"usage":{"input_tokens":10,"output_tokens":5}}`, answer)
}

func chat(answer string) string {
	quoted, _ := json.Marshal(answer)
	return fmt.Sprintf(`{"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"finish_reason":"stop",
		"message":{"role":"assistant","content":%s,"refusal":null}}],"usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15}}`, quoted)
}

func says(answer string) reply {
	return func(w http.ResponseWriter, _ *http.Request, say func(string) string) {
		_, _ = io.WriteString(w, say(answer))
	}
}

// raw answers with a status and a body, whatever the protocol.
func raw(status int, body string) reply {
	return func(w http.ResponseWriter, _ *http.Request, _ func(string) string) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// stalls sends the start of an answer, and nothing more until the client has gone.
func stalls(w http.ResponseWriter, r *http.Request, _ func(string) string) {
	w.Header().Set("Content-Length", "1000")
	w.WriteHeader(http.StatusOK)
	_, _ = io.WriteString(w, "{")
	_ = http.NewResponseController(w).Flush()
	<-r.Context().Done()
}

func hangsUp(http.ResponseWriter, *http.Request, func(string) string) { panic(http.ErrAbortHandler) }

// models are both kinds of model, each with a provider of its own and the same script.
func models(t *testing.T, script ...reply) map[string]func() (provider.Model, *fakeProvider) {
	client := &http.Client{Transport: provider.Bounded{Through: http.DefaultTransport}}
	return map[string]func() (provider.Model, *fakeProvider){
		"anthropic": func() (provider.Model, *fakeProvider) {
			h := newFakeProvider(t, script...)
			return provider.NewClaude(h.URL, "secret", "claude-x", client), h
		},
		"openai": func() (provider.Model, *fakeProvider) {
			h := newFakeProvider(t, script...)
			return provider.NewChat(h.URL+"/v1", "secret", "gpt-x", client), h
		},
	}
}

func guarded(m provider.Model, questions int, deadline time.Duration) *provider.Client {
	return provider.NewClient(m, ratelimit.NewMemory(time.Now), ratelimit.Budget{Name: "ai-model", Requests: questions, Window: 24 * time.Hour}, deadline, time.Now,
		slog.New(slog.DiscardHandler))
}
