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
)

// Server answers every request with the current handler.
type Server struct {
	URL string

	mu       sync.Mutex
	handler  Handler
	requests []Request
}

// Handler answers one request; reply formats an answer in the protocol of the request.
type Handler func(w http.ResponseWriter, r *http.Request, reply func(answer string) string)

// Request is a received request.
type Request struct {
	Path   string
	Header http.Header
	Body   string
}

// New starts a server that ends with the test.
func New(t testing.TB, handler Handler) *Server {
	s := &Server{handler: handler}
	server := httptest.NewServer(http.HandlerFunc(s.serve))
	s.URL = server.URL
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	return s
}

// Handle sets the handler, and forgets the received requests.
func (s *Server) Handle(handler Handler) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.handler, s.requests = handler, nil
}

// Requests returns the requests since the last call of Handle.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	s.requests = append(s.requests, Request{r.URL.Path, r.Header, string(body)})
	handler := s.handler
	s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	if strings.HasSuffix(r.URL.Path, "/messages") {
		handler(w, r, message)
		return
	}
	handler(w, r, completion)
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
func RespondJSON(answer string) Handler {
	return func(w http.ResponseWriter, _ *http.Request, reply func(string) string) {
		_, _ = io.WriteString(w, reply(answer))
	}
}

// RespondRaw answers with a status and a body outside the protocols.
func RespondRaw(status int, body string) Handler {
	return func(w http.ResponseWriter, _ *http.Request, _ func(string) string) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// Stall sends the beginning of an answer, and nothing more until the client gives up.
func Stall(w http.ResponseWriter, r *http.Request, _ func(string) string) {
	w.Header().Set("Content-Length", "1000")
	_, _ = io.WriteString(w, "{")
	_ = http.NewResponseController(w).Flush()
	<-r.Context().Done()
}

// CloseConnection closes the connection without an answer.
func CloseConnection(http.ResponseWriter, *http.Request, func(string) string) {
	panic(http.ErrAbortHandler)
}

// Refuse declines in both protocols.
func Refuse(w http.ResponseWriter, _ *http.Request, _ func(string) string) {
	_, _ = io.WriteString(w, `{"type":"message","role":"assistant","content":[],"stop_reason":"refusal","usage":{},
		"choices":[{"index":0,"finish_reason":"content_filter","message":{"role":"assistant","content":"","refusal":"no"}}]}`)
}
