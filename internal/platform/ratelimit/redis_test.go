package ratelimit_test

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gomodule/redigo/redis"

	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
	"github.com/tidewaiter/tidewaiter/test/port"
	own "github.com/tidewaiter/tidewaiter/test/redis"
)

// open connects to a server, and waits long for it on a busy machine unless the address says otherwise.
func open(t *testing.T, address string, now func() time.Time) *ratelimit.Redis {
	t.Helper()
	at, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	query := at.Query()
	for _, name := range []string{"dial_timeout", "read_timeout", "write_timeout"} {
		if !query.Has(name) {
			query.Set(name, "30s")
		}
	}
	at.RawQuery = query.Encode()
	l, err := ratelimit.OpenRedis(at.String(), now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// command sends one command on a new connection.
func command(t *testing.T, s *own.Server, name string, args ...any) any {
	t.Helper()
	c, err := redis.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", s.Port))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	reply, err := c.Do(name, args...)
	if err != nil {
		t.Fatal(err)
	}
	return reply
}

// Valid addresses are accepted. The error for an invalid one does not contain it.
func TestRedisAddress(t *testing.T) {
	for _, right := range []string{
		"redis://", "redis://h", "redis://h:1/2", "redis://:secret@h/0", "redis://u:secret@[::1]:6379/15?dial_timeout=2&read_timeout=300ms&write_timeout=1s",
		"redis://h?db=3&client_name=a&pool_size=5&read_timeout=0", "rediss://h:6379/1?skip_verify=true", "unix:///run/redis.sock?db=1", "redis://h?max_retries=3&idle_timeout=1m&protocol=2",
	} {
		if err := ratelimit.CheckRedisAddress(right); err != nil {
			t.Errorf("%s: %v", right, err)
		}
	}
	for _, wrong := range []string{
		"", "h:6379", "http://u:secret@h", "redis://u:secret@h:port", "redis://u:secret@h/one", "redis://u:secret@h/1/2", "redis://u:secret@h/-1", "redis://u:secret@h?db=x",
		"redis://u:secret@h?read_timeout=soon", "redis://u:secret@h?unknown=1", "redis://u:secret@h?skip_verify=true", "rediss://u:secret@h?skip_verify=perhaps", "unix://u:secret@", "redis://u:sec%ret@h",
	} {
		if err := ratelimit.CheckRedisAddress(wrong); err == nil || strings.Contains(err.Error(), "sec") {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}

// User, password, database and name of the address are used; a wrong password is an error.
func TestRedisSignsIn(t *testing.T) {
	s := own.For(t, port.For(t), "--user", "limits", "on", ">secret", "~tidewaiter:*", "+@all", "--user", "open", "on", "nopass", "~tidewaiter:*", "+@all")
	at := func(user, rest string) *ratelimit.Redis {
		return open(t, fmt.Sprintf("redis://%s127.0.0.1:%d/%s", user, s.Port, rest), time.Now)
	}
	in2 := at("limits:secret@", "2?client_name=tide")
	spend(t, in2, "a")
	spend(t, at("open@", "3"), "a")
	if clients := fmt.Sprintf("%s", command(t, s, "CLIENT", "LIST")); !strings.Contains(clients, "name=tide ") || !strings.Contains(clients, "user=limits ") || !strings.Contains(clients, "user=open ") {
		t.Errorf("the clients are\n%s", clients)
	}
	if state, err := at("", "2").Look(t.Context(), three, "a"); err != nil || state.Remaining != 0 {
		t.Errorf("in the same database: %+v, %v", state, err)
	}
	if state, err := at("", "").Look(t.Context(), three, "a"); err != nil || state.Remaining != 3 {
		t.Errorf("in another database: %+v, %v", state, err)
	}
	if _, err := at("limits:guess@", "2").Take(t.Context(), three, "a"); err == nil || !strings.Contains(err.Error(), "WRONGPASS") || strings.Contains(err.Error(), "guess") {
		t.Errorf("a wrong password: %v", err)
	}
	protected := own.For(t, port.For(t), "--requirepass", "secret")
	spend(t, open(t, fmt.Sprintf("redis://:secret@127.0.0.1:%d", protected.Port), time.Now), "a")
	if err := open(t, protected.Address(), time.Now).Ping(t.Context()); err == nil || !strings.Contains(err.Error(), "NOAUTH") {
		t.Errorf("without the password: %v", err)
	}
}

// rediss:// speaks TLS and checks the certificate, unless the address says not to.
func TestRedisOverTLS(t *testing.T) {
	certificate, key := certificate(t)
	at := port.For(t)
	s := own.For(t, at, "--port", "0", "--tls-port", fmt.Sprint(at), "--tls-cert-file", certificate, "--tls-key-file", key, "--tls-auth-clients", "no")
	address := func(scheme, rest string) string { return fmt.Sprintf("%s://127.0.0.1:%d/1%s", scheme, s.Port, rest) }
	spend(t, open(t, address("rediss", "?skip_verify=true"), time.Now), "a")
	if err := open(t, address("rediss", ""), time.Now).Ping(t.Context()); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("a certificate of an unknown authority: %v", err)
	}
	if err := open(t, address("redis", ""), time.Now).Ping(t.Context()); err == nil {
		t.Error("a server that speaks only TLS answers without it")
	}
}

// certificate writes a self-signed certificate and its key.
func certificate(t *testing.T) (certificate, key string) {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{SerialNumber: big.NewInt(1), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, NotAfter: time.Now().Add(24 * time.Hour)}
	signed, err := x509.CreateCertificate(rand.Reader, about, about, public, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, kind string, content []byte) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content}), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	return write("certificate.pem", "CERTIFICATE", signed), write("key.pem", "PRIVATE KEY", secret)
}

// A server that drops all connections and scripts causes no error.
func TestRedisDropsConnections(t *testing.T) {
	s := own.For(t, port.For(t))
	l := open(t, s.Address()+"?read_timeout=10s&dial_timeout=10s", time.Now)
	for n := range 3 {
		for connected := 1; connected < 4; connected = strings.Count(fmt.Sprintf("%s", command(t, s, "CLIENT", "LIST")), "id=") - 1 {
			var all sync.WaitGroup
			for range 8 {
				all.Go(func() { _ = l.Ping(t.Context()) })
			}
			all.Wait()
		}
		command(t, s, "CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
		command(t, s, "SCRIPT", "FLUSH")
		if state, err := l.Take(t.Context(), three, "a"); err != nil || state.Remaining != 2-n {
			t.Errorf("request %d: %+v, %v", n+1, state, err)
		}
	}
}

// A server that hangs causes an error at the timeout of the address.
func TestRedisHangs(t *testing.T) {
	s := own.For(t, port.For(t))
	l := open(t, s.Address()+"?read_timeout=100ms&dial_timeout=10s", time.Now)
	if err := l.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Take(t.Context(), three, "a"); err == nil {
		t.Error("an answer of a server that hangs")
	}
	if err := s.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(3 * time.Minute); l.Ping(t.Context()) != nil; {
		if time.Now().After(deadline) {
			t.Fatal("it is not used again when it answers")
		}
	}
}
