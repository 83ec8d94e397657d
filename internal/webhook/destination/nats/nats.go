// Package nats delivers events to a stream of NATS JetStream: each message waits until the stream has stored it. The
// id of the delivery is the id of the message, so that the stream drops one that is repeated within its window.
package nats

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	client "github.com/nats-io/nats.go"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ssrf"
	"github.com/tidewaiter/tidewaiter/internal/webhook/destination"
)

// Headers and subjects of JetStream's protocol (ADR-1, ADR-2 and ADR-15 of NATS).
const (
	idHeader     = "Nats-Msg-Id"
	streamHeader = "Nats-Expected-Stream"
	infoSubject  = "$JS.API.STREAM.INFO."
	noStream     = 10059 // error code: stream not found
	otherStream  = 10060 // error code: another stream stores the subject
)

// handshakeTimeout is how long a server may take for its part of the handshake.
const handshakeTimeout = 10 * time.Second

// schemes are those of NATS. With nats:// the server says whether it has TLS; tls:// always needs it.
var schemes = map[string]bool{"nats": false, "tls": false}

// Kind is the kind nats.
type Kind struct{}

// Problems returns every problem of settings that shows without a connection.
func (Kind) Problems(n destination.Network, s destination.Settings) []apierr.Detail {
	_, err := n.ReadAddress(s.URL, schemes, "4222")
	details := append(destination.Problem("url", err), s.Config.Problems("nats", []string{"stream", "subject"}, nil)...)
	if strings.ContainsAny(s.Config.Stream, " .*>/\\") {
		details = append(details, apierr.Detail{Field: "config.stream", Message: "must not contain spaces or any of . * > / \\"})
	}
	if !isSubject(s.Config.Subject) {
		details = append(details, apierr.Detail{Field: "config.subject", Message: "must be a subject without wildcards, such as tidewaiter.events"})
	}
	return append(details, s.Credentials.Problems(destination.None, destination.Password, destination.Token)...)
}

// isSubject reports whether a subject, unless it is absent, can be published to. Subjects with a dollar sign belong to the server.
func isSubject(subject string) bool {
	if subject == "" {
		return true
	}
	for token := range strings.SplitSeq(subject, ".") {
		if token == "" || strings.ContainsAny(token, " *>") {
			return false
		}
	}
	return subject[0] != '$'
}

// Open returns a destination.
func (Kind) Open(n destination.Network, s destination.Settings) (destination.Destination, error) {
	address, err := n.ReadAddress(s.URL, schemes, "4222")
	if err != nil {
		return nil, err
	}
	d := &stream{network: n, address: address, secure: strings.HasPrefix(s.URL, "tls://"), settings: s}
	d.link = destination.NewLink(d.connect)
	return d, nil
}

// stream is a destination.
type stream struct {
	network  destination.Network
	address  destination.Address
	secure   bool // only with TLS
	settings destination.Settings
	link     *destination.Link[conn]
}

type conn struct{ *client.Conn }

func (c conn) Alive() bool { return c.IsConnected() }

// connect connects. Without TLS it connects only to addresses that the operator allows; to all others TLS is a must.
func (d *stream) connect(ctx context.Context) (conn, error) {
	if !d.secure && d.network.Guard.AllowsPlain() {
		c, err := d.dial(ctx, true)
		var refused *ssrf.Refused
		if !errors.As(err, &refused) {
			return c, err
		}
	}
	return d.dial(ctx, false)
}

func (d *stream) dial(ctx context.Context, plain bool) (conn, error) {
	o := client.GetDefaultOptions()
	dialer := &dialer{ctx: ctx, dial: d.network.Guard.Dialer(plain)}
	for _, host := range d.address.Hosts {
		o.Servers = append(o.Servers, (&url.URL{Scheme: "nats", Host: host}).String())
	}
	o.Name, o.CustomDialer, o.SkipHostLookup = "Tidewaiter", dialer, true
	o.AllowReconnect, o.IgnoreDiscoveredServers, o.NoEcho = false, true, true
	o.TLSConfig, o.Secure = d.network.TLS(""), !plain
	o.User, o.Password, o.Token = d.settings.Credentials.Username, d.settings.Credentials.Password, d.settings.Credentials.Token
	o.Timeout, o.AsyncErrorCB = handshakeTimeout, func(*client.Conn, *client.Subscription, error) {} // the reason is in LastError
	c, err := o.Connect()
	if err != nil && dialer.failed != nil {
		err = dialer.failed
	}
	if !dialer.leave() { // the time was over, which closed the connection
		if err == nil {
			c.Close()
		}
		err = ctx.Err()
	}
	return conn{c}, explain(err)
}

// dialer dials for the client. The end of the context closes a connection whose handshake has not ended.
type dialer struct {
	ctx    context.Context
	dial   ssrf.Dial
	stop   func() bool // nil before the first connection
	failed error       // of the last address
}

func (d *dialer) Dial(network, address string) (net.Conn, error) {
	d.leave()
	c, err := d.dial(d.ctx, network, address)
	d.failed = err
	if err == nil {
		d.stop = context.AfterFunc(d.ctx, func() { _ = c.Close() })
	}
	return c, err
}

// leave lets the context end without effect on the connection. It reports false if the context has ended.
func (d *dialer) leave() bool { return d.stop == nil || d.stop() }

// Send publishes a message, and waits until the stream has stored it.
func (d *stream) Send(ctx context.Context, messages []destination.Message) (destination.Answer, error) {
	m := messages[0]
	c, err := d.link.Get(ctx)
	if err != nil {
		return destination.Answer{}, err
	}
	out := &client.Msg{Subject: d.settings.Config.Subject, Data: []byte(m.Body), Header: client.Header{idHeader: {m.ID}, streamHeader: {d.settings.Config.Stream}}}
	for name, values := range m.Header {
		out.Header[name] = values
	}
	reply, err := c.RequestMsgWithContext(ctx, out)
	if err != nil && ctx.Err() != nil && errors.Is(c.LastError(), client.ErrPermissionViolation) {
		err = client.ErrPermissionViolation
	}
	if err != nil {
		return destination.Answer{}, explain(err)
	}
	return stored(reply.Data)
}

// problem is an error in an answer of JetStream.
type problem struct {
	Code        int    `json:"code"`
	ErrCode     int    `json:"err_code"`
	Description string `json:"description"`
}

// stored reads the answer to a message.
func stored(reply []byte) (destination.Answer, error) {
	var ack struct {
		Stream    string   `json:"stream"`
		Sequence  uint64   `json:"seq"`
		Duplicate bool     `json:"duplicate"`
		Error     *problem `json:"error"`
	}
	if json.Unmarshal(reply, &ack) != nil || ack.Error == nil && ack.Stream == "" {
		return destination.Answer{}, destination.Refuse("config.subject", "what answered on the subject is not a stream of JetStream")
	}
	if ack.Error != nil {
		return destination.Answer{}, refusal(ack.Error)
	}
	text := fmt.Sprintf("stream %s, sequence %d", ack.Stream, ack.Sequence)
	if ack.Duplicate {
		text += ", which it had before"
	}
	return destination.Answer{Text: text}, nil
}

func refusal(p *problem) error {
	field := ""
	if p.ErrCode == noStream || p.ErrCode == otherStream {
		field = "config.stream"
	}
	return destination.Refuse(field, "the stream answered: "+destination.Clip(p.Description))
}

// Check asks for the stream and the subjects that it stores.
func (d *stream) Check(ctx context.Context) error {
	c, err := d.link.Get(ctx)
	if err != nil {
		return err
	}
	reply, err := c.RequestWithContext(ctx, infoSubject+d.settings.Config.Stream, nil)
	if err != nil {
		return explain(err)
	}
	var info struct {
		Config struct {
			Subjects []string `json:"subjects"`
		} `json:"config"`
		Error *problem `json:"error"`
	}
	if err := json.Unmarshal(reply.Data, &info); err != nil {
		return destination.Refuse("", "the server does not answer as JetStream does")
	}
	if info.Error != nil {
		return refusal(info.Error)
	}
	for _, pattern := range info.Config.Subjects {
		if matches(pattern, d.settings.Config.Subject) {
			return nil
		}
	}
	return destination.Refuse("config.subject", "the stream does not store this subject")
}

// matches reports whether a subject is one of a pattern: * is one token, > is one or more at the end.
func matches(pattern, subject string) bool {
	parts, tokens := strings.Split(pattern, "."), strings.Split(subject, ".")
	for i, part := range parts {
		switch {
		case part == ">":
			return len(tokens) > i
		case i >= len(tokens) || part != "*" && part != tokens[i]:
			return false
		}
	}
	return len(parts) == len(tokens)
}

// Close ends the connection.
func (d *stream) Close() { d.link.Close() }

// explain returns the reason of an error of the client in plain words; an error of the network as it is.
func explain(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, client.ErrAuthorization), errors.Is(err, client.ErrAuthExpired), errors.Is(err, client.ErrAuthRevoked), errors.Is(err, client.ErrAccountAuthExpired):
		return destination.Refuse("credentials", "the server refused the credentials")
	case errors.Is(err, client.ErrPermissionViolation):
		return destination.Refuse("credentials", "the user may not publish to this subject")
	case errors.Is(err, client.ErrNoResponders):
		return destination.Refuse("config.subject", "no stream stores this subject, or JetStream is not switched on")
	case errors.Is(err, client.ErrMaxPayload):
		return destination.Refuse("", "the message is larger than the server accepts")
	case errors.Is(err, client.ErrSecureConnWanted):
		return destination.Refuse("", "the server has no TLS, and the operator allows no connection without TLS to this address")
	case errors.Is(err, client.ErrConnectionClosed), errors.Is(err, client.ErrDisconnected), errors.Is(err, client.ErrStaleConnection):
		return destination.Refuse("", "the connection was closed without an answer")
	case errors.Is(err, client.ErrTimeout):
		return context.DeadlineExceeded
	}
	return err
}
