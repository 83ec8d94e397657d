package webhook

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// maxAccesses is how many endpoints with credentials keep their connections and access token.
const maxAccesses = 256

// access is how an endpoint with credentials is reached: a client that shows its certificate, and its access token.
type access struct {
	mtls, oauth Sealed // the credentials that it was opened with
	client      *http.Client
	tokens      *tokens   // nil without OAuth
	ends        time.Time // of the certificate; zero for none
	usedAt      time.Time
}

// accesses keeps the access of endpoints from one event to the next, whose sending may be hours apart. Its zero value is
// ready.
type accesses struct {
	mu   sync.Mutex
	byID map[string]*access
}

// access returns the access of an endpoint: the one it had before, unless its credentials have changed since.
func (s *Sender) access(sealer Sealer, org tenant.ID, e *Endpoint) (*access, error) {
	s.accesses.mu.Lock()
	defer s.accesses.mu.Unlock()
	known := s.accesses.byID[e.ID]
	if known == nil || known.mtls != e.MTLS || known.oauth != e.OAuth {
		opened, err := s.openAccess(sealer, org, e)
		if err != nil {
			return nil, err
		}
		s.accesses.keep(e.ID, opened)
		known = opened
	}
	known.usedAt = s.Now()
	return known, nil
}

// openAccess opens the credentials of an endpoint.
func (s *Sender) openAccess(sealer Sealer, org tenant.ID, e *Endpoint) (*access, error) {
	c, err := openCredentials(sealer, org, e)
	if err != nil {
		return nil, err
	}
	a := &access{mtls: e.MTLS, oauth: e.OAuth, client: s.Client}
	if c.MTLS != nil {
		pair, err := tls.X509KeyPair([]byte(c.MTLS.Certificate), []byte(c.MTLS.Key))
		if err != nil {
			return nil, fmt.Errorf("webhook: client certificate: %w", err)
		}
		a.client, a.ends = stayingClient(s.Certified(pair)), pair.Leaf.NotAfter
	}
	if c.OAuth != nil {
		a.tokens = &tokens{grant: *c.OAuth, client: a.client, now: s.Now}
	}
	return a, nil
}

// keep adds an access. The one that was not used for longest makes room for it.
func (k *accesses) keep(id string, a *access) {
	if k.byID == nil {
		k.byID = map[string]*access{}
	}
	k.drop(id)
	if len(k.byID) >= maxAccesses {
		oldest := ""
		for other, known := range k.byID {
			if oldest == "" || known.usedAt.Before(k.byID[oldest].usedAt) {
				oldest = other
			}
		}
		k.drop(oldest)
	}
	k.byID[id] = a
}

// drop removes an access and closes its idle connections, if they are its own.
func (k *accesses) drop(id string) {
	if known := k.byID[id]; known != nil && known.mtls != "" {
		known.client.CloseIdleConnections()
	}
	delete(k.byID, id)
}
