package ssrf_test

import (
	"context"
	"encoding/binary"
	"io"
	"log"
	"net"
	"net/netip"
	"sync"
	"testing"
)

const (
	typeA    = 1
	typeAAAA = 28
)

// nameServer is a DNS server that answers every name as the test says.
type nameServer struct {
	conn   net.PacketConn
	answer func(lookup int) []string
	mu     sync.Mutex
	asked  map[uint16]int // lookups so far, by type of record
}

// dns starts a name server. Its answer function gets the number of the lookup, from 0.
func dns(t *testing.T, answer func(lookup int) []string) *nameServer {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &nameServer{conn: conn, answer: answer, asked: map[uint16]int{}}
	go s.serve()
	t.Cleanup(func() { _ = conn.Close() })
	return s
}

// resolver uses only this server.
func (s *nameServer) resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", s.conn.LocalAddr().String())
	}}
}

func (s *nameServer) serve() {
	buffer := make([]byte, 1500)
	for {
		n, from, err := s.conn.ReadFrom(buffer)
		if err != nil {
			return
		}
		if reply := s.reply(buffer[:n]); reply != nil {
			_, _ = s.conn.WriteTo(reply, from)
		}
	}
}

// reply copies the question and adds the addresses of its type (RFC 1035, section 4), with a TTL of zero.
func (s *nameServer) reply(query []byte) []byte {
	end := 12 // of the header
	for end < len(query) && query[end] != 0 {
		end += int(query[end]) + 1
	}
	end += 5 // the empty label, type and class
	if end > len(query) {
		return nil
	}
	asked := binary.BigEndian.Uint16(query[end-4:])
	s.mu.Lock()
	lookup := s.asked[asked]
	s.asked[asked]++
	s.mu.Unlock()
	reply := append([]byte{}, query[:end]...)
	copy(reply[2:], []byte{0x84, 0x00, 0, 1, 0, 0, 0, 0, 0, 0}) // an authoritative answer to one question
	for _, text := range s.answer(lookup) {
		address := netip.MustParseAddr(text)
		if address.Is4() != (asked == typeA) || asked != typeA && asked != typeAAAA {
			continue
		}
		reply[7]++
		reply = append(reply, 0xc0, 12, 0, byte(asked), 0, 1, 0, 0, 0, 0, 0, byte(address.BitLen()/8))
		reply = append(reply, address.AsSlice()...)
	}
	return reply
}

func quiet() *log.Logger { return log.New(io.Discard, "", 0) }
