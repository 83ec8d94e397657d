package emcssim

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
)

// shownMovement is a movement as HMRC lists it.
type shownMovement struct {
	ID        string `json:"movementId"`
	LRN       string `json:"localReferenceNumber"`
	ARC       string `json:"administrativeReferenceCode,omitempty"`
	Consignor string `json:"consignorId"`
	Consignee string `json:"consigneeId,omitempty"`
	Updated   string `json:"lastUpdated,omitempty"`
}

// shownMessage is a message of a movement as HMRC lists it.
type shownMessage struct {
	Encoded   string    `json:"encodedMessage"`
	Kind      emcs.Kind `json:"messageType"`
	ID        string    `json:"messageId"`
	Recipient string    `json:"recipient"`
	Created   string    `json:"createdOn"`
}

// list answers with movements, as far as the query restricts them.
func (s *Server) list(r *http.Request) answer {
	query := r.URL.Query()
	since, valid := updatedSince(query)
	if !valid {
		return s.badTime(r)
	}
	all := []shownMovement{}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.of(simulator.RequestOf(r.Header).Organisation).movements {
		if !m.updatedAt().Before(since) && m.matches(query) {
			all = append(all, m.shown())
		}
	}
	return jsonAnswer(http.StatusOK, all)
}

func (s *Server) badTime(r *http.Request) answer {
	return s.problem(r, http.StatusBadRequest, "Invalid date format provided in the updatedSince query parameter", "Date format should be like '2020-11-15T17:02:34.00Z'")
}

// updatedSince reads the time of a query; the zero time if it has none.
func updatedSince(query url.Values) (since time.Time, valid bool) {
	text := query.Get("updatedSince")
	if text == "" {
		return time.Time{}, true
	}
	since, err := time.Parse(time.RFC3339Nano, text)
	return since, err == nil
}

// matches reports whether a movement is one that a query asks for.
func (m *movement) matches(query url.Values) bool {
	ern, arc, lrn := query.Get("ern"), query.Get("arc"), query.Get("lrn")
	return (ern == "" || m.consignor == ern || m.consignee == ern || m.informed(ern)) && (arc == "" || m.arc == arc) && (lrn == "" || m.lrn == lrn)
}

// informed reports whether a trader has got a message about the movement, such as a consignee before a change of destination.
func (m *movement) informed(ern string) bool {
	return slices.ContainsFunc(m.deliveries, func(d Delivery) bool { return d.Recipient == ern })
}

// updatedAt is the time of the latest message, or of the draft.
func (m *movement) updatedAt() time.Time {
	at := m.at
	for _, d := range m.deliveries {
		if d.At.After(at) {
			at = d.At
		}
	}
	return at
}

func (m *movement) shown() shownMovement {
	return shownMovement{ID: m.id, LRN: m.lrn, ARC: m.arc, Consignor: m.consignor, Consignee: m.consignee, Updated: instant(m.updatedAt())}
}

// show answers with a movement, its messages, or one of them.
func (s *Server) show(r *http.Request, steps []string) answer {
	since, valid := updatedSince(r.URL.Query())
	if !valid {
		return s.badTime(r)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	sim := s.of(simulator.RequestOf(r.Header).Organisation)
	m := sim.find(func(m *movement) bool { return m.id == steps[1] })
	switch {
	case m == nil:
		return s.problem(r, http.StatusNotFound, "Movement not found", "Movement "+steps[1]+" could not be found")
	case len(steps) == 2:
		return jsonAnswer(http.StatusOK, m.shown())
	case len(steps) == 4:
		return s.single(r, m, steps[3])
	}
	all := []shownMessage{}
	for _, d := range m.deliveries {
		if !d.At.Before(since) {
			all = append(all, d.shown())
		}
	}
	return jsonAnswer(http.StatusOK, all)
}

func (d Delivery) shown() shownMessage {
	return shownMessage{
		Encoded: base64.StdEncoding.EncodeToString(d.document()), Kind: d.Message.Kind, ID: d.Message.Header.Identifier, Recipient: d.Recipient, Created: instant(d.At),
	}
}

// document is the XML of a message. The simulator makes no message that cannot be written.
func (d Delivery) document() []byte {
	text, _ := emcs.Encode(d.Message)
	return text
}

// single answers with the XML of one message.
func (s *Server) single(r *http.Request, m *movement, id string) answer {
	for _, d := range m.deliveries {
		if d.Message.Header.Identifier == id {
			return answer{status: http.StatusOK, media: mediaXML, body: d.document()}
		}
	}
	return s.problem(r, http.StatusNotFound, "No message found for the MovementID provided", "MessageId "+id+" was not found in the database")
}
