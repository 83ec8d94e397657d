package provider_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/assist/provider"
)

const generous = 5 * time.Second

// Both protocols send the task with key and model, and return the answer.
func TestAsk(t *testing.T) {
	for name, open := range models(t, says(`{"word":"nil"}`)) {
		t.Run(name, func(t *testing.T) {
			m, h := open()
			answer, err := guarded(m, 0, generous).Ask(t.Context(), "org", task)
			if err != nil || string(answer) != `{"word":"nil"}` {
				t.Fatalf("answered %s, %v", answer, err)
			}
			asked := h.requests()[0]
			wire, _ := json.Marshal(asked.body)
			for _, part := range []string{task.Rules, task.Material, `"word"`, "-x"} {
				if !strings.Contains(string(wire), part) {
					t.Errorf("the request lacks %q: %s", part, wire)
				}
			}
			if key := asked.head.Get("X-Api-Key") + strings.TrimPrefix(asked.head.Get("Authorization"), "Bearer "); key != "secret" {
				t.Errorf("the key is %q", key)
			}
			want := map[string]string{"anthropic": "/v1/messages 2023-06-01", "openai": "/v1/chat/completions "}[name]
			if got := asked.path + " " + asked.head.Get("Anthropic-Version"); got != want {
				t.Errorf("asked at %q, want %q", got, want)
			}
		})
	}
}

// A picture is sent with the text, as each protocol requires.
func TestPicture(t *testing.T) {
	seen := task
	seen.Picture = &provider.Picture{MediaType: "image/png", Data: []byte("\x89PNG")}
	for name, open := range models(t, says(`{"word":"cup"}`)) {
		t.Run(name, func(t *testing.T) {
			m, h := open()
			if _, err := guarded(m, 0, generous).Ask(t.Context(), "org", seen); err != nil {
				t.Fatal(err)
			}
			wire, _ := json.Marshal(h.requests()[0].body)
			if !strings.Contains(string(wire), "iVBORw==") && !strings.Contains(string(wire), "iVBORw") {
				t.Errorf("the request lacks the picture: %s", wire)
			}
		})
	}
}

// Temporary failures are tried once more; others are not.
func TestSecondAttempt(t *testing.T) {
	for fault, c := range map[string]struct {
		first reply
		tries int
		ok    bool
	}{
		"overloaded":   {raw(529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`), 2, true},
		"too many":     {raw(429, `{"error":{"message":"slow down"}}`), 2, true},
		"gateway":      {raw(502, `<html>Bad gateway</html>`), 2, true},
		"hung up":      {hangsUp, 2, true},
		"wrong key":    {raw(401, `{"error":{"message":"invalid key"}}`), 1, false},
		"wrong model":  {raw(404, `{"error":{"message":"no such model"}}`), 1, false},
		"bad question": {raw(400, `{"error":{"message":"max_tokens"}}`), 1, false},
	} {
		for name, open := range models(t, c.first, says(`{"word":"nil"}`)) {
			t.Run(name+" "+fault, func(t *testing.T) {
				t.Parallel()
				m, h := open()
				_, err := guarded(m, 0, generous).Ask(t.Context(), "org", task)
				if (err == nil) != c.ok || len(h.requests()) != c.tries {
					t.Errorf("%d tries, %v", len(h.requests()), err)
				}
			})
		}
	}
}

// An unusable answer is an error.
func TestUnusableAnswer(t *testing.T) {
	for fault, a := range map[string]reply{
		"words":       says(`"Tea is free."`),
		"a list":      says(`[1]`),
		"nothing":     raw(http.StatusOK, `{}`),
		"no protocol": raw(http.StatusOK, `<html>hello</html>`),
		"endless":     raw(http.StatusOK, strings.Repeat(" ", 3<<20)),
		"refused":     raw(http.StatusOK, `{"type":"message","content":[],"stop_reason":"refusal","choices":[{"finish_reason":"content_filter","message":{"content":"{}"}}]}`),
		"cut off":     raw(http.StatusOK, `{"type":"message","content":[{"type":"text","text":"{"}],"stop_reason":"max_tokens","choices":[{"finish_reason":"length","message":{"content":"{}"}}]}`),
		"empty":       raw(http.StatusOK, `{"type":"message","content":[],"stop_reason":"end_turn","choices":[{"finish_reason":"stop","message":{"content":""}}]}`),
	} {
		for name, open := range models(t, a) {
			t.Run(name+" "+fault, func(t *testing.T) {
				t.Parallel()
				m, _ := open()
				if answer, err := guarded(m, 0, generous).Ask(t.Context(), "org", task); err == nil {
					t.Errorf("took %s for an answer", answer)
				}
			})
		}
	}
}

// A slow model is given up at the deadline.
func TestDeadline(t *testing.T) {
	for name, open := range models(t, stalls) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, _ := open()
			if answer, err := guarded(m, 0, 100*time.Millisecond).Ask(t.Context(), "org", task); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("answered %s, %v", answer, err)
			}
		})
	}
}

// After four failures in a row a model is not asked.
func TestNotAskedAfterFailures(t *testing.T) {
	for name, open := range models(t, raw(401, `{}`)) {
		t.Run(name, func(t *testing.T) {
			m, h := open()
			g := guarded(m, 0, generous)
			for range 10 {
				_, err := g.Ask(t.Context(), "org", task)
				if err == nil {
					t.Fatal("got an answer")
				}
			}
			if _, err := g.Ask(t.Context(), "org", task); !errors.Is(err, provider.ErrBreakerOpen) || len(h.requests()) != 4 {
				t.Errorf("asked %d times, last %v", len(h.requests()), err)
			}
		})
	}
}

// An organisation that has used its allowance up is refused; others are not.
func TestAllowance(t *testing.T) {
	for name, open := range models(t, says(`{"word":"nil"}`)) {
		t.Run(name, func(t *testing.T) {
			m, h := open()
			g := guarded(m, 2, generous)
			for n, want := range []bool{true, true, false} {
				if _, err := g.Ask(t.Context(), "one", task); (err == nil) != want {
					t.Errorf("question %d: %v", n+1, err)
				}
			}
			if _, err := g.Ask(t.Context(), "one", task); !errors.Is(err, provider.ErrAllowance) {
				t.Errorf("the allowance: %v", err)
			}
			if _, err := g.Ask(t.Context(), "other", task); err != nil || len(h.requests()) != 3 {
				t.Errorf("another organisation: %v after %d questions", err, len(h.requests()))
			}
		})
	}
}
