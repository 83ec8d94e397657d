package audit

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Algorithm is the algorithm of all signatures.
const Algorithm = "Ed25519"

// Notary signs checkpoints and proofs with the key of the installation. A signature proves that
// the installation issued a statement, not that the installation is honest: the operator cannot
// deny it later.
type Notary struct {
	store TreeStore
	tiler *Tiler
	key   ed25519.PrivateKey
}

// Key is the public key of an installation.
type Key struct {
	Algorithm   string `json:"algorithm" enum:"Ed25519" doc:"Algorithm of the signatures"`
	PublicKey   string `json:"publicKey" doc:"The 32 bytes of the public key, base64"`
	Fingerprint string `json:"fingerprint" doc:"SHA-256 of these bytes, hex, to compare with an earlier copy"`
}

// NewNotary returns a notary whose key is derived from a seed of 32 bytes.
func NewNotary(s TreeStore, t *Tiler, seed []byte) *Notary {
	return &Notary{store: s, tiler: t, key: ed25519.NewKeyFromSeed(seed)}
}

// Key returns the public key for its signatures.
func (n *Notary) Key() Key {
	public := n.key.Public().(ed25519.PublicKey)
	sum := sha256.Sum256(public)
	return Key{Algorithm: Algorithm, PublicKey: base64.StdEncoding.EncodeToString(public), Fingerprint: hex.EncodeToString(sum[:])}
}

// Sign signs the JSON array of texts, encoded like that of an event. The first text names the
// kind of statement, so that a signature is not valid for another kind.
func (n *Notary) Sign(texts ...string) string {
	message, _ := json.Marshal(texts)
	return base64.StdEncoding.EncodeToString(ed25519.Sign(n.key, message))
}

// Checkpoint returns the signed head of an organisation's trail.
func (n *Notary) Checkpoint(ctx context.Context, org tenant.ID) (c Checkpoint, err error) {
	if err := n.tiler.CatchUp(ctx, org); err != nil {
		return c, err
	}
	err = n.store.ViewTree(ctx, org, func(tx TreeTrail) error {
		newest, err := tx.Events(Query{Limit: 1})
		if err != nil {
			return err
		}
		if len(newest) == 0 {
			return apierr.Missing()
		}
		c, err = n.Attest(NewTree(tx), org, &newest[0])
		return err
	})
	return c, err
}

// Consistency is the proof that a trail continues an earlier state.
type Consistency struct {
	Sequence   int64      `json:"sequence" doc:"Number of events in the earlier trail"`
	RootHash   string     `json:"rootHash" doc:"Root of the tree over them, hex, to compare with the earlier checkpoint"`
	Proof      []string   `json:"proof" doc:"The proof of RFC 6962, section 2.1.2: hashes, hex"`
	Checkpoint Checkpoint `json:"checkpoint" doc:"The trail as it is now"`
}

// Consistency proves that the first events of a trail are still its beginning.
func (n *Notary) Consistency(ctx context.Context, org tenant.ID, sequence int64) (c Consistency, err error) {
	if c.Checkpoint, err = n.Checkpoint(ctx, org); err != nil {
		return c, err
	}
	if sequence < 1 || sequence > c.Checkpoint.Sequence {
		return c, apierr.Invalid(apierr.Detail{Field: "sequence", Message: "must be between 1 and " + strconv.FormatInt(c.Checkpoint.Sequence, 10)})
	}
	err = n.store.ViewTree(ctx, org, func(tx TreeTrail) error {
		tree := NewTree(tx)
		root, err := tree.Root(sequence)
		if err != nil {
			return err
		}
		path, err := tree.Consistency(sequence, c.Checkpoint.Sequence)
		c.Sequence, c.RootHash, c.Proof = sequence, hex.EncodeToString(root[:]), []string{}
		for _, h := range path {
			c.Proof = append(c.Proof, hex.EncodeToString(h[:]))
		}
		return err
	})
	return c, err
}

// CatchUp stores the tiles that proofs of an organisation's trail need.
func (n *Notary) CatchUp(ctx context.Context, org tenant.ID) error { return n.tiler.CatchUp(ctx, org) }

// Attest returns the signed checkpoint of a trail up to an event.
func (n *Notary) Attest(t *Tree, org tenant.ID, last *Event) (c Checkpoint, err error) {
	root, err := t.Root(last.Sequence)
	if err != nil {
		return c, err
	}
	c = last.Checkpoint(org)
	c.RootHash, c.KeyFingerprint = hex.EncodeToString(root[:]), n.Key().Fingerprint
	c.Signature = n.Sign("tidewaiter-checkpoint-1", string(org), strconv.FormatInt(c.Sequence, 10), c.Hash, c.EventID, c.OccurredAt, c.RootHash)
	return c, nil
}
