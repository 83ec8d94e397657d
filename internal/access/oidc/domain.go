package oidc

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// How a domain was verified.
const (
	ByDNS      = "dns"
	ByOperator = "operator"
)

// Prefixes of the name and the value of a domain's TXT record.
const (
	RecordPrefix = "_tidewaiter."
	ValuePrefix  = "tidewaiter-verification="
)

const (
	domainInterval = 7 * 24 * time.Hour // between checks of a verified domain
	lookupDeadline = 10 * time.Second
	maxDomain      = 253
	tokenBytes     = 20
)

// Domain is a mail domain of an organisation. Identities of a provider are trusted only if their
// address is in a verified domain.
type Domain struct {
	Org        tenant.ID
	Name       string
	Token      string // expected in the TXT record
	Method     string // ByDNS or ByOperator once verified
	CreatedAt  time.Time
	VerifiedAt time.Time // zero if it is not verified
	CheckedAt  time.Time
}

// Record returns the name of the domain's TXT record.
func (d Domain) Record() string { return RecordPrefix + d.Name }

// Value returns the value of the domain's TXT record.
func (d Domain) Value() string { return ValuePrefix + d.Token }

var domainForm = lazyregexp.New(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$`)

// NormalDomain returns the form in which domains are stored and compared.
func NormalDomain(name string) (string, error) {
	name = strings.ToLower(strings.TrimSuffix(strings.TrimSpace(name), "."))
	if len(name) > maxDomain || !domainForm.MatchString(name) {
		return "", apierr.Invalid(apierr.Detail{Field: "domain", Message: "must be a mail domain such as example.com"})
	}
	return name, nil
}

// domainOf returns the domain of a mail address; "" if there is none.
func domainOf(email string) string {
	at := strings.LastIndexByte(email, '@')
	name, err := NormalDomain(email[at+1:])
	if at < 1 || err != nil {
		return ""
	}
	return name
}

// AddDomain adds a domain that is to be verified.
func (s *Service) AddDomain(tx Tx, call tenant.Call, name string) (Domain, error) {
	name, err := NormalDomain(name)
	if err != nil {
		return Domain{}, err
	}
	all, err := tx.Domains()
	if err != nil {
		return Domain{}, err
	}
	if at := slices.IndexFunc(all, func(d Domain) bool { return d.Name == name }); at >= 0 {
		return all[at], nil
	}
	if len(all) >= MaxDomains {
		return Domain{}, apierr.New(apierr.InvalidState, "An organisation can have at most %d domains. Remove one first.", MaxDomains)
	}
	d := Domain{Org: call.Org, Name: name, Token: s.IDs.Text("0123456789abcdef", 2*tokenBytes), CreatedAt: tx.Now()}
	if err := tx.PutDomain(d); err != nil {
		return d, err
	}
	return d, s.Accounts.Access.Record(tx, call, access.DomainAdded, "domain", name, nil)
}

// RemoveDomain removes a domain.
func (s *Service) RemoveDomain(tx Tx, call tenant.Call, name string) error {
	removed, err := tx.RemoveDomain(name)
	if err != nil {
		return err
	}
	if !removed {
		return apierr.Missing()
	}
	return s.Accounts.Access.Record(tx, call, access.DomainRemoved, "domain", name, nil)
}

// CheckDomain looks up the TXT record and verifies the domain if it has the token.
func (s *Service) CheckDomain(ctx context.Context, call tenant.Call, name string) error {
	var d Domain
	err := s.Store.ViewIdentity(ctx, call.Org, func(tx Tx) (err error) { d, err = domain(tx, name); return err })
	if err != nil {
		return err
	}
	exists, err := s.lookUp(ctx, d)
	if err != nil {
		return apierr.New(apierr.InvalidState, "The DNS record of %s cannot be read now. Try again later.", d.Name).WithCause(err)
	}
	if !exists {
		return apierr.New(apierr.InvalidState, "The TXT record %s with the value %s was not found. DNS changes can take hours.", d.Record(), d.Value())
	}
	return s.verify(ctx, call, d.Name, ByDNS)
}

// VerifyDomain verifies a domain on behalf of the operator, and returns its stored form.
func (s *Service) VerifyDomain(ctx context.Context, call tenant.Call, name string) (string, error) {
	err := s.Store.UpdateIdentity(ctx, call.Org, func(tx Tx) (err error) { _, err = s.AddDomain(tx, call, name); return err })
	if err != nil {
		return "", err
	}
	name, err = NormalDomain(name)
	if err != nil {
		return "", err
	}
	return name, s.verify(ctx, call, name, ByOperator)
}

func (s *Service) verify(ctx context.Context, call tenant.Call, name, method string) error {
	owner, taken, err := s.Store.DomainOwner(ctx, name)
	if err != nil {
		return err
	}
	if taken && owner != call.Org {
		return apierr.New(apierr.InvalidState, "Another organisation has verified the domain %s. Ask the operator of this service.", name)
	}
	return s.Store.UpdateIdentity(ctx, call.Org, func(tx Tx) error {
		d, err := domain(tx, name)
		if err != nil {
			return err
		}
		d.VerifiedAt, d.CheckedAt, d.Method = tx.Now(), tx.Now(), method
		if err := tx.PutDomain(d); err != nil {
			return err
		}
		return s.Accounts.Access.Record(tx, call, access.DomainVerified, "domain", name, map[string]any{"method": method})
	})
}

func domain(tx Tx, name string) (Domain, error) {
	all, err := tx.Domains()
	if err != nil {
		return Domain{}, err
	}
	at := slices.IndexFunc(all, func(d Domain) bool { return d.Name == name })
	if at < 0 {
		return Domain{}, apierr.Missing()
	}
	return all[at], nil
}

// verified reports whether the organisation of a transaction has verified the domain of an address.
func verified(tx Tx, email string) (bool, error) {
	d, err := domain(tx, domainOf(email))
	if apierr.Is(err, apierr.NotFound) {
		return false, nil
	}
	return err == nil && !d.VerifiedAt.IsZero(), err
}

// lookUp reports whether the TXT record of a domain has its token. An error means that DNS did not
// respond.
func (s *Service) lookUp(ctx context.Context, d Domain) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, lookupDeadline)
	defer cancel()
	resolver := s.Resolver
	if resolver == nil {
		resolver = net.DefaultResolver
	}
	values, err := resolver.LookupTXT(ctx, d.Record()+".")
	var failed *net.DNSError
	if errors.As(err, &failed) && failed.IsNotFound {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return slices.Contains(values, d.Value()), nil
}

// RecheckDomains checks the domains whose last check is a week old. A domain without its record is
// no longer verified; if DNS does not respond, nothing changes.
func (s *Service) RecheckDomains(ctx context.Context) error {
	due, err := s.Store.DueDomains(ctx, s.Now().Add(-domainInterval), 100)
	if err != nil {
		return err
	}
	for _, d := range due {
		exists, err := s.lookUp(ctx, d)
		if err != nil {
			s.Log.WarnContext(ctx, "cannot recheck a mail domain", "domain", d.Name, "error", err)
			continue
		}
		if err := s.recheck(ctx, d, exists); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) recheck(ctx context.Context, seen Domain, exists bool) error {
	return s.Store.UpdateIdentity(ctx, seen.Org, func(tx Tx) error {
		d, err := domain(tx, seen.Name)
		if apierr.Is(err, apierr.NotFound) || err == nil && !d.CheckedAt.Equal(seen.CheckedAt) {
			return nil // removed, or checked by another instance
		}
		if err != nil {
			return err
		}
		d.CheckedAt = tx.Now()
		if exists {
			return tx.PutDomain(d)
		}
		d.VerifiedAt = time.Time{}
		if err := tx.PutDomain(d); err != nil {
			return err
		}
		call := tenant.Call{Principal: tenant.System(seen.Org)}
		return s.Accounts.Access.Record(tx, call, access.DomainLost, "domain", d.Name, nil)
	})
}
