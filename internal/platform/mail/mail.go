// Package mail sends mails by SMTP.
package mail

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"net/smtp"
	"net/url"
	"strings"
	"time"
)

// patience is the timeout of the whole conversation with the server.
const patience = 30 * time.Second

// Message is a mail in plain text.
type Message struct {
	ID      string // unique; the same when the mail is sent again
	To      string // one address
	Subject string
	Text    string
	At      time.Time
}

// Server is an SMTP server and the address that mails come from.
type Server struct {
	address  string // host:port
	host     string
	tls      bool // from the first byte on, and not by STARTTLS
	plain    bool // TLS is not required: the server is on this machine
	user     string
	password string
	from     *mail.Address
	patience time.Duration // timeout of a conversation
}

// New reads the address of a server: smtp://user:password@host:587, which must offer
// STARTTLS unless the host is this machine and there is no password, or smtps://user:password@host:465.
func New(address, from string) (*Server, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.Scheme != "smtp" && u.Scheme != "smtps" {
		return nil, errors.New("mail: the address of the SMTP server must have the form smtp://host:587 or smtps://host:465")
	}
	sender, err := mail.ParseAddress(from)
	if err != nil {
		return nil, fmt.Errorf("mail: %q is not an address to send from: %w", from, err)
	}
	s := &Server{host: u.Hostname(), tls: u.Scheme == "smtps", user: u.User.Username(), from: sender, patience: patience}
	s.password, _ = u.User.Password()
	port := u.Port()
	switch {
	case port != "":
	case s.tls:
		port = "465"
	default:
		port = "587"
	}
	s.address = net.JoinHostPort(s.host, port)
	ip := net.ParseIP(s.host)
	s.plain = s.host == "localhost" || ip != nil && ip.IsLoopback()
	return s, nil
}

// Send delivers a mail to the server.
func (s *Server) Send(ctx context.Context, m Message) error {
	to, err := mail.ParseAddress(m.To)
	if err != nil {
		return fmt.Errorf("mail: recipient: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	c, err := s.connect(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := errors.Join(c.Mail(s.from.Address), c.Rcpt(to.Address)); err != nil {
		return fmt.Errorf("mail: %s refuses the sender or the recipient: %w", s.address, err)
	}
	body, err := c.Data()
	if err != nil {
		return fmt.Errorf("mail: %s: %w", s.address, err)
	}
	if _, err := body.Write(s.compose(to, m)); err != nil {
		return fmt.Errorf("mail: %s: %w", s.address, err)
	}
	if err := body.Close(); err != nil {
		return fmt.Errorf("mail: %s refuses the mail: %w", s.address, err)
	}
	_ = c.Quit() // the mail is accepted, whatever the server answers
	return nil
}

// connect opens a connection that is encrypted and authenticated.
func (s *Server) connect(ctx context.Context) (*smtp.Client, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", s.address)
	if err != nil {
		return nil, fmt.Errorf("mail: %w", err)
	}
	context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) }) // ends all waiting, at the timeout or when the service stops
	settings := &tls.Config{ServerName: s.host, MinVersion: tls.VersionTLS12}
	if s.tls {
		conn = tls.Client(conn, settings)
	}
	c, err := smtp.NewClient(conn, s.host)
	if err != nil {
		_ = conn.Close()
		return nil, fmt.Errorf("mail: %s: %w", s.address, err)
	}
	if err := s.prepare(c, settings); err != nil {
		_ = c.Close()
		return nil, fmt.Errorf("mail: %s: %w", s.address, err)
	}
	return c, nil
}

func (s *Server) prepare(c *smtp.Client, settings *tls.Config) error {
	if err := c.Hello("localhost"); err != nil {
		return err
	}
	if !s.tls {
		if offered, _ := c.Extension("STARTTLS"); offered {
			if err := c.StartTLS(settings); err != nil {
				return err
			}
		} else if !s.plain {
			return errors.New("the server offers no STARTTLS; use smtps:// or a server that does")
		}
	}
	if s.user == "" {
		return nil
	}
	if _, encrypted := c.TLSConnectionState(); !encrypted {
		return errors.New("the server offers no STARTTLS, and the password is not sent without TLS")
	}
	return c.Auth(smtp.PlainAuth("", s.user, s.password, s.host))
}

// compose returns the mail with its headers.
func (s *Server) compose(to *mail.Address, m Message) []byte {
	var out bytes.Buffer
	_, domain, _ := strings.Cut(s.from.Address, "@")
	for _, h := range [][2]string{
		{"From", s.from.String()}, {"To", to.String()}, {"Subject", subject(m.Subject)},
		{"Date", m.At.UTC().Format(time.RFC1123Z)}, {"Message-ID", "<" + m.ID + "@" + domain + ">"}, {"Auto-Submitted", "auto-generated"},
		{"MIME-Version", "1.0"}, {"Content-Type", "text/plain; charset=utf-8"}, {"Content-Transfer-Encoding", "quoted-printable"},
	} {
		fmt.Fprintf(&out, "%s: %s\r\n", h[0], h[1])
	}
	out.WriteString("\r\n")
	w := quotedprintable.NewWriter(&out)
	_, _ = w.Write([]byte(strings.ReplaceAll(m.Text, "\n", "\r\n"))) // a bytes.Buffer returns no error
	_ = w.Close()
	return out.Bytes()
}

// subject encodes a subject, with a line for each encoded word: a line may have 998 bytes (RFC 5322,
// section 2.1.1).
func subject(text string) string {
	return strings.ReplaceAll(mime.QEncoding.Encode("utf-8", oneLine(text)), "?= =?", "?=\r\n =?")
}

// oneLine removes line breaks, which would end the header.
func oneLine(text string) string { return strings.NewReplacer("\r", " ", "\n", " ").Replace(text) }
