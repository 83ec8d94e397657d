package cds

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	maxAnswer     = 1 << 20         // of an answer's body is read
	maxExcerpt    = 2 << 10         // of it is kept, and of any one message in it
	maxDetails    = 100             // of its errors are kept; customs sends at most 25
	maxRetryAfter = 24 * time.Hour  // is believed of a Retry-After
	shuttered     = "SERVER_ERROR"  // the code of an API version that is switched off
	errorRoot     = "errorResponse" // the root of customs' error bodies, in no namespace
	retryAfter    = "Retry-After"   // seconds or an HTTP date
)

var errNoConversation = errors.New("customs accepted without a conversation id")

// judge reads an answer. The body is read as far as it comes: where the status
// alone decides, a body that breaks off takes nothing away from it.
func (c *Client) judge(response *http.Response) Outcome {
	body, _ := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	id, hasID := ConversationID(response.Header)
	problem := readProblem(body)
	switch response.StatusCode {
	case http.StatusAccepted:
		if hasID {
			return Accepted{ConversationID: id}
		}
		return Unknown{Status: response.StatusCode, Body: excerpt(body), Cause: errNoConversation}
	case http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound,
		http.StatusNotAcceptable, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType,
		http.StatusTooManyRequests, http.StatusNotImplemented:
		return Refused{
			Status: response.StatusCode, Code: problem.Code, Message: problem.Message, Errors: problem.Errors,
			RetryAfter: c.retryAfter(response), ConversationID: id, Body: excerpt(body),
		}
	}
	cause := fmt.Errorf("customs answered %d %s %s", response.StatusCode, problem.Code, problem.Message)
	if response.StatusCode == http.StatusServiceUnavailable && problem.Code == shuttered {
		return Unreachable{Cause: cause}
	}
	return Unknown{Status: response.StatusCode, ConversationID: id, Body: excerpt(body), Cause: cause}
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

// problem is customs' error body.
type problem struct {
	XMLName xml.Name
	Code    string   `xml:"code"`
	Message string   `xml:"message"`
	Errors  []Detail `xml:"errors>error"`
}

// readProblem understands customs' own error bodies. Whatever else comes (a
// gateway's page, half a document) is an empty problem.
func readProblem(body []byte) problem {
	var p problem
	if err := xml.Unmarshal(body, &p); err != nil || p.XMLName.Local != errorRoot {
		return problem{}
	}
	p.Code, p.Message = clip(p.Code), clip(p.Message)
	p.Errors = p.Errors[:min(len(p.Errors), maxDetails)]
	for i, d := range p.Errors {
		p.Errors[i] = Detail{Code: clip(d.Code), Message: clip(d.Message)}
	}
	return p
}

// clip trims a text and cuts it at a whole character.
func clip(text string) string {
	text = strings.TrimSpace(text)
	if len(text) <= maxExcerpt {
		return text
	}
	end := maxExcerpt
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

func excerpt(body []byte) []byte {
	return bytes.Clone(body[:min(len(body), maxExcerpt)])
}
