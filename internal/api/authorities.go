package api

import (
	"context"
	"encoding/base64"
	"net/http"
	"reflect"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

const authoritiesPath = "/api/authorities"

// authorityMessageBody is a message to or from an authority in an answer.
type authorityMessageBody struct {
	ID          string             `json:"id" format:"uuid" doc:"Id of the message"`
	Authority   string             `json:"authority" doc:"Authority" example:"gvms"`
	Mode        exchange.Mode      `json:"mode" enum:"simulator,hmrc-sandbox,live" doc:"System of the authority"`
	Direction   exchange.Direction `json:"direction" enum:"out,in" doc:"out: to the authority; in: from it"`
	RecordID    *string            `json:"recordId" format:"uuid" doc:"Record that it is about; null if no record is known"`
	Identifier  string             `json:"identifier" doc:"EORI or excise number that it belongs to" example:"GB123456789000"`
	Kind        string             `json:"kind" doc:"Its type" example:"OPEN"`
	State       string             `json:"state" enum:"pending,unknown,sent,refused,received" doc:"Of a message to the authority: pending until the first answer, unknown while the authority may have it"`
	Problem     *string            `json:"problem" doc:"Why it was not accepted"`
	ExternalID  *string            `json:"externalId" doc:"The authority’s own id of it"`
	Correlation *string            `json:"correlationId" doc:"Id that request and answers share"`
	SentAt      string             `json:"sentAt" format:"date-time" doc:"When it was sent"`
	StoredAt    string             `json:"storedAt" format:"date-time" doc:"When it was stored"`
	MediaType   string             `json:"mediaType" doc:"Of content" example:"application/json"`
	Encoding    string             `json:"encoding" enum:"text,base64" doc:"Of content"`
	Content     string             `json:"content" doc:"The exact bytes; empty for a request without a body"`
}

func authorityMessageOf(m *exchange.Message) authorityMessageBody {
	b := authorityMessageBody{
		ID: m.ID, Authority: m.Authority, Mode: m.Mode, Direction: m.Direction, RecordID: orNull(m.FilingID), Identifier: m.Identifier, Kind: m.Kind,
		State: string(m.State), Problem: orNull(m.Problem.Message), ExternalID: orNull(m.ExternalID), Correlation: orNull(m.Correlation),
		SentAt: audit.Instant(m.At), StoredAt: audit.Instant(m.CreatedAt), MediaType: m.MediaType, Encoding: "text", Content: string(m.Raw),
	}
	if m.Direction == exchange.In {
		b.State = "received"
	}
	if !utf8.Valid(m.Raw) {
		b.Encoding, b.Content = "base64", base64.StdEncoding.EncodeToString(m.Raw)
	}
	return b
}

// authorityBody is the connection of the organisation with an authority in an answer.
type authorityBody struct {
	ID         string              `json:"id" doc:"Id of the authority" example:"gvms"`
	Name       string              `json:"name" doc:"Its system" example:"Goods Vehicle Movement Service"`
	Mode       exchange.Mode       `json:"mode" enum:"off,simulator,hmrc-sandbox,live" doc:"Connection of the organisation. off: references are made by this service"`
	Waiting    int                 `json:"waiting" doc:"Messages whose outcome is not known, at most 1,000"`
	Consent    *CustomsConsentBody `json:"consent,omitempty" doc:"The organisation’s consent at HMRC; absent if none is needed, or if consents are by another identifier than the EORI"`
	Consents   []identifiedConsent `json:"consents,omitempty" doc:"The consents at an authority with one for each excise number (ERN); absent if none is needed"`
	Identifier []identityBody      `json:"identifiers" doc:"EORI and excise numbers that the authority is or was asked about"`
}

// identifiedConsent is a consent for one of the organisation's identifiers.
type identifiedConsent struct {
	Identifier *string `json:"identifier" doc:"Excise number (ERN) that it is for; null for the EORI" example:"GBWK002281023"`
	CustomsConsentBody
}

// identityBody says how far the messages of an identifier are fetched.
type identityBody struct {
	Identifier string  `json:"identifier" doc:"EORI or excise number" example:"GB123456789000"`
	FetchedAt  *string `json:"fetchedAt" format:"date-time" doc:"When its messages were last fetched"`
	NextAt     *string `json:"nextAt" format:"date-time" doc:"When they are fetched next; null if nothing is outstanding"`
	Problem    *string `json:"problem" doc:"Why the last call failed"`
}

// ClaimInput is the record that a message is about.
type ClaimInput struct {
	RecordID string `json:"recordId" format:"uuid" doc:"Record that the message is about"`
}

// ConsentInput names the identifier of a consent that a person is to give.
type ConsentInput struct {
	Identifier string `json:"identifier,omitempty" maxLength:"20" doc:"Excise number (ERN) that the consent is for, at an authority with consents by excise number; otherwise the EORI, or absent" example:"GBWK002281023"`
}

type (
	beginConsentInput struct {
		ByID
		RawBody []byte `contentType:"application/json" required:"false"`
	}
	endConsentInput struct {
		ByID
		Identifier string `query:"identifier" maxLength:"20" doc:"Excise number (ERN) of the consent, at an authority with consents by excise number" example:"GBWK002281023"`
	}
)

func (s *Server) mountAuthorities() {
	one := objectSchema("message", s.schemaOf(reflect.TypeFor[authorityMessageBody]()))
	handle(s, operation{
		id: "list-authorities", summary: "List connections to authorities", tag: "Hubs", scope: wholeOrganisation, method: http.MethodGet, path: authoritiesPath,
		status: http.StatusOK, description: "How the organisation is connected to authorities besides customs and VAT, and what waits",
		response: objectSchema("authorities", &huma.Schema{Type: huma.TypeArray, Items: s.schemaOf(reflect.TypeFor[authorityBody]())}),
	}, s.listAuthorities)
	handle(s, operation{
		id: "list-unclaimed-messages", summary: "List messages about no known record", tag: "Hubs", scope: wholeOrganisation, method: http.MethodGet, path: authoritiesPath + "/messages",
		status: http.StatusOK, description: "The latest 100 messages of authorities about no known record, newest first",
		response: objectSchema("messages", &huma.Schema{Type: huma.TypeArray, Items: s.schemaOf(reflect.TypeFor[authorityMessageBody]())}),
	}, s.listUnclaimed)
	handle(s, operation{
		id: "claim-message", summary: "Claim a message for a record", tag: "Hubs", scope: wholeOrganisation, method: http.MethodPost, path: authoritiesPath + "/messages/{id}/claim",
		status: http.StatusOK, description: "The message, which is applied to the record", response: one, body: reflect.TypeFor[ClaimInput](), errors: []int{404}, idempotent: true,
		route: route{role: tenant.Member},
	}, s.claimMessage)
}

// mountAuthorityConsents adds the operations of consents at authorities besides customs and VAT.
func (s *Server) mountAuthorityConsents() {
	const path = authoritiesPath + "/{id}/consent"
	owner := func(action string) route {
		return route{role: tenant.Owner, refusedAction: auditedAction{hub: foundational, resource: customs.ConsentKind, action: action}}
	}
	handle(s, operation{
		id: "begin-authority-consent", summary: "Start connecting to an authority", tag: "Hubs", scope: wholeOrganisation, method: http.MethodPost, path: path,
		status: http.StatusOK, description: "The address at which a person gives consent, as for customs. EMCS has a consent for each excise number, which the body names", response: s.schemaOf(reflect.TypeFor[authorizeBody]()),
		body: reflect.TypeFor[ConsentInput](), bodyOptional: true, errors: []int{404}, idempotent: true, route: owner("begin"),
	}, s.beginAuthorityConsent)
	handle(s, operation{
		id: "delete-authority-consent", summary: "Remove the consent at an authority", tag: "Hubs", scope: wholeOrganisation, method: http.MethodDelete, path: path,
		status: http.StatusOK, description: "The consent. Its tokens are deleted at once, those of an excise number when HMRC has ended its notifications", response: objectSchema("consent", s.schemaOf(reflect.TypeFor[identifiedConsent]())),
		errors: []int{404}, route: owner("remove"),
	}, s.deleteAuthorityConsent)
}

func (s *Server) beginAuthorityConsent(ctx context.Context, in *beginConsentInput) (response, error) {
	body, err := decode[ConsentInput](s, &in.caller, in.RawBody)
	if err != nil {
		return response{}, err
	}
	return s.updateOnceSecret(ctx, &in.caller, in.RawBody, func(tx Tx) (response, error) {
		consents, err := s.Authorities.ConsentsOf(in.ID)
		if err != nil {
			return response{}, err
		}
		address, expires, err := consents.For(body.Identifier).Begin(tx, in.call, "")
		if err != nil {
			return response{}, err
		}
		return jsonResponse(http.StatusOK, authorizeBody{address, audit.Instant(expires)})
	})
}

func (s *Server) deleteAuthorityConsent(ctx context.Context, in *endConsentInput) (out response, err error) {
	consents, err := s.Authorities.ConsentsOf(in.ID)
	if err != nil {
		return response{}, err
	}
	consents = consents.For(in.Identifier)
	return out, s.Store.Update(ctx, in.call.Org, func(tx Tx) error {
		if err := consents.Remove(tx, in.call); err != nil {
			return err
		}
		v, err := consents.Current(tx)
		if err == nil {
			out, err = objectResponse("consent", identifiedConsent{orNull(v.Record.Identifier), customsConsentOf(v)})
		}
		return err
	})
}

// mountMessages adds GET …/{id}/messages of a kind with an authority.
func (s *Server) mountMessages(k kind) {
	if s.authorityOf(k) == nil {
		return
	}
	handle(s, operation{
		id: "list-" + k.id("messages-of", false), summary: "List messages to and from the authority", tag: k.Tag, scope: k.Hub, method: http.MethodGet, path: k.Path + "/{id}/messages",
		status: http.StatusOK, description: "A page of the messages about the " + k.Singular + ", with their exact bytes, oldest first",
		response: listSchema("messages", s.schemaOf(reflect.TypeFor[authorityMessageBody]())), errors: []int{404},
	}, func(ctx context.Context, in *messagesInput) (response, error) { return s.listMessages(ctx, k, in) })
}

type messagesInput struct {
	ByID
	Page
}

func (in *messagesInput) listID() listID {
	return listID{in.call.Org, "messages\n" + in.ID}
}

// Resolve checks what the schemas of the parameters cannot.
func (in *messagesInput) Resolve(ctx huma.Context) []error {
	return append(in.caller.Resolve(ctx), in.listID().checkCursor(in.Cursor)...)
}

func (s *Server) listMessages(ctx context.Context, k kind, in *messagesInput) (response, error) {
	id, err := checkID(in.ID)
	if err != nil {
		return response{}, err
	}
	cursors := in.listID()
	after, err := cursors.decodePosition(in.Cursor)
	if err != nil {
		return response{}, err
	}
	var page []exchange.Message
	err = s.Store.View(ctx, in.call.Org, func(tx Tx) error {
		if found, err := tx.HasFiling(k.Kind, id); err != nil || !found {
			return orMissing(err)
		}
		page, err = tx.AuthorityMessagesAfter(id, after, in.size()+1)
		return err
	})
	if err != nil {
		return response{}, err
	}
	page, next := splitPage(page, in.size(), func(last exchange.Message) string { return cursors.cursorAfter(last.Position()) })
	return jsonResponse(http.StatusOK, struct {
		Messages   []authorityMessageBody `json:"messages"`
		HasMore    bool                   `json:"hasMore"`
		NextCursor *string                `json:"nextCursor"`
	}{messageBodies(page), next != nil, next})
}

func messageBodies(all []exchange.Message) []authorityMessageBody {
	bodies := []authorityMessageBody{}
	for i := range all {
		bodies = append(bodies, authorityMessageOf(&all[i]))
	}
	return bodies
}

func (s *Server) listUnclaimed(ctx context.Context, in *struct{ caller }) (response, error) {
	var all []exchange.Message
	err := s.Store.View(ctx, in.call.Org, func(tx Tx) (err error) {
		all, err = tx.UnclaimedAuthorityMessages(exchange.MaxUnclaimed)
		return err
	})
	if err != nil {
		return response{}, err
	}
	return objectResponse("messages", messageBodies(all))
}

func (s *Server) claimMessage(ctx context.Context, in *patchInput) (response, error) {
	body, err := decode[ClaimInput](s, &in.caller, in.RawBody)
	if err != nil {
		return response{}, err
	}
	id, err := checkID(in.ID)
	if err != nil {
		return response{}, err
	}
	record, ok := canonicalUUID(body.RecordID)
	if !ok {
		return response{}, apierr.Missing()
	}
	return s.updateOnce(ctx, &in.caller, in.RawBody, func(tx Tx) (response, error) {
		m, err := s.Authorities.Claim(tx, in.call, id, record)
		if err != nil {
			return response{}, err
		}
		return objectResponse("message", authorityMessageOf(&m))
	})
}

func (s *Server) listAuthorities(ctx context.Context, in *struct{ caller }) (response, error) {
	all := []authorityBody{}
	err := s.Store.View(ctx, in.call.Org, func(tx Tx) error {
		connections, err := s.Authorities.Connections(tx)
		for _, c := range connections {
			b := authorityBody{ID: c.Authority.ID, Name: c.Authority.Title, Mode: c.Mode, Waiting: c.Waiting, Identifier: []identityBody{}}
			if c.Consent != nil {
				b.Consent = ptr(customsConsentOf(*c.Consent))
			}
			for _, one := range c.Consents {
				b.Consents = append(b.Consents, identifiedConsent{ptr(one.Identifier), customsConsentOf(one.View)})
			}
			for _, p := range c.Polls {
				b.Identifier = append(b.Identifier, identityBody{p.Identifier, instantOrNull(p.At), instantOrNull(p.Next), orNull(p.Problem)})
			}
			all = append(all, b)
		}
		return err
	})
	if err != nil {
		return response{}, err
	}
	return objectResponse("authorities", all)
}
