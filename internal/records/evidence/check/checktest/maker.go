// Package checktest makes evidence packs, consistent and inconsistent ones, for tests of the
// verifiers: the command and the page in the pack.
package checktest

import (
	"archive/zip"
	"bytes"
	"cmp"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/audit/merkle"
	"github.com/tidewaiter/tidewaiter/internal/records/evidence/check"
)

const (
	org = "01900000-0000-7000-8000-000000000001"
	// Record is the ID of the record.
	Record = "01900000-0000-7000-8000-000000000002"
	body   = `{"name":"Łódź <&>"}`
	xml    = "<MetaData/>"
)

// Maker makes packs from the description in docs/evidence.md, without the service's code.
type Maker struct {
	Key      ed25519.PrivateKey
	events   []map[string]any // of the record and of others
	Files    map[string]string
	unlisted map[string]string // files that the manifest does not list
	twice    string            // a file to add twice
	shown    []int             // sequences of the events in the pack
	names    string            // fingerprint in the checkpoint; the key's own if empty
}

func canonical(texts ...string) []byte {
	text, _ := json.Marshal(texts)
	return text
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// NewMaker returns a maker with a record that has four of six events, and a message.
func NewMaker() *Maker {
	m := &Maker{
		Key: ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize)), Files: map[string]string{}, unlisted: map[string]string{}, shown: []int{1, 3, 4, 6},
	}
	m.event(Record, "thing.created", "", "DRAFT", `{"sha256":"`+digest(body)+`"}`)
	m.event("another", "thing.created", "", "DRAFT", "")
	m.event(Record, "thing.submitted", "DRAFT", "SUBMITTED", `{"sentSha256":"`+digest(xml)+`","note":"\"<&>\u2028 `+"\u2028 \\u007f \x7f"+`"}`)
	m.event(Record, "thing.reviewed", "SUBMITTED", "SUBMITTED", "")
	m.event("another", "thing.deleted", "DRAFT", "", "")
	m.event(Record, "thing.cleared", "SUBMITTED", "CLEARED", "")
	m.personal()
	m.Files["sent/0001-submit.xml"] = xml
	m.Files["body.json"] = body
	m.Files["record.json"] = `{"thing":{"id":"` + Record + `","status":"CLEARED","name":"Łódź <&>"}}`
	return m
}

func (m *Maker) event(of, eventType, from, to, data string) {
	n := len(m.events) + 1
	m.events = append(m.events, map[string]any{
		"sequence": n, "id": fmt.Sprintf("e-%d", n), "occurredAt": fmt.Sprintf("2026-11-21T09:00:%02d.000Z", n), "hub": "h", "eventType": eventType,
		"resourceType": "thing", "resourceId": of, "fromStatus": from, "toStatus": to, "actorUserId": "u", "actorType": "user",
		"keyId": "k", "requestId": `a"b\c`, "ipAddress": "::1", "data": data,
	})
}

// Salt is the salt of the personal values.
const Salt = "000102030405060708090a0b0c0d0e0f"

// Hidden returns the hash that replaces a personal value in an event.
func Hidden(value string) string {
	salt, _ := hex.DecodeString(Salt)
	mac := hmac.New(sha256.New, salt)
	_, _ = mac.Write([]byte(value))
	return "personal:" + hex.EncodeToString(mac.Sum(nil))
}

// personal hides the address of one event, and erases a member of another's data.
func (m *Maker) personal() {
	third, sixth := m.events[2], m.events[5]
	third["ipAddress"] = Hidden("192.0.2.7")
	third["personal"] = []any{map[string]any{"name": "ipAddress", "value": "192.0.2.7", "salt": Salt}}
	sixth["data"] = `{"email":"` + Hidden("ada@example.com") + `"}`
	sixth["personal"] = []any{map[string]any{"name": "data.email", "value": nil, "salt": nil}}
}

// chain computes the hashes of the events and returns the leaves of the tree.
func (m *Maker) chain() (leaves []merkle.Hash) {
	previous := ""
	for _, e := range m.events {
		texts := []string{"tidewaiter-audit-1", org, fmt.Sprint(e["sequence"])}
		for _, name := range []string{"id", "occurredAt", "hub", "eventType", "resourceType", "resourceId", "fromStatus", "toStatus", "actorUserId", "actorType", "keyId", "requestId", "ipAddress", "data"} {
			texts = append(texts, e[name].(string))
		}
		e["previousHash"] = previous
		sum := sha256.Sum256(canonical(append(texts, previous)...))
		previous = hex.EncodeToString(sum[:])
		e["hash"] = previous
		leaves = append(leaves, merkle.Leaf(sum[:]))
	}
	return leaves
}

func (m *Maker) sign(texts ...string) string {
	return base64.StdEncoding.EncodeToString(ed25519.Sign(m.Key, canonical(texts...)))
}

// Fingerprint returns the fingerprint of the key.
func (m *Maker) Fingerprint() string { return digest(string(m.Key.Public().(ed25519.PublicKey))) }

// Write derives the files that are not set yet, and returns the pack.
func (m *Maker) Write(t testing.TB) []byte {
	t.Helper()
	leaves, size := m.chain(), int64(len(m.events))
	nodes := merkle.Over(leaves)
	root, _ := merkle.Root(size, nodes)
	var own, moments []any
	for _, sequence := range m.shown {
		e := m.events[sequence-1]
		path, _ := merkle.Inclusion(int64(sequence-1), size, nodes)
		proof := []string{}
		for _, h := range path {
			proof = append(proof, hex.EncodeToString(h[:]))
		}
		e["proof"] = proof
		own = append(own, e)
		moments = append(moments, map[string]any{
			"occurredAt": e["occurredAt"], "kind": "event", "title": e["eventType"], "sequence": e["sequence"],
			"fromStatus": e["fromStatus"], "toStatus": e["toStatus"], "actorUserId": e["actorUserId"],
		})
	}
	moments = append(moments, map[string]any{"occurredAt": "2026-11-21T09:00:59.000Z", "kind": "sent", "title": "submit", "file": "sent/0001-submit.xml"})
	last := m.events[size-1]
	hash, id, at, rootHash := last["hash"].(string), last["id"].(string), last["occurredAt"].(string), hex.EncodeToString(root[:])
	m.add(t, "events.json", map[string]any{"events": own})
	m.add(t, "timeline.json", map[string]any{"timeline": moments})
	m.add(t, "checkpoint.json", map[string]any{
		"organisationId": org, "sequence": size, "hash": hash, "eventId": id, "occurredAt": at, "rootHash": rootHash, "keyFingerprint": cmp.Or(m.names, m.Fingerprint()),
		"signature": m.sign("tidewaiter-checkpoint-1", org, fmt.Sprint(size), hash, id, at, rootHash),
	})
	var listed []any
	for _, name := range slices.Sorted(maps.Keys(m.Files)) {
		listed = append(listed, map[string]any{"name": name, "bytes": len(m.Files[name]), "sha256": digest(m.Files[name])})
	}
	all := maps.Clone(m.Files)
	maps.Copy(all, m.unlisted)
	manifest, _ := json.Marshal(map[string]any{"format": check.Format, "organisationId": org, "kind": "thing", "recordId": Record, "files": listed})
	signature, _ := json.Marshal(map[string]any{
		"algorithm": "Ed25519", "publicKey": base64.StdEncoding.EncodeToString(m.Key.Public().(ed25519.PublicKey)), "fingerprint": m.Fingerprint(),
		"signature": m.sign("tidewaiter-manifest-1", digest(string(manifest))),
	})
	all["manifest.json"], all["signature.json"] = string(manifest), string(signature)
	return Zipped(t, all, m.twice)
}

func (m *Maker) add(t testing.TB, name string, value any) {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	if m.Files[name] == "" {
		m.Files[name] = string(text)
	}
}

// Zipped returns a ZIP of files; the file twice, if not empty, is added twice.
func Zipped(t testing.TB, files map[string]string, twice string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	names := slices.Sorted(maps.Keys(files))
	if twice != "" {
		names = append(names, twice)
	}
	for _, name := range names {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = w.Write([]byte(files[name]))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
