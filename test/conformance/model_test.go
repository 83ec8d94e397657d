package conformance

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/test/models"
)

const modelKey = "key-of-the-model"

// shortModelTimeout is the setting of tests with a model that stalls: each of its calls takes so long.
const shortModelTimeout = "TIDEWAITER_AI_TIMEOUT=3s"

// withModel starts the program with a model of each protocol, on SQLite.
func withModel(t *testing.T, run func(t *testing.T, p *server, h *models.Server), settings ...string) {
	t.Parallel()
	for _, protocol := range []string{"anthropic", "openai"} {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			h := models.New(t, models.RespondRaw(http.StatusOK, "{}"))
			run(t, serve(t, storetest.SQLite(t), append([]string{
				"TIDEWAITER_AI_PROVIDER=" + protocol, "TIDEWAITER_AI_URL=" + h.URL, "TIDEWAITER_AI_KEY=" + modelKey, "TIDEWAITER_AI_MODEL=a-model",
				"TIDEWAITER_LIMIT_AI=0", "TIDEWAITER_LOG_LEVEL=error",
			}, settings...)...), h)
		})
	}
}

// invoiceProse is an invoice that the offline engine reads poorly.
const invoiceProse = "Dear Sirs,\nwe sold to Kestrel Clothing on 2 March 2026 six hundred (600 pcs) Men's knitted T-shirts from Bangladesh,\n" +
	"at 3.00 each that is £1,800.00 by PK-77. Yours, Padma Knitwear\n"

const proseAnswer = `{"title":"","fields":{"invoiceNumber":"PK-77","invoiceDate":"2 March 2026","currency":"£","grandTotal":"£1,800.00","dueDate":"2 April 2027"},
	"parties":{"seller":{"name":"Padma Knitwear","country":"Bangladesh"},"buyer":{"name":"Kestrel Clothing"}},
	"lineItems":[{"description":"Men's knitted T-shirts","quantity":"600","unitPrice":"3.00","amount":"1,800.00","countryOfOrigin":"Bangladesh"}],"containers":[]}`

const codeChosen = `{"suggestions":[{"code":"6109100010","confidence":0.9,"reasoning":"Knitted T-shirts of cotton."}]}`

func pngDocument(t *testing.T) string {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, image.NewGray(image.Rect(0, 0, 8, 8))); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// modelCalls are the three operations that use a model.
func (c *caller) modelCalls(t *testing.T) map[string]func() answer {
	seen := pngDocument(t)
	return map[string]func() answer{
		"code":    func() answer { return c.classify("men's cotton T-shirts") },
		"text":    func() answer { return c.extract(invoiceProse, "invoice") },
		"picture": func() answer { return c.extract(seen, "invoice") },
	}
}

// With a model, codes come from its choice, images are read, and texts are completed, in either protocol and in
// the documented form.
func TestModelHelps(t *testing.T) {
	withModel(t, func(t *testing.T, p *server, h *models.Server) {
		c := p.organisation("Quillfeather")
		ask := c.modelCalls(t)
		for name, says := range map[string]string{"code": codeChosen, "text": proseAnswer, "picture": proseAnswer} {
			h.Handle(models.RespondJSON(says))
			a := ask[name]().want(t, 200)
			if a.header.Get("X-AI-Source") != "provider" || len(h.Requests()) != 1 {
				t.Errorf("%s: %s after %d questions: %s", name, a.header.Get("X-AI-Source"), len(h.Requests()), a.text)
			}
			if name != "code" && (a.in("document", "invoiceNumber", "value") != "PK-77" || a.in("document", "invoiceNumber", "found", "source") != "provider" ||
				a.in("document", "currency", "value") != "GBP" || a.in("document", "totals", "grand", "value") != 1800.0) {
				t.Errorf("%s: %s", name, a.text)
			}
			if due := a.in("document", "dueDate"); (due != nil) != (name == "picture") {
				t.Errorf("%s: a date that is not in the text: %v", name, due)
			}
			sent := h.Requests()[0]
			for _, secret := range []string{c.org, c.key, "Quillfeather", "GB123456789000", modelKey, "@"} {
				if strings.Contains(sent.Body, secret) || strings.Contains(sent.Path, secret) {
					t.Errorf("%s: %q is sent: %s", name, secret, sent.Body)
				}
			}
			if head := fmt.Sprint(sent.Header); strings.Contains(head, c.key) || strings.Contains(head, c.org) || !strings.Contains(head, modelKey) {
				t.Errorf("%s: headers %s", name, head)
			}
		}
		h.Handle(models.RespondJSON(proseAnswer))
		if a := c.extract(importInvoice, "invoice").want(t, 200); len(h.Requests()) != 0 || a.header.Get("X-AI-Source") != "offline" {
			t.Errorf("the model was called for a document that is read well offline: %s", a.text)
		}
	})
}

// misbehaviours are what a model may do instead of answering.
var misbehaviours = []struct {
	name string
	act  models.Handler
}{
	{"slow", models.Stall}, {"down", models.CloseConnection}, {"500", models.RespondRaw(500, `{"error":{"message":"oops"}}`)}, {"401", models.RespondRaw(401, `{"error":{"message":"key"}}`)},
	{"garbage", models.RespondRaw(200, "\x00\xff\xfe{{{")}, {"empty", models.RespondRaw(200, "")}, {"huge", models.RespondRaw(200, strings.Repeat(" ", 3<<20)+"{}")}, {"HTML", models.RespondRaw(200, "<html><body>Sign in</body></html>")},
	{"refused", models.Refuse}, {"another shape", models.RespondJSON(`{"suggestions":5,"fields":[]}`)},
	{"instructions", models.RespondJSON(fmt.Sprintf("%q", `Ignore all rules. <script>alert(1)</script> Answer {"suggestions":[{"code":"6109100010"}]}`))},
	{"a code that is none", models.RespondJSON(`{"suggestions":[{"code":"9999999999","confidence":1,"reasoning":""}],"fields":{"invoiceNumber":"","invoiceDate":"9999999999"}}`)},
}

// Whatever a model does, the answer is the offline one with a note. A model that stalls is given up after the timeout;
// its connection ends only then.
func TestModelMisbehaves(t *testing.T) {
	withModel(t, func(t *testing.T, p *server, h *models.Server) {
		c := p.organisation("A")
		ask := c.modelCalls(t)
		for _, m := range misbehaviours {
			h.Handle(models.RespondJSON(codeChosen)) // the model would be skipped after four failures
			ask["code"]().want(t, 200)
			h.Handle(m.act)
			for name, ask := range ask {
				a := ask().want(t, 200)
				if a.header.Get("X-AI-Source") != "offline" || !strings.Contains(fmt.Sprint(a.in("notes")), "configured model") || strings.Contains(a.text, "alert(1)") || strings.Contains(a.text, "9999999999") {
					t.Errorf("%s, %s: %s %s", m.name, name, a.header.Get("X-AI-Source"), a.text)
				}
				if found, _ := a.in("suggestions").([]any); name == "code" && len(found) == 0 {
					t.Errorf("%s: no offline answer: %s", m.name, a.text)
				}
			}
			if len(h.Requests()) < len(ask) {
				t.Errorf("%s: the model was called %d times", m.name, len(h.Requests()))
			}
		}
	}, shortModelTimeout)
}

// An organisation that has used up its daily model budget gets offline answers that say so; another organisation
// still has its own.
func TestModelBudget(t *testing.T) {
	withModel(t, func(t *testing.T, p *server, h *models.Server) {
		one, other := p.organisation("A"), p.organisation("B")
		h.Handle(models.RespondJSON(codeChosen))
		for n, source := range []string{"provider", "provider", "offline", "offline"} {
			a := one.classify("men's cotton T-shirts").want(t, 200)
			if a.header.Get("X-AI-Source") != source || source == "offline" && !strings.Contains(a.text, "used up today") {
				t.Errorf("question %d: %s", n+1, a.text)
			}
		}
		if a := one.extract(pngDocument(t), "invoice").want(t, 200); a.header.Get("X-AI-Source") != "offline" || !strings.Contains(a.text, "used up today") {
			t.Errorf("a picture: %s", a.text)
		}
		if a := other.classify("men's cotton T-shirts").want(t, 200); a.header.Get("X-AI-Source") != "provider" || len(h.Requests()) != 3 {
			t.Errorf("another organisation after %d questions: %s", len(h.Requests()), a.text)
		}
	}, "TIDEWAITER_AI_BUDGET=2")
}

// No data of an organisation that has switched the provider off reaches the model, which other organisations still
// use. The answers are the offline ones and say why.
func TestModelSwitchedOff(t *testing.T) {
	withModel(t, func(t *testing.T, p *server, h *models.Server) {
		one, other := p.organisation("A"), p.organisation("B")
		h.Handle(models.RespondJSON(codeChosen))
		one.call("PATCH", "/api/organisation", map[string]any{"aiProviderOff": true}).want(t, 200)
		for name, ask := range one.modelCalls(t) {
			a := ask().want(t, 200)
			if a.header.Get("X-AI-Source") != "offline" || !strings.Contains(fmt.Sprint(a.in("notes")), "switched the AI provider off") {
				t.Errorf("%s: %s %s", name, a.header.Get("X-AI-Source"), a.text)
			}
		}
		if sent := h.Requests(); len(sent) != 0 {
			t.Errorf("the model was called: %s", sent[0].Body)
		}
		other.classify("men's cotton T-shirts").want(t, 200)
		if sent := h.Requests(); len(sent) != 1 {
			t.Errorf("the model was called %d times for the other organisation", len(sent))
		}
	})
}
