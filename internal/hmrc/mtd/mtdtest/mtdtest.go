// Package standin simulates HMRC's VAT (MTD) API 1.0 for tests and for trying the service on one machine: consent and
// tokens, obligations, sending and reading a return, with HMRC's own refusals and with faults on demand. It shares no
// code with the client.
package mtdtest

import (
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Options configure the simulator.
type Options struct {
	ClientID, ClientSecret string
	RedirectURL            string // the only one that consent leads back to
	Obligations            map[string][]Obligation
	Now                    func() time.Time
}

// Obligation is a period of a trader. Returns are stored by its key. Days have the format 2026-10-01.
type Obligation struct{ PeriodKey, Start, End, Due string }

// Fault is a kind of fault of a call.
type Fault string

// All faults. Those that accept the return store it first.
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

// HMRC is the simulator. It is safe for concurrent use.
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
	h.mux.HandleFunc("GET /organisations/vat/{vrn}/obligations", h.authorised("obligations", h.obligations))
	h.mux.HandleFunc("GET /organisations/vat/{vrn}/returns/{periodKey}", h.authorised("view", h.view))
	h.mux.HandleFunc("POST /organisations/vat/{vrn}/returns", h.authorised("submit", h.submit))
	h.mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, http.StatusNotFound, "MATCHING_RESOURCE_NOT_FOUND", "A resource with the name in the request can not be found in the API")
	})
	return h
}

// ServeHTTP answers as HMRC does.
func (h *HMRC) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.mux.ServeHTTP(w, r) }

// InjectFault makes the next calls of the API fail, one after the other.
func (h *HMRC) InjectFault(faults ...Fault) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.faults = append(h.faults, faults...)
}

// Withdraw invalidates every access token, as if it had expired.
func (h *HMRC) Withdraw() {
	h.mu.Lock()
	defer h.mu.Unlock()
	clear(h.access)
}

// Revoke ends every consent, with its refresh tokens.
func (h *HMRC) Revoke() {
	h.Withdraw()
	h.mu.Lock()
	defer h.mu.Unlock()
	clear(h.refresh)
}

// Calls returns the number of calls of an operation: obligations, view, submit or token.
func (h *HMRC) Calls(operation string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.calls[operation]
}

// Returns returns the number of stored returns.
func (h *HMRC) Returns() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.returns)
}

// Header returns the header of the last call of the API.
func (h *HMRC) Header() http.Header {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.header.Clone()
}

// next returns the fault of the current call, if any.
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
