// Package standin is an HMRC for tests and for trying things out on one machine. It
// speaks the published VAT (MTD) API 1.0 as far as package mtd uses it: consent and
// tokens, obligations, sending a return and looking at it; with HMRC's own refusals,
// and with bad manners on demand. It meets the client on the wire alone and shares no
// code with it.
package standin

import (
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Options say what HMRC this is.
type Options struct {
	ClientID, ClientSecret string
	RedirectURL            string // the only one that consent leads back to
	Obligations            map[string][]Obligation
	Now                    func() time.Time
}

// Obligation is a period of a trader, whose returns are kept by its key. The days are
// such as 2026-10-01.
type Obligation struct{ PeriodKey, Start, End, Due string }

// Fault is a way in which a call goes wrong.
type Fault string

// The faults there are. Those that take the return do so before they go wrong.
const (
	Throttled   Fault = "429"                     // too many calls; not taken
	Broken      Fault = "500"                     // not taken, but who knows
	Maintenance Fault = "503"                     // closed; not taken
	Dropped     Fault = "dropped"                 // the connection ends without an answer; not taken
	LostAnswer  Fault = "taken, then dropped"     // the same, and taken
	LostGateway Fault = "taken, then 504"         // a gateway lost patience
	HalfAnswer  Fault = "taken, then half a body" // the answer breaks off
	Late        Fault = "taken, not yet shown"    // looking for the return says 404, once
)

// HMRC is the stand-in. It is safe for concurrent use.
type HMRC struct {
	options Options
	mux     *http.ServeMux

	mu      sync.Mutex
	issued  int               // tokens and codes so far
	codes   map[string]string // not yet used, with their PKCE challenge or nothing
	access  map[string]time.Time
	refresh map[string]bool   // not yet used
	returns map[string][]byte // as sent, by trader and key
	hidden  map[string]bool   // taken, and not shown when next looked for
	faults  []Fault           // of the next calls of the API
	calls   map[string]int    // of the API, by method and last fixed part of the path
	header  http.Header       // of the last call of the API
}

// New makes an HMRC.
func New(o Options) *HMRC {
	h := &HMRC{
		options: o, mux: http.NewServeMux(),
		codes: map[string]string{}, access: map[string]time.Time{}, refresh: map[string]bool{},
		returns: map[string][]byte{}, hidden: map[string]bool{}, calls: map[string]int{},
	}
	h.mux.HandleFunc("GET /oauth/authorize", h.authorise)
	h.mux.HandleFunc("POST /oauth/token", h.token)
	h.mux.HandleFunc("GET /organisations/vat/{vrn}/obligations", h.guarded("obligations", h.obligations))
	h.mux.HandleFunc("GET /organisations/vat/{vrn}/returns/{periodKey}", h.guarded("view", h.view))
	h.mux.HandleFunc("POST /organisations/vat/{vrn}/returns", h.guarded("submit", h.submit))
	h.mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, http.StatusNotFound, "MATCHING_RESOURCE_NOT_FOUND", "A resource with the name in the request can not be found in the API")
	})
	return h
}

// ServeHTTP answers as HMRC does.
func (h *HMRC) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.mux.ServeHTTP(w, r) }

// InjectFault makes the next calls of the API go wrong, one after the other.
func (h *HMRC) InjectFault(faults ...Fault) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.faults = append(h.faults, faults...)
}

// Withdraw makes every access token worthless, as if it had run out.
func (h *HMRC) Withdraw() {
	h.mu.Lock()
	defer h.mu.Unlock()
	clear(h.access)
}

// Revoke ends every consent: refresh tokens are worthless too.
func (h *HMRC) Revoke() {
	h.Withdraw()
	h.mu.Lock()
	defer h.mu.Unlock()
	clear(h.refresh)
}

// Calls is how often an operation was called: obligations, view, submit or token.
func (h *HMRC) Calls(operation string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.calls[operation]
}

// Returns is how many returns HMRC has.
func (h *HMRC) Returns() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.returns)
}

// Header is that of the last call of the API.
func (h *HMRC) Header() http.Header {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.header.Clone()
}

// next is the fault of the call that has just come in, or none.
func (h *HMRC) next() (fault Fault) {
	if len(h.faults) > 0 {
		fault, h.faults = h.faults[0], h.faults[1:]
	}
	return fault
}

func (h *HMRC) serial(what string) string {
	h.issued++
	return what + "-" + strconv.Itoa(h.issued)
}
