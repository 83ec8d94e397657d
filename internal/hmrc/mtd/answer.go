package mtd

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	maxAnswer     = 1 << 20        // bytes of an answer's body; a longer one is not read
	maxClip       = 2 << 10        // bytes of any one text in it
	maxDetails    = 50             // of its reasons are kept
	maxRetryAfter = 24 * time.Hour // is believed of a Retry-After
	correlation   = "X-CorrelationId"
	retryAfter    = "Retry-After"
)

// closed are the codes of a 503 that is given before HMRC looks at the call.
var closed = map[string]bool{"SERVER_ERROR": true, "SCHEDULED_MAINTENANCE": true}

// answer is what HMRC said to a call that it took.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// judge reads an answer. A body that breaks off takes nothing away from a status that
// decides alone; of an answer that says yes it leaves nothing known.
func (c *Client) judge(response *http.Response) (answer, error) {
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	if len(body) > maxAnswer {
		body, err = nil, fmt.Errorf("an answer of more than %d bytes", maxAnswer)
	}
	id := clip(response.Header.Get(correlation))
	switch status := response.StatusCode; status {
	case http.StatusOK, http.StatusCreated:
		if err != nil {
			return answer{}, Unknown{Status: status, CorrelationID: id, Cause: err}
		}
		return answer{status: status, header: response.Header, body: body}, nil
	case http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed,
		http.StatusNotAcceptable, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity,
		http.StatusTooManyRequests, http.StatusNotImplemented:
		p := readProblem(body)
		return answer{}, Refused{Status: status, Code: p.Code, Message: p.Message, Details: p.Errors, RetryAfter: c.retryAfter(response), CorrelationID: id}
	default:
		p := readProblem(body)
		cause := fmt.Errorf("HMRC answered %s", strings.TrimSpace(fmt.Sprintf("%d %s %s", status, p.Code, p.Message)))
		if status == http.StatusServiceUnavailable && closed[p.Code] {
			return answer{}, Unreachable{Cause: cause}
		}
		return answer{}, Unknown{Status: status, CorrelationID: id, Cause: cause}
	}
}

// read decodes what HMRC said. What cannot be read says nothing.
func (a answer) read(into any) error {
	if err := json.Unmarshal(a.body, into); err != nil {
		return a.unknown(fmt.Errorf("reading HMRC's answer: %w", err))
	}
	return nil
}

func (a answer) unknown(cause error) error {
	return Unknown{Status: a.status, CorrelationID: clip(a.header.Get(correlation)), Cause: cause}
}

// problem is HMRC's error body.
type problem struct {
	Code    string   `json:"code"`
	Message string   `json:"message"`
	Errors  []Detail `json:"errors"`
}

// readProblem understands HMRC's own error bodies. Whatever else comes (a gateway's
// page, half a body) is an empty problem.
func readProblem(body []byte) problem {
	var p problem
	if json.Unmarshal(body, &p) != nil {
		return problem{}
	}
	p.Code, p.Message = clip(p.Code), clip(p.Message)
	p.Errors = p.Errors[:min(len(p.Errors), maxDetails)]
	for i, d := range p.Errors {
		p.Errors[i] = Detail{Code: clip(d.Code), Message: clip(d.Message), Path: clip(d.Path)}
	}
	return p
}

// retryAfter is how long a 429 asks to wait.
func (c *Client) retryAfter(response *http.Response) time.Duration {
	value := response.Header.Get(retryAfter)
	if response.StatusCode != http.StatusTooManyRequests || value == "" {
		return 0
	}
	if seconds, err := strconv.ParseUint(value, 10, 32); err == nil {
		return min(time.Duration(seconds)*time.Second, maxRetryAfter)
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	return min(max(at.Sub(c.now()), 0), maxRetryAfter)
}

// clip trims a text and cuts it at a whole character.
func clip(text string) string {
	text = strings.TrimSpace(text)
	if len(text) <= maxClip {
		return text
	}
	end := maxClip
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}
