package app_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/mtd/mtdtest"
)

// customsGateway is a stand-in of HMRC's customs API: it gives consent, and answers declarations as it was told last.
type customsGateway struct {
	*mtdtest.HMRC
	answer atomic.Pointer[gatewayAnswer]
	sent   atomic.Int64
}

// gatewayAnswer is an answer to a declaration.
type gatewayAnswer struct {
	status int
	body   string
}

var (
	takes       = &gatewayAnswer{status: http.StatusAccepted}
	malformed   = &gatewayAnswer{http.StatusBadRequest, `<errorResponse><code>BAD_REQUEST</code><message>Payload is not valid according to schema</message></errorResponse>`}
	notValid    = &gatewayAnswer{http.StatusUnauthorized, `<errorResponse><code>INVALID_CREDENTIALS</code><message>Invalid Authentication information provided</message></errorResponse>`}
	notEnrolled = &gatewayAnswer{http.StatusUnauthorized, `<errorResponse><code>UNAUTHORIZED</code><message>EORI number not found in Customs Enrolment</message></errorResponse>`}
)

// ServeHTTP answers as HMRC does.
func (g *customsGateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost || r.URL.Path != "/customs/declarations/" {
		g.HMRC.ServeHTTP(w, r)
		return
	}
	a := g.answer.Load()
	if a.status == http.StatusAccepted {
		w.Header().Set("X-Conversation-ID", fmt.Sprintf("4b0f8f6e-3b1f-4a2e-9d4c-%012d", g.sent.Add(1)))
	}
	w.WriteHeader(a.status)
	_, _ = io.WriteString(w, a.body)
}

// recordEnds records how consents end, and what becomes of the declarations that wait for the next one.
func (r *recorder) recordEnds() {
	gateway := &customsGateway{HMRC: mtdtest.New(mtdtest.Options{
		ClientID: "app", ClientSecret: "secret", RedirectURL: recordedURL + customsCallback, Now: func() time.Time { return recordedAt },
	})}
	gateway.answer.Store(takes)
	customs := httptest.NewServer(gateway)
	r.t.Cleanup(customs.Close)
	r.run(r.connected(customs.URL), func(ctx context.Context) {
		owner := r.newOrganisation(ctx)
		connect := func() {
			owner.consent(r.text(r.want(r.call("POST", "/api/customs/consent", nil)), "authorizeUrl"), "/customs/consent/confirm")
		}
		r.silently(func() {
			connect()
			r.recordCorrection(r.declareCopy())

			gateway.answer.Store(notEnrolled)
			waiting := r.submitWaiting()
			gateway.answer.Store(takes)
			connect()
			r.until(waiting, "SUBMITTED")
			r.eventOf("declaration.sent")

			gateway.answer.Store(notValid)
			gateway.Revoke()
			r.submitWaiting()
			gateway.answer.Store(malformed)
			connect()
			r.eventOf("declaration.returned")

			for _, end := range []struct {
				event string
				days  time.Duration // since the consent, which lasts 18 months
			}{{"customs.consent.expiring", 500}, {"customs.consent.expired", 560}} {
				r.ahead.Store(int64(end.days * 24 * time.Hour))
				r.sweep()
				r.eventOf(end.event)
			}
		})
		r.keepOtherEvents()
	})
}

// declareCopy submits a declaration like that of the demo, and returns its conversation with customs.
func (r *recorder) declareCopy() string {
	return r.text(r.want(r.call("POST", "/api/cds/submit", object{"declarationId": r.makeCopy()})), "conversationId")
}

// submitWaiting submits a declaration whose consent turns out to have ended, so that it waits for the next one.
func (r *recorder) submitWaiting() string {
	id := r.makeCopy()
	r.call("POST", "/api/cds/submit", object{"declarationId": id})
	r.until(id, "WAITING_CONSENT")
	return id
}

// recordCorrection receives customs' message that it has corrected a declaration (DMSRES).
func (r *recorder) recordCorrection(conversation string) {
	message := `<MetaData xmlns="urn:wco:datamodel:WCO:DocumentMetaData-DMS:2"><Response xmlns="urn:wco:datamodel:WCO:RES-DMS:2"><FunctionCode>07</FunctionCode>` +
		`<FunctionalReferenceID>r1</FunctionalReferenceID><IssueDateTime><DateTimeString xmlns="urn:wco:datamodel:WCO:Response_DS:DMS:2" formatCode="304">` +
		recordedAt.Format("20060102150405") + `Z</DateTimeString></IssueDateTime><Declaration><ID>26GB4X1V6Q8R3T7K95</ID></Declaration></Response></MetaData>`
	r.want(r.as("", "POST", "/api/cds/webhook", message, "Authorization", "Basic secret", "X-Conversation-ID", conversation))
	r.eventOf("declaration.corrected")
}

// eventOf waits for an event of a type.
func (r *recorder) eventOf(name string) {
	r.eventually("/api/audit?limit=1&eventType="+name, func(a answered) bool { return part(a.body, "events", "0", "eventType") == name })
}

// sweep makes the transitions that are due.
func (r *recorder) sweep() {
	if _, err := r.app.Sweeper().Sweep(r.t.Context()); err != nil {
		r.t.Error(err)
	}
}
