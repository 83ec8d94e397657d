package filing

import (
	"bytes"
	"encoding/json"

	"github.com/tidewaiter/tidewaiter/internal/platform/secret"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// takeSecrets returns a body with its secrets masked, and the secrets.
func takeSecrets(m *secret.Member, raw json.RawMessage) (json.RawMessage, []secret.Given, error) {
	if m == nil {
		return raw, nil, nil
	}
	return m.Take(raw)
}

// KeepSecretsFrom returns the input of a new record for whose masked secrets those of another record are taken over.
func (in Input) KeepSecretsFrom(recordID string) Input {
	in.secretsFrom = recordID
	return in
}

// WithSecrets returns the input with secrets that its body does not hold, because it was made by the program.
func (in Input) WithSecrets(all []secret.Given) Input {
	in.secrets = all
	return in
}

// Secrets returns the secrets of the input. Those that are only masked are to be kept.
func (in Input) Secrets() []secret.Given { return in.secrets }

// Vault returns the vault of an organisation's secrets.
func (s *Service) Vault(org tenant.ID) secret.Vault { return secret.Vault{Sealer: s.Sealer, Org: org} }

// sealed returns the sealed secrets of a record with a new body; nil if they do not change, because there were and are none.
func (s *Service) sealed(tx Tx, org tenant.ID, t *Type, id, from string, given []secret.Given, former json.RawMessage) (*string, error) {
	if t.Secrets == nil || len(given) == 0 && !bytes.Contains(former, []byte(`"`+t.Secrets.Name+`"`)) {
		return nil, nil
	}
	sealed, err := s.Vault(org).Update(tx, id, from, *t.Secrets, given)
	if err != nil {
		return nil, err
	}
	return &sealed, nil
}

// SealedEvent ends the type of the event of a record whose secrets were sealed.
const SealedEvent = "secrets_sealed"

// SealSecrets seals the secrets that an earlier version of the program stored in the clear in a record. The record gets a new
// version, as for every change; webhooks are not notified, because nothing that they show changes.
func (s *Service) SealSecrets(tx Tx, call tenant.Call, t *Type, id string) error {
	f, err := tx.Filing(t.Kind, id)
	if err != nil {
		return err
	}
	body, given, err := takeSecrets(t.Secrets, f.Body)
	if err != nil || bytes.Equal(body, f.Body) {
		return err
	}
	sealed, err := s.sealed(tx, call.Org, t, id, id, given, f.Body)
	if err != nil {
		return err
	}
	former := f
	if f.Brief != nil {
		if f.Brief, _, err = takeSecrets(t.Secrets, f.Brief); err != nil {
			return err
		}
	}
	f.Body, f.Version, f.UpdatedAt = body, f.Version+1, tx.Now()
	former.Body = body // what is kept of the former version must not hold the secrets either
	event := s.event(call, t, &f, f.Status, SealedEvent, Added{"sha256": digest(f.Body)})
	return tx.Write(Change{Filing: f, Former: &former, Event: event, Secrets: sealed})
}
