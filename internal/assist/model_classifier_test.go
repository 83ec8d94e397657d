package assist_test

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/assist"
	"github.com/tidewaiter/tidewaiter/internal/assist/provider"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
)

// modelAnswers is a model on a real socket that gives every question the same answer; asked is the
// last question.
func modelAnswers(t *testing.T, status int, text string) (m assist.Model, asked *string) {
	t.Helper()
	asked = new(string)
	house := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		*asked = string(body)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		quoted, _ := json.Marshal(text)
		fmt.Fprintf(w, `{"id":"1","object":"chat.completion","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":%s}}]}`, quoted)
	}))
	t.Cleanup(house.Close)
	chat := provider.NewChat(house.URL, "key", "model", house.Client())
	return provider.NewClient(chat, ratelimit.NewMemory(time.Now), ratelimit.Budget{}, 5*time.Second, time.Now, slog.New(slog.DiscardHandler)), asked
}

func choice(code string, confidence float64, reasoning string) string {
	raw, _ := json.Marshal(map[string]any{"suggestions": []map[string]any{{"code": code, "confidence": confidence, "reasoning": reasoning}}})
	return string(raw)
}

const shirts = "men's cotton T-shirts"

// The model's choice comes first, with the tariff's description, duty and validity and the
// model's reason. The offline suggestions follow, each code once.
func TestAdvised(t *testing.T) {
	m, asked := modelAnswers(t, http.StatusOK, choice("6109100010", 0.9, "Knitted T-shirts of cotton."))
	found, err := (&assist.ModelClassifier{Offline: open().Classifier, Model: m}).Classify(ctx, ours, assist.Question{Description: shirts, CountryOfOrigin: "BD"})
	if err != nil || found.Source != "provider" || len(found.Suggestions) < 2 {
		t.Fatalf("%v, %+v", err, found)
	}
	first := found.Suggestions[0]
	if first.Code != "6109100010" || first.Confidence != 0.9 || !first.Validated || !strings.Contains(first.Reasoning, "Knitted T-shirts of cotton.") || !strings.HasPrefix(first.DutyExpression, "12") {
		t.Errorf("first is %+v", first)
	}
	seen := map[string]bool{}
	for _, s := range found.Suggestions {
		if seen[s.Code] || s.Confidence > first.Confidence {
			t.Errorf("%+v after %v", s, seen)
		}
		seen[s.Code] = true
	}
	for _, part := range []string{"cotton T-shirts", "BD", "6109100010"} {
		if !strings.Contains(*asked, part) {
			t.Errorf("the question lacks %q", part)
		}
	}
	if strings.Contains(*asked, string(ours)) {
		t.Error("the question names the organisation")
	}
}

// False codes, mistakes and failures of the model never reach the answer.
func TestUnusableAdvice(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		text   string
		source string
		check  func(assist.Suggestion) bool
	}{
		"code that is none":        {200, choice("9999999999", 1, "Sure."), "offline", nil},
		"letters":                  {200, choice("61091000XX", 1, "Sure."), "offline", nil},
		"eight digits":             {200, choice("61091000", 1, "Sure."), "offline", nil},
		"nothing":                  {200, `{"suggestions":[]}`, "offline", nil},
		"another shape":            {200, `{"codes":["6109100010"]}`, "offline", nil},
		"confidence as a word":     {200, `{"suggestions":[{"code":"6109100010","confidence":"high","reasoning":""}]}`, "offline", nil},
		"prose":                    {200, "It is 6109100010.", "offline", nil},
		"fault":                    {500, "", "offline", nil},
		"more certain than it can": {200, choice("6109100010", 17, "Sure."), "provider", func(s assist.Suggestion) bool { return s.Confidence == 0.95 }},
		"less than nothing":        {200, choice("6109100010", -3, "Sure."), "provider", func(s assist.Suggestion) bool { return s.Confidence == 0 }},
		"a code that does not exist": {200, choice("6109100011", 0.9, "Sure."), "provider", func(s assist.Suggestion) bool {
			return s.Code == "6109100011" && !s.Validated && s.Confidence <= 0.2 && s.DutyExpression == ""
		}},
		"a reason that leaves its field": {200, choice("6109100010", 0.5, "a\n\n# System\x00: <script>"+strings.Repeat("x", 9000)), "provider", func(s assist.Suggestion) bool {
			return !strings.ContainsAny(s.Reasoning, "\n\x00") && len(s.Reasoning) < 2000
		}},
	} {
		t.Run(name, func(t *testing.T) {
			m, _ := modelAnswers(t, c.status, c.text)
			alone := open().classify(t, ours, shirts)
			found, err := (&assist.ModelClassifier{Offline: open().Classifier, Model: m}).Classify(ctx, ours, assist.Question{Description: shirts})
			if err != nil || found.Source != c.source {
				t.Fatalf("%v, %+v", err, found)
			}
			if c.check == nil && (found.Suggestions[0] != alone.Suggestions[0] || len(found.Notes) == 0) {
				t.Errorf("%+v, alone %+v", found, alone)
			}
			if c.check != nil && !c.check(found.Suggestions[0]) {
				t.Errorf("%+v", found.Suggestions[0])
			}
		})
	}
}

// A description without a word is not sent to the model.
func TestDescriptionWithoutWords(t *testing.T) {
	m, asked := modelAnswers(t, http.StatusOK, choice("6109100010", 0.9, "Sure."))
	for _, d := range []string{"6109100010", "🦆", "12 34"} {
		if _, err := (&assist.ModelClassifier{Offline: open().Classifier, Model: m}).Classify(ctx, ours, assist.Question{Description: d}); err != nil {
			t.Fatal(err)
		}
	}
	if *asked != "" {
		t.Errorf("asked %s", *asked)
	}
}
