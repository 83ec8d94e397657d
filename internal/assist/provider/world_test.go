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

// house is a provider on a real socket that speaks both wire protocols, and does
// what its script says, one act a request; the last act goes on for ever.
type house struct {
	*httptest.Server
	mu     sync.Mutex
	script []act
	heard  []heard
}

// act answers one request.
type act func(w http.ResponseWriter, say func(answer string) string)

type heard struct {
	path string
	head http.Header
	body map[string]any
}

func newHouse(t *testing.T, script ...act) *house {
	t.Helper()
	h := &house{script: script}
	h.Server = httptest.NewServer(http.HandlerFunc(h.serve))
	t.Cleanup(h.CloseClientConnections)
	t.Cleanup(h.Close)
	return h
}

func (h *house) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	asked := heard{path: r.URL.Path, head: r.Header}
	_ = json.Unmarshal(body, &asked.body)
	h.mu.Lock()
	h.heard = append(h.heard, asked)
	act := h.script[0]
	if len(h.script) > 1 {
		h.script = h.script[1:]
	}
	h.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	say := chat
	if strings.HasSuffix(r.URL.Path, "/messages") {
		say = message
	}
	act(w, say)
}

func (h *house) requests() []heard {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.heard
}

// message and chat are answers as the two protocols write them.
func message(answer string) string {
	return fmt.Sprintf(`{"id":"msg_1","type":"message","role":"assistant","model":"m","stop_reason":"tool_use","stop_sequence":null,
		"content":[{"type":"tool_use","id":"toolu_1","name":"word","input":%s}],"usage":{"input_tokens":10,"output_tokens":5}}`, answer)
}

func chat(answer string) string {
	quoted, _ := json.Marshal(answer)
	return fmt.Sprintf(`{"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"finish_reason":"stop",
		"message":{"role":"assistant","content":%s,"refusal":null}}],"usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15}}`, quoted)
}

func says(answer string) act {
	return func(w http.ResponseWriter, say func(string) string) { _, _ = io.WriteString(w, say(answer)) }
}

// raw answers with a status and a body of no protocol.
func raw(status int, body string) act {
	return func(w http.ResponseWriter, _ func(string) string) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// stalls sends the head of an answer, and then nothing until the caller is gone.
func stalls(w http.ResponseWriter, _ func(string) string) {
	w.Header().Set("Content-Length", "1000")
	w.WriteHeader(http.StatusOK)
	_, _ = io.WriteString(w, "{")
	_ = http.NewResponseController(w).Flush()
	time.Sleep(500 * time.Millisecond)
}

func hangsUp(http.ResponseWriter, func(string) string) { panic(http.ErrAbortHandler) }

// models are both kinds, each at a house of its own with the same script.
func models(t *testing.T, script ...act) map[string]func() (provider.Model, *house) {
	client := &http.Client{Transport: provider.Bounded{Through: http.DefaultTransport}}
	return map[string]func() (provider.Model, *house){
		"anthropic": func() (provider.Model, *house) {
			h := newHouse(t, script...)
			return provider.NewClaude(h.URL, "secret", "claude-x", client), h
		},
		"openai": func() (provider.Model, *house) {
			h := newHouse(t, script...)
			return provider.NewChat(h.URL+"/v1", "secret", "gpt-x", client), h
		},
	}
}

func guarded(m provider.Model, questions int, deadline time.Duration) *provider.Guard {
	return provider.NewGuard(m, ratelimit.NewMemory(time.Now), ratelimit.Budget{Name: "ai-model", Requests: questions, Window: 24 * time.Hour}, deadline, time.Now,
		slog.New(slog.DiscardHandler))
}
