package client

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// The limits of an answer.
const (
	MaxDetails    = 100            // reasons of a refusal; the declarations API sends at most 25
	maxAnswer     = 1 << 20        // bytes of the body, unless the API has another limit; the rest is not read
	maxText       = 2 << 10        // bytes of each text that is kept
	maxRetryAfter = 24 * time.Hour // a longer Retry-After is cut
)

// refusals are the statuses of every API that prove a refusal.
var refusals = []int{
	http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusNotAcceptable,
	http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusTooManyRequests, http.StatusNotImplemented,
}

// Answer is HMRC's answer to a request that it accepted.
type Answer struct {
	Status        int
	Header        http.Header
	CorrelationID string
	Body          []byte
	Err           error // why the body is not complete; nil if it is
}

// Unknown is the outcome of a request whose answer cannot be understood.
func (a Answer) Unknown(cause error) Unknown {
	return Unknown{Status: a.Status, CorrelationID: a.CorrelationID, Cause: cause}
}

// read reads an answer. Where the status alone decides, an incomplete body changes nothing.
func (c *Client) read(response *http.Response) (Answer, Failure) {
	a := Answer{Status: response.StatusCode, Header: response.Header, CorrelationID: c.api.CorrelationID(response.Header)}
	most := c.api.MaxAnswer
	a.Body, a.Err = io.ReadAll(io.LimitReader(response.Body, int64(most)+1))
	if len(a.Body) > most {
		a.Body, a.Err = a.Body[:most], fmt.Errorf("the answer has more than %d bytes", most)
	}
	if slices.Contains(c.api.Success, a.Status) {
		if err := c.api.Check(a); err != nil {
			return Answer{}, a.Unknown(err)
		}
		return a, nil
	}
	p := c.problem(a.Body)
	if slices.Contains(refusals, a.Status) || slices.Contains(c.api.Refusals, a.Status) {
		return Answer{}, Refused{
			Status: a.Status, Code: p.Code, Message: p.Message, Details: p.Details, RetryAfter: c.retryAfter(a), CorrelationID: a.CorrelationID,
		}
	}
	cause := fmt.Errorf("HMRC answered %s", strings.TrimSpace(fmt.Sprintf("%d %s %s", a.Status, p.Code, p.Message)))
	if a.Status == http.StatusServiceUnavailable && slices.Contains(c.api.Closed, p.Code) {
		return Answer{}, Unreachable{Cause: cause}
	}
	return Answer{}, a.Unknown(cause)
}

// retryAfter is the time that a 429 asks to wait.
func (c *Client) retryAfter(a Answer) time.Duration {
	value := a.Header.Get("Retry-After")
	if a.Status != http.StatusTooManyRequests || value == "" {
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

// problem is an error body of HMRC, in JSON or XML.
type problem struct {
	XMLName struct{} `json:"-" xml:"errorResponse"` // the root of an XML body
	Code    string   `json:"code" xml:"code"`
	Message string   `json:"message" xml:"message"`
	Details []Detail `json:"errors" xml:"errors>error"`
}

// problem reads an error body. Anything else (a gateway's page, half a document) is an
// empty problem.
func (c *Client) problem(body []byte) problem {
	var p problem
	if c.api.Decode(body, &p) != nil {
		return problem{}
	}
	p.Code, p.Message = Clip(p.Code), Clip(p.Message)
	p.Details = p.Details[:min(len(p.Details), MaxDetails)]
	for i, d := range p.Details {
		p.Details[i] = Detail{Code: Clip(d.Code), Message: Clip(d.Message), Path: Clip(d.Path)}
	}
	return p
}

// Clip trims a text of HMRC's and cuts it to 2 KiB, at a whole character.
func Clip(text string) string {
	text = strings.TrimSpace(text)
	if len(text) <= maxText {
		return text
	}
	end := maxText
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}
