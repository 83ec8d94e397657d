package cdssim

import (
	"errors"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
)

// Paths of CDS.
const (
	tokenPath  = "/oauth/token" // #nosec G101 -- a path
	submitPath = "/customs/declarations/"
	cancelPath = "/customs/declarations/cancellation-requests"
	keysPath   = "/jwks.json"
)

const (
	maxDocument        = 20 << 20
	conversationHeader = "X-Conversation-ID"
)

var (
	acceptable = regexp.MustCompile(`^application/vnd\.hmrc\.[123]\.0\+xml$`)
	xmlTypes   = []string{"application/xml", "application/xml;charset=utf-8", "application/xml; charset=utf-8"}
)

// ServeHTTP answers as CDS does. An unknown path or a wrong method is a 404.
func (s *Simulator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	fault, sabotaged := s.faults.Next(r.URL.Path)
	if sabotaged && fault.Apply(w, r, s.closed, maxDocument) {
		return
	}
	switch r.Method + " " + r.URL.Path {
	case "POST " + submitPath:
		s.serveDocument(w, r, fault, s.submit)
	case "POST " + cancelPath:
		s.serveDocument(w, r, fault, s.cancel)
	case "POST " + amendPath:
		s.serveDocument(w, r, fault, s.amend)
	case "POST " + presentPath:
		s.serveDocument(w, r, fault, s.present)
	case "POST " + movementPath:
		s.serveMovement(w, r, fault)
	case "POST " + formsPath:
		s.serveForms(w, r, fault)
	case "POST " + formPath:
		s.servePosted(w, r, fault)
	case "POST " + tokenPath:
		s.tokens.issue(w, r)
	case "GET " + keysPath:
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(s.jwks)
	default:
		notFound.write(w)
	}
}

// serveDocument makes the checks of CDS in their order and passes the document on.
func (s *Simulator) serveDocument(w http.ResponseWriter, r *http.Request, fault simulator.Fault, hand func(simulator.Request, []byte) (string, error)) {
	id, err := s.acceptDocument(w, r, hand)
	if err != nil {
		s.answerError(w, err)
		return
	}
	if fault.Kind == simulator.HangUpAfter {
		panic(http.ErrAbortHandler)
	}
	w.Header().Set(conversationHeader, id)
	w.Header().Set("X-Receipt-ID", id)
	w.WriteHeader(http.StatusAccepted)
}

func (s *Simulator) acceptDocument(w http.ResponseWriter, r *http.Request, hand func(simulator.Request, []byte) (string, error)) (string, error) {
	switch {
	case !acceptable.MatchString(r.Header.Get("Accept")):
		return "", notAcceptable
	case !slices.Contains(xmlTypes, strings.ToLower(r.Header.Get("Content-Type"))):
		return "", notXML
	case !s.tokens.isValid(r.Header):
		return "", unauthorised
	}
	document, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxDocument))
	if err != nil {
		return "", notWellFormed
	}
	return hand(simulator.RequestOf(r.Header), document)
}

// answerError answers with an error. It has a conversation ID too, without any messages.
func (s *Simulator) answerError(w http.ResponseWriter, err error) {
	var r *refusal
	if !errors.As(err, &r) {
		s.options.Log.Error("a document was not taken", "error", err)
		r = failed
	}
	s.mu.Lock()
	s.refused++
	number := s.refused
	s.mu.Unlock()
	w.Header().Set(conversationHeader, s.randomnessFor("refusal", number).conversationID())
	r.write(w)
}
