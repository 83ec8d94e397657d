package kafka

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/sasl"
	"github.com/twmb/franz-go/pkg/sasl/oauth"
	"github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"

	"github.com/tidewaiter/tidewaiter/internal/webhook/destination"
)

// login proves to a broker who the service is. A broker may know a mechanism and have the user in another one only, so all are
// tried in turn. A nil login proves nothing.
type login struct {
	mechanisms []sasl.Mechanism
	choice     atomic.Int64
	proving    atomic.Bool // the credentials were shown, and the broker has not yet accepted them
}

// newLogin returns the login of credentials; nil for none.
func newLogin(c destination.Credentials) *login {
	switch c.Form() {
	case destination.Password:
		by := scram.Auth{User: c.Username, Pass: c.Password}
		return &login{mechanisms: []sasl.Mechanism{by.AsSha512Mechanism(), by.AsSha256Mechanism(), plain.Auth{User: c.Username, Pass: c.Password}.AsMechanism()}}
	case destination.Token:
		return &login{mechanisms: []sasl.Mechanism{oauth.Auth{Token: c.Token}.AsMechanism()}}
	}
	return nil
}

// account is a user of brokers.
type account struct{ brokers, user string }

const maxAccounts = 1024

// accepted are the mechanisms that brokers accepted last. Endpoints share them: each one that a broker refuses costs a good part of a
// second, and so would every new connection.
type accepted struct {
	mu sync.Mutex
	of map[account]int64
}

// first returns the mechanism to begin with.
func (a *accepted) first(of account) int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.of[of]
}

// note remembers a mechanism that was accepted.
func (a *accepted) note(of account, choice int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.of) >= maxAccounts {
		clear(a.of)
	}
	a.of[of] = choice
}

// ways returns how many mechanisms there are; one without credentials.
func (l *login) ways() int {
	if l == nil {
		return 1
	}
	return len(l.mechanisms)
}

// next chooses the next mechanism if a broker did not accept the present one.
func (l *login) next(err error) bool {
	refused := l.refused() && errors.Is(err, io.EOF) || errors.Is(err, kerr.SaslAuthenticationFailed) || errors.Is(err, kerr.UnsupportedSaslMechanism)
	if l != nil && refused {
		l.choice.Add(1)
	}
	return refused
}

// refused reports whether the broker has not yet accepted the credentials that it was shown.
func (l *login) refused() bool { return l != nil && l.proving.Load() }

func (l *login) chosen() sasl.Mechanism {
	return l.mechanisms[l.choice.Load()%int64(len(l.mechanisms))]
}

// Name returns the name of the chosen mechanism.
func (l *login) Name() string { return l.chosen().Name() }

// Authenticate begins the chosen mechanism.
func (l *login) Authenticate(ctx context.Context, host string) (sasl.Session, []byte, error) {
	session, first, err := l.chosen().Authenticate(ctx, host)
	l.proving.Store(true)
	return &proof{session, l}, first, err
}

// proof is a conversation with a broker.
type proof struct {
	sasl.Session
	login *login
}

// Challenge answers a broker, and reports whether that was the end.
func (p *proof) Challenge(said []byte) (done bool, answer []byte, err error) {
	done, answer, err = p.Session.Challenge(said)
	if done && err == nil {
		p.login.proving.Store(false)
	}
	return done, answer, err
}
