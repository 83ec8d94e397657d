package console_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access/oidc"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// nameServer is a DNS server on a real UDP socket that answers questions for TXT records.
type nameServer struct {
	conn    net.PacketConn
	mu      sync.Mutex
	records map[string]string // by name with a full stop at the end
	silent  bool              // answers nothing but failures
}

func newNameServer(t *testing.T) *nameServer {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &nameServer{conn: conn, records: map[string]string{}}
	t.Cleanup(func() { _ = conn.Close() })
	go func() {
		buffer := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(buffer)
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if reply := s.reply(buffer[:n]); err == nil && reply != nil {
				_, _ = conn.WriteTo(reply, from)
			}
		}
	}()
	return s
}

func (s *nameServer) resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", s.conn.LocalAddr().String())
	}}
}

func (s *nameServer) set(name, value string, silent bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.records, s.silent = map[string]string{name: value}, silent
}

// reply repeats the question and adds the record (RFC 1035, section 4).
func (s *nameServer) reply(query []byte) []byte {
	var labels []string
	end := 12 // of the header
	for end < len(query) && query[end] != 0 {
		length := int(query[end])
		if end+1+length > len(query) {
			return nil
		}
		labels = append(labels, string(query[end+1:end+1+length]))
		end += length + 1
	}
	end += 5 // the empty label, type and class
	if end > len(query) {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	value, found := s.records[strings.ToLower(strings.Join(labels, "."))+"."]
	reply := append([]byte{}, query[:end]...)
	reply[2], reply[3] = 0x84, 0x00 // an answer with authority
	for i := 6; i < 12; i++ {
		reply[i] = 0
	}
	switch {
	case s.silent:
		reply[3] = 2 // server failure
	case !found:
		reply[3] = 3 // no such name
	default:
		reply[7] = 1
		reply = append(reply, 0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 0, 0, byte(len(value)+1), byte(len(value)))
		reply = append(reply, value...)
	}
	return reply
}

// A domain is verified by its TXT record and looked up again after a week: one that lost the record
// is no longer verified, and a DNS server that does not answer changes nothing.
func TestDomainIsVerifiedByDNS(t *testing.T) {
	h := open(t, storetest.SQLite(t), func(c *config.Config) { c.AllowPrivateIdentity = true })
	owner, dns := h.owner("Quay Ltd", "olive@quay.example"), newNameServer(t)
	h.app.Identity.Resolver = dns.resolver()
	owner.post("/settings/sign-on/domains", "domain", "Quay.Example").expect(t, http.StatusSeeOther)
	owner.post("/settings/sign-on/domains", "domain", "no domain").expect(t, http.StatusBadRequest, "must be a mail domain")
	domain := func() (d oidc.Domain) {
		t.Helper()
		h.must(h.app.Identity.Store.ViewIdentity(t.Context(), owner.org, func(tx oidc.Tx) error {
			all, err := tx.Domains()
			d = all[0]
			return err
		}))
		return d
	}
	name, value := domain().Record()+".", domain().Value()
	owner.post("/settings/sign-on/domains/check", "domain", "quay.example").expect(t, http.StatusBadRequest, "The TXT record")
	dns.set(name, "tidewaiter-verification=another", false)
	owner.post("/settings/sign-on/domains/check", "domain", "quay.example").expect(t, http.StatusBadRequest)
	dns.set(name, value, false)
	owner.post("/settings/sign-on/domains/check", "domain", "quay.example").expect(t, http.StatusSeeOther)
	checked := domain().CheckedAt
	for _, week := range []struct {
		silent, verified bool
		value            string
	}{{false, true, value}, {true, true, value}, {false, false, "gone"}} {
		h.advance(7*24*time.Hour + time.Minute)
		dns.set(name, week.value, week.silent)
		h.must(h.app.Identity.RecheckDomains(t.Context()))
		if d := domain(); d.VerifiedAt.IsZero() == week.verified || (d.CheckedAt.Equal(checked) != week.silent) {
			t.Errorf("%+v: %+v", week, d)
		}
		checked = domain().CheckedAt
	}
}
