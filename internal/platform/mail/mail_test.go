package mail_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"mime"
	"mime/quotedprintable"
	"net"
	netmail "net/mail"
	"net/textproto"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/mail"
)

// elsewhere is an address of this machine that the program treats as another host.
const elsewhere = "0.0.0.0"

// authority is the certificate authority that this process trusts instead of the system's.
var authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

// TestMain creates the certificate authority before the system's roots are first read.
func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "mail-test-")
	if err != nil {
		panic(err)
	}
	authority.key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	authority.cert = &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, authority.cert, authority.cert, &authority.key.PublicKey, authority.key)
	if err != nil {
		panic(err)
	}
	file := filepath.Join(folder, "roots.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		panic(err)
	}
	_ = os.Setenv("SSL_CERT_FILE", file)
	_ = os.Setenv("SSL_CERT_DIR", folder)
	code := m.Run()
	_ = os.RemoveAll(folder)
	os.Exit(code)
}

// certificate returns one for names and addresses, signed by the authority or self-signed.
func certificate(t *testing.T, signed bool, until time.Time, names ...string) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "mail server"}, NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: until,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	for _, name := range names {
		if ip := net.ParseIP(name); ip != nil {
			leaf.IPAddresses = append(leaf.IPAddresses, ip)
		} else {
			leaf.DNSNames = append(leaf.DNSNames, name)
		}
	}
	parent, signer := leaf, key
	if signed {
		parent, signer = authority.cert, authority.key
	}
	der, err := x509.CreateCertificate(rand.Reader, leaf, parent, &key.PublicKey, signer)
	must(t, err)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

func good(t *testing.T) tls.Certificate {
	return certificate(t, true, time.Now().Add(time.Hour), elsewhere, "127.0.0.1")
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// office is an SMTP server on a real socket, and what it received.
type office struct {
	listener net.Listener
	tls      *tls.Config // nil: no TLS
	implicit bool        // TLS from the first byte on
	refuses  string      // command that is answered 454
	silent   string      // command that is not answered any more; CONNECT is the connection itself
	drips    bool        // its greeting comes byte by byte and does not end
	over     chan struct{}

	mu    sync.Mutex
	lines []line
	mails []string
}

// line is a line from a client, and whether it was encrypted.
type line struct {
	text   string
	secure bool
}

const user, password = "robot@example.com", "correct horse staple"

func (o *office) open(t *testing.T) *office {
	t.Helper()
	var err error
	o.over = make(chan struct{})
	o.listener, err = net.Listen("tcp4", "0.0.0.0:0")
	must(t, err)
	t.Cleanup(func() { close(o.over); _ = o.listener.Close() })
	go func() {
		for {
			conn, err := o.listener.Accept()
			if err != nil {
				return
			}
			go o.serve(conn)
		}
	}()
	return o
}

// at returns the server's address for a setting, with a scheme and a host.
func (o *office) at(scheme, host string, credentials bool) string {
	_, port, _ := net.SplitHostPort(o.listener.Addr().String())
	who := ""
	if credentials {
		who = strings.ReplaceAll(strings.ReplaceAll(user+":"+password, "@", "%40"), " ", "%20") + "@"
	}
	return scheme + "://" + who + net.JoinHostPort(host, port)
}

func (o *office) serve(conn net.Conn) {
	defer conn.Close()
	if o.silent == "CONNECT" {
		<-o.over
		return
	}
	for o.drips {
		if _, err := io.WriteString(conn, "2"); err != nil {
			return
		}
		time.Sleep(time.Millisecond)
	}
	if o.implicit {
		conn = tls.Server(conn, o.tls)
	}
	o.talk(conn, o.implicit)
}

// talk speaks SMTP until the client disconnects or starts TLS.
func (o *office) talk(conn net.Conn, secure bool) {
	c := textproto.NewConn(conn)
	if !secure || o.implicit {
		_ = c.PrintfLine("220 office ready")
	}
	for {
		text, err := c.ReadLine()
		if err != nil {
			return
		}
		o.note(line{text, secure})
		verb, _, _ := strings.Cut(text, " ")
		switch verb = strings.ToUpper(verb); {
		case verb == o.silent:
			<-o.over
			return
		case verb == o.refuses:
			_ = c.PrintfLine("454 not now")
		case verb == "EHLO":
			offers := []string{"office"}
			if o.tls != nil && !secure {
				offers = append(offers, "STARTTLS")
			}
			offers = append(offers, "AUTH PLAIN") // also without TLS, like a misconfigured server
			for _, offer := range offers[:len(offers)-1] {
				_ = c.PrintfLine("250-%s", offer)
			}
			_ = c.PrintfLine("250 %s", offers[len(offers)-1])
		case verb == "STARTTLS":
			_ = c.PrintfLine("220 go ahead")
			encrypted := tls.Server(conn, o.tls)
			if encrypted.Handshake() == nil {
				o.talk(encrypted, true)
			}
			return
		case verb == "AUTH":
			if text != "AUTH PLAIN "+base64.StdEncoding.EncodeToString([]byte("\x00"+user+"\x00"+password)) {
				_ = c.PrintfLine("535 wrong password")
				continue
			}
			_ = c.PrintfLine("235 welcome")
		case verb == "DATA":
			_ = c.PrintfLine("354 go on")
			raw, err := io.ReadAll(c.DotReader())
			if err != nil {
				return
			}
			o.mu.Lock()
			o.mails = append(o.mails, string(raw))
			o.mu.Unlock()
			_ = c.PrintfLine("250 taken")
		case verb == "QUIT":
			_ = c.PrintfLine("221 bye")
			return
		default:
			_ = c.PrintfLine("250 ok")
		}
	}
}

func (o *office) note(l line) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.lines = append(o.lines, l)
}

// got returns the received verbs, unencrypted ones in lower case.
func (o *office) got() (verbs []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, l := range o.lines {
		verb, _, _ := strings.Cut(l.text, " ")
		if !l.secure {
			verb = strings.ToLower(verb)
		}
		verbs = append(verbs, verb)
	}
	return verbs
}

// one returns the only received mail, with its decoded text.
func (o *office) one(t *testing.T) (*netmail.Message, string) {
	t.Helper()
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.mails) != 1 {
		t.Fatalf("%d mails: %q", len(o.mails), o.mails)
	}
	m, err := netmail.ReadMessage(strings.NewReader(o.mails[0]))
	must(t, err)
	text, err := io.ReadAll(quotedprintable.NewReader(m.Body))
	must(t, err)
	return m, string(text)
}

var message = mail.Message{ID: "0190", To: "olive@example.com", Subject: "New API key", Text: "A key was made.\n", At: time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)}

func send(t *testing.T, address string, m mail.Message) error {
	t.Helper()
	s, err := mail.New(address, "Tidewaiter <console@example.com>")
	must(t, err)
	return s.Send(t.Context(), m)
}

// With STARTTLS only the greeting is sent before TLS; with smtps nothing.
func TestSendsEncrypted(t *testing.T) {
	for scheme, want := range map[string]string{"smtp": "ehlo starttls EHLO AUTH MAIL RCPT DATA QUIT", "smtps": "EHLO AUTH MAIL RCPT DATA QUIT"} {
		for _, host := range []string{elsewhere, "127.0.0.1"} {
			o := (&office{tls: &tls.Config{Certificates: []tls.Certificate{good(t)}}, implicit: scheme == "smtps"}).open(t)
			must(t, send(t, o.at(scheme, host, true), message))
			if got := strings.Join(o.got(), " "); got != want {
				t.Errorf("%s to %s: %s, want %s", scheme, host, got, want)
			}
			m, text := o.one(t)
			if m.Header.Get("To") != "<olive@example.com>" || m.Header.Get("Subject") != "New API key" || text != "A key was made.\n" {
				t.Errorf("the mail: %v %q", m.Header, text)
			}
		}
	}
}

// Credentials are never sent unencrypted, and mails leave this machine only encrypted.
func TestNothingSecretWithoutTLS(t *testing.T) {
	for _, c := range []struct {
		name, host  string
		credentials bool
		tls         bool
		refuses     string
		want        string // what the server receives
		sent        bool
	}{
		{"another host without STARTTLS", elsewhere, true, false, "", "ehlo", false},
		{"another host without STARTTLS and credentials", elsewhere, false, false, "", "ehlo", false},
		{"another host that refuses STARTTLS", elsewhere, true, true, "STARTTLS", "ehlo starttls", false},
		{"this machine, with credentials", "127.0.0.1", true, false, "", "ehlo", false},
		{"this machine, by name, with credentials", "localhost", true, false, "", "ehlo", false},
		{"this machine that refuses STARTTLS", "127.0.0.1", true, true, "STARTTLS", "ehlo starttls", false},
		{"this machine, without credentials", "127.0.0.1", false, false, "", "ehlo mail rcpt data quit", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := (&office{refuses: c.refuses}).with(t, c.tls).open(t)
			err := send(t, o.at("smtp", c.host, c.credentials), message)
			if (err == nil) != c.sent {
				t.Errorf("sent: %v", err)
			}
			if err != nil && strings.Contains(err.Error(), password) {
				t.Errorf("the error holds the password: %v", err)
			}
			got := slices.DeleteFunc(o.got(), func(verb string) bool { return strings.EqualFold(verb, "quit") && !c.sent })
			if strings.Join(got, " ") != c.want {
				t.Errorf("the server got %q, want %q", got, c.want)
			}
		})
	}
}

func (o *office) with(t *testing.T, encrypted bool) *office {
	if encrypted {
		o.tls = &tls.Config{Certificates: []tls.Certificate{good(t)}}
	}
	return o
}

// A server gets neither credentials nor mail if its certificate is for another name, expired or of an unknown
// authority, or if it speaks only TLS 1.1 or older.
func TestCertificateRefused(t *testing.T) {
	later := time.Now().Add(time.Hour)
	for name, settings := range map[string]*tls.Config{
		"of another name":         {Certificates: []tls.Certificate{certificate(t, true, later, "mail.example.com", "192.0.2.1")}},
		"expired":                 {Certificates: []tls.Certificate{certificate(t, true, time.Now().Add(-time.Hour), elsewhere)}},
		"of an unknown authority": {Certificates: []tls.Certificate{certificate(t, false, later, elsewhere)}},
		"with TLS 1.1":            {Certificates: []tls.Certificate{good(t)}, MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11},
	} {
		for _, scheme := range []string{"smtp", "smtps"} {
			t.Run(name+" "+scheme, func(t *testing.T) {
				o := (&office{tls: settings, implicit: scheme == "smtps"}).open(t)
				err := send(t, o.at(scheme, elsewhere, true), message)
				var ofCertificate *tls.CertificateVerificationError
				if err == nil || name != "with TLS 1.1" && !errors.As(err, &ofCertificate) {
					t.Errorf("the error: %v", err)
				}
				for _, verb := range o.got() {
					if verb != "ehlo" && verb != "starttls" && verb != "quit" {
						t.Errorf("the server got %s", verb)
					}
				}
			})
		}
	}
}

// A wrong password is an error that does not name it, and no mail is sent.
func TestWrongPassword(t *testing.T) {
	o := (&office{tls: &tls.Config{Certificates: []tls.Certificate{good(t)}}}).open(t)
	err := send(t, strings.Replace(o.at("smtp", elsewhere, true), "horse", "mouse", 1), message)
	if err == nil || !strings.Contains(err.Error(), "535") || strings.Contains(err.Error(), "mouse") {
		t.Errorf("the error: %v", err)
	}
	if got := o.got(); slices.Contains(got, "MAIL") || !slices.Contains(got, "AUTH") {
		t.Errorf("the server got %q", got)
	}
}

// Names with line breaks, the end of a mail or encoded words add no header, recipient or second mail.
func TestNamesAddNoHeaders(t *testing.T) {
	evil := []string{
		"Quay\r\nBcc: eve@example.com", "Quay\nBcc: eve@example.com\n\nHello", "Quay\rBcc: eve@example.com", "Quay\r\n.\r\nMAIL FROM:<eve@example.com>\r\n",
		"Quay\x00\x0b\x0c\x85\u2028Bcc: eve@example.com", "=?utf-8?q?=0D=0ABcc:_eve@example.com?=", strings.Repeat("港", 140), strings.Repeat("x", 140),
	}
	for _, name := range evil {
		o := (&office{}).open(t)
		m := message
		m.Subject, m.Text = "Join "+name+" on Tidewaiter", "You are invited to join "+name+".\n.\nBcc: eve@example.com\n"
		must(t, send(t, o.at("smtp", "127.0.0.1", false), m))
		got, _ := o.one(t)
		var headers []string
		for header, values := range got.Header {
			headers = append(headers, header)
			if len(values) != 1 {
				t.Errorf("%q: header %s comes %d times", name, header, len(values))
			}
		}
		slices.Sort(headers)
		if strings.Join(headers, " ") != "Auto-Submitted Content-Transfer-Encoding Content-Type Date From Message-Id Mime-Version Subject To" {
			t.Errorf("%q: headers %v", name, headers)
		}
		if verbs := strings.Join(o.got(), " "); verbs != "ehlo mail rcpt data quit" {
			t.Errorf("%q: the server got %s", name, verbs)
		}
		for _, l := range strings.Split(o.mails[0], "\n") {
			if len(l) > 998 {
				t.Errorf("%.20q: a line of %d bytes; RFC 5322 allows 998", name, len(l))
			}
		}
		subject, err := new(mime.WordDecoder).DecodeHeader(got.Header.Get("Subject"))
		if want := strings.NewReplacer("\r", " ", "\n", " ").Replace(m.Subject); err != nil || !strings.HasPrefix(name, "=?") && subject != want {
			t.Errorf("subject %q, want %q: %v", subject, want, err)
		}
	}
	for _, to := range []string{"olive@example.com\r\nRCPT TO:<eve@example.com>", "olive@example.com, eve@example.com", "olive@example.com\nBcc: eve@example.com", ""} {
		o := (&office{}).open(t)
		m := message
		m.To = to
		if err := send(t, o.at("smtp", "127.0.0.1", false), m); err == nil || len(o.got()) > 0 {
			t.Errorf("to %q: %v, the server got %q", to, err, o.got())
		}
	}
}

// A server that stops answering at any point, or never stops answering, is left at the timeout, and immediately if the
// service stops.
func TestTimeLimits(t *testing.T) {
	for _, silent := range []string{"CONNECT", "EHLO", "STARTTLS", "AUTH", "MAIL", "DATA", "drips"} {
		t.Run(silent, func(t *testing.T) {
			o := (&office{tls: &tls.Config{Certificates: []tls.Certificate{good(t)}}, silent: silent, drips: silent == "drips"}).open(t)
			s, err := mail.New(o.at("smtp", elsewhere, true), "console@example.com")
			must(t, err)
			s.SetPatience(200 * time.Millisecond)
			var late net.Error
			if err := s.Send(t.Context(), message); err == nil || !o.drips && (!errors.As(err, &late) || !late.Timeout()) {
				t.Errorf("the error: %v", err)
			}

			s.SetPatience(24 * time.Hour)
			ctx, stop := context.WithCancel(t.Context())
			sent := make(chan error, 1)
			go func() { sent <- s.Send(ctx, message) }()
			time.AfterFunc(100*time.Millisecond, stop)
			if err := <-sent; err == nil {
				t.Error("sent, although the server does not answer")
			}
		})
	}
}
