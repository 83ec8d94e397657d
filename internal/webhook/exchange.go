package webhook

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Limits of the stored headers of an answer, and of the stored attempts of a delivery.
const (
	maxHeaders     = 30
	maxHeaderValue = 200
	MaxAttempts    = 40 // that are listed one by one: the schedule has ten, a recovery adds one
)

// Attempt is one attempt to deliver, as the log shows it.
type Attempt struct {
	Number     int           `json:"number"`
	At         time.Time     `json:"at"` // zero where it is not known
	Duration   time.Duration `json:"duration"`
	HTTPStatus int           `json:"httpStatus"` // 0 when there was no answer
	Error      string        `json:"error"`      // empty when it delivered
	Response   string        `json:"response"`
	Headers    string        `json:"headers"`
}

// last returns the newest attempt of a delivery.
func (d *Delivery) last() Attempt {
	return Attempt{d.Attempts, d.AttemptedAt, d.Duration, d.HTTPStatus, d.Error, d.Response, d.Headers}
}

// Failure returns the newest attempt as a line for the store if it failed. The delivery itself
// holds everything about a successful attempt.
func (d *Delivery) Failure() string {
	if d.Error == "" || d.Attempts > MaxAttempts {
		return ""
	}
	line, _ := json.Marshal(d.last())
	return string(line) + "\n"
}

// AttemptsOf reads the attempts of a delivery, oldest first, from its lines.
func AttemptsOf(d *Delivery, failures string) (all []Attempt) {
	for line := range strings.Lines(failures) {
		var a Attempt
		if json.Unmarshal([]byte(line), &a) == nil {
			all = append(all, a)
		}
	}
	if d.Attempts > 0 && (len(all) == 0 || all[len(all)-1].Number < d.Attempts) {
		all = append(all, d.last())
	}
	return all
}

// headersOf returns the headers that an attempt sends.
func headersOf(p *delivery, signers []signer, at time.Time) http.Header {
	h := http.Header{
		"Content-Type": {"application/json"}, "User-Agent": {"Tidewaiter-Webhook/1.0"}, eventHeader: {p.EventType}, deliveryHeader: {p.ID},
	}
	sign(h, signers, p.EventID, at, []byte(p.body))
	return h
}

// HeadersFor returns the headers of a request that carries an event, signed with a secret at an instant.
func HeadersFor(n Notice, deliveryID, secret string, at time.Time) http.Header {
	return headersOf(&delivery{Delivery: Delivery{ID: deliveryID, EventID: n.ID, EventType: n.Type}, body: n.Body}, newSigners([]string{secret}), at)
}

// Sent returns the headers of the last attempt of a delivery. They are computed again, so there
// are none before the first attempt, and none once the secret that signed it was replaced.
func (s *Service) Sent(org tenant.ID, e Endpoint, d Delivery, n Notice) (h http.Header, known bool, err error) {
	if d.AttemptedAt.IsZero() || !e.FormerUntil.IsZero() && !d.AttemptedAt.After(e.FormerUntil.Add(-overlap)) {
		return nil, false, nil
	}
	keys, err := secrets(s.Sealer, org, &e, d.AttemptedAt)
	if err != nil {
		return nil, false, err
	}
	h = headersOf(&delivery{Delivery: d, body: n.Body}, newSigners(keys), d.AttemptedAt)
	for name, value := range e.Headers {
		h.Set(name, shownValue(name, value))
	}
	return h, true, nil
}

// secretWords are parts of the names of headers whose values are not stored.
var secretWords = []string{"cookie", "auth", "token", "secret", "key", "session", "password"}

// keptHeaders returns the headers of an answer, one per line, sorted by name.
func keptHeaders(h http.Header) string {
	var out strings.Builder
	for i, name := range slices.Sorted(maps.Keys(h)) {
		if i == maxHeaders {
			break
		}
		out.WriteString(short(name) + ": " + short(shownValue(name, strings.Join(h[name], ", "))) + "\n")
	}
	return strings.ToValidUTF8(out.String(), "\uFFFD")
}

// shownValue returns the value of a header, unless its name says that it is a secret.
func shownValue(name, value string) string {
	lower := strings.ToLower(name)
	if slices.ContainsFunc(secretWords, func(part string) bool { return strings.Contains(lower, part) }) {
		return "(not kept)"
	}
	return value
}

func short(text string) string {
	if len(text) > maxHeaderValue {
		return text[:maxHeaderValue] + "…"
	}
	return text
}
