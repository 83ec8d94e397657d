package api

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/pushpull"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/membudget"
)

const notificationsPath = "/api/authorities/{id}/notifications"

var challengeParam = &huma.Param{
	Name: pushpull.ChallengeParameter, In: "query", Required: true, Description: "What the answer repeats", Schema: &huma.Schema{Type: huma.TypeString},
}

// mountPushes adds the address to which HMRC's Push Pull Notifications API pushes, and that proves to be the application's when it is registered.
func (s *Server) mountPushes() {
	authority := &huma.Param{Name: "id", In: "path", Required: true, Description: "Authority whose box it is", Schema: &huma.Schema{Type: huma.TypeString, Enum: s.notifying()}}
	s.mountPublic(http.MethodGet, s.answerChallenge, &huma.Operation{
		OperationID: "answer-notification-challenge", Summary: "Answer a challenge of HMRC",
		Description: "Called by HMRC only, when the address of a box is registered.", Security: []map[string][]string{},
		Parameters: []*huma.Param{authority, challengeParam},
		Responses: map[string]*huma.Response{"200": {
			Description: "The challenge", Headers: map[string]*huma.Param{requestIDHeader: headersOfAll[requestIDHeader]},
			Content: map[string]*huma.MediaType{jsonType: {Schema: &huma.Schema{Type: huma.TypeObject, Required: []string{"challenge"}, Properties: map[string]*huma.Schema{
				"challenge": {Type: huma.TypeString, Description: "The challenge"},
			}}}},
		}},
	}, "400")
	s.mountPublic(http.MethodPost, s.receivePush, &huma.Operation{
		OperationID: "receive-authority-notification", Summary: "Receive a notification of HMRC",
		Description: "Called by HMRC only, when there are messages of EMCS or news of a goods movement. The notification has no message itself: the messages are fetched, as they are without it. X-Hub-Signature is the HMAC-SHA1 of the body with the push secret, in hexadecimal digits.",
		Security:    []map[string][]string{{"notification": {}}},
		Parameters:  []*huma.Param{authority},
		RequestBody: &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{jsonType: {Schema: &huma.Schema{Type: huma.TypeObject}}}},
		Responses: map[string]*huma.Response{"200": {
			Description: "The messages are fetched now", Headers: map[string]*huma.Param{requestIDHeader: headersOfAll[requestIDHeader]},
			Content: map[string]*huma.MediaType{jsonType: {Schema: &huma.Schema{Type: huma.TypeObject, AdditionalProperties: false}}},
		}},
		Extensions: map[string]any{maxBodyExtension: pushpull.MaxNotification},
	}, "400", "401", "413", "500", "503")
}

// notifying returns the ids of the authorities that send notifications, in their order.
func (s *Server) notifying() (ids []any) {
	for _, a := range s.Authorities.Authorities {
		if a.Notice != nil {
			ids = append(ids, a.ID)
		}
	}
	return ids
}

// mountPublic adds an operation of an authority that needs no credentials of this service.
func (s *Server) mountPublic(method string, handler func(http.ResponseWriter, *http.Request), o *huma.Operation, errors ...string) {
	o.Method, o.Path, o.Tags = method, notificationsPath, []string{"Webhooks"}
	for _, status := range errors {
		o.Responses[status] = &huma.Response{Ref: "#/components/responses/" + map[string]string{
			"400": "BadRequest", "401": "Unauthorized", "413": "PayloadTooLarge", "500": "InternalError", "503": "Unavailable"}[status]}
	}
	s.routes[method+" "+notificationsPath] = route{name: o.OperationID, budget: unmetered, public: true}
	s.mux.HandleFunc(method+" "+notificationsPath, handler)
	s.api.OpenAPI().AddOperation(o)
}

func (s *Server) answerChallenge(w http.ResponseWriter, r *http.Request) {
	var details []apierr.Detail
	for _, name := range unknownParams(r.URL, []*huma.Param{challengeParam}) {
		details = append(details, apierr.Detail{Field: name, Message: "is not a known parameter"})
	}
	if !slices.Contains(s.notifying(), any(r.PathValue("id"))) {
		details = append(details, apierr.Detail{Field: "id", Message: "is no authority that sends notifications"})
	}
	body, ok := pushpull.AnswerTo(r.URL.Query().Get(pushpull.ChallengeParameter))
	if !ok || s.PushSecrets[r.PathValue("id")] == "" {
		details = append(details, apierr.Detail{Field: pushpull.ChallengeParameter, Message: "is no challenge of HMRC to this service"})
	}
	if len(details) > 0 {
		s.writeProblem(w, r, apierr.Invalid(details...))
		return
	}
	w.Header().Set("Content-Type", jsonType)
	_, _ = w.Write(body) // #nosec G705 -- JSON with letters, digits and dashes, and not HTML
}

func (s *Server) receivePush(w http.ResponseWriter, r *http.Request) {
	if err := s.receiveNotification(r.Context(), r); err != nil {
		s.writeProblem(w, r, err)
		return
	}
	w.Header().Set("Content-Type", jsonType)
	_, _ = io.WriteString(w, "{}")
}

// receiveNotification lets the messages be fetched that a notification is about. HMRC repeats it unless the answer is 200.
func (s *Server) receiveNotification(ctx context.Context, r *http.Request) error {
	secret, signature := s.PushSecrets[r.PathValue("id")], r.Header.Get(pushpull.SignatureHeader)
	if secret == "" || signature == "" {
		return notAuthentic(ctx, errors.New("no push secret, or no signature"))
	}
	claim := s.Bodies.Claim(membudget.Customs)
	defer claim.Release()
	body, err := readNotification(r, claim)
	if err != nil {
		return err
	}
	if !pushpull.Verify(secret, body, signature) {
		return notAuthentic(ctx, errors.New("another signature"))
	}
	n, err := pushpull.ReadNotification(body)
	if err != nil {
		return apierr.Invalid(apierr.Detail{Field: "body", Message: "is no notification of HMRC"}).WithCause(err)
	}
	count, err := s.Authorities.Notified(ctx, r.PathValue("id"), []byte(n.Message))
	if errors.Is(err, exchange.ErrNoNotices) {
		return notAuthentic(ctx, err)
	}
	if err == nil {
		s.Log.InfoContext(ctx, "an authority has sent a notification", "authority", r.PathValue("id"), "notification", n.ID, "identifiers", count)
	}
	return err
}

// readNotification reads a body of limited size into the memory that its caller holds.
func readNotification(r *http.Request, claim *membudget.Claim) ([]byte, error) {
	var body bytes.Buffer
	_, err := body.ReadFrom(claim.Body(http.MaxBytesReader(nil, r.Body, pushpull.MaxNotification)))
	var tooLarge *http.MaxBytesError
	switch {
	case err == nil:
		return body.Bytes(), nil
	case errors.As(err, &tooLarge):
		return nil, apierr.New(apierr.PayloadTooLarge, "A notification can have at most %d bytes.", pushpull.MaxNotification)
	case claim.Refused():
		return nil, overloaded()
	}
	return nil, apierr.Invalid(apierr.Detail{Field: "body", Message: "could not be read completely"}).WithCause(err)
}
