package check_test

import (
	"archive/zip"
	"bytes"
	"cmp"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/audit/merkle"
	"github.com/tidewaiter/tidewaiter/internal/evidence/check"
)

const (
	org    = "01900000-0000-7000-8000-000000000001"
	record = "01900000-0000-7000-8000-000000000002"
	body   = `{"name":"Łódź <&>"}`
	xml    = "<MetaData/>"
)

// maker makes packs by hand, from what docs/evidence.md says and nothing else.
type maker struct {
	key      ed25519.PrivateKey
	events   []map[string]any // of the record and, between them, of others
	files    map[string]string
	unlisted map[string]string // files that the manifest does not list
	twice    string            // a file that is in the pack twice
	shown    []int             // the sequences of the events that the pack tells of
	names    string            // the fingerprint that the checkpoint names; the key's own when empty
}

func canonical(texts ...string) []byte {
	text, _ := json.Marshal(texts)
	return text
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func newMaker() *maker {
	m := &maker{
		key: ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize)), files: map[string]string{}, unlisted: map[string]string{}, shown: []int{1, 3, 4, 6},
	}
	m.event(record, "thing.created", "", "DRAFT", `{"sha256":"`+digest(body)+`"}`)
	m.event("another", "thing.created", "", "DRAFT", "")
	m.event(record, "thing.submitted", "DRAFT", "SUBMITTED", `{"sentSha256":"`+digest(xml)+`","note":"\"<&>\u2028 `+"\u2028 \\u007f \x7f"+`"}`)
	m.event(record, "thing.reviewed", "SUBMITTED", "SUBMITTED", "")
	m.event("another", "thing.deleted", "DRAFT", "", "")
	m.event(record, "thing.cleared", "SUBMITTED", "CLEARED", "")
	m.files["sent/0001-submit.xml"] = xml
	m.files["body.json"] = body
	m.files["record.json"] = `{"thing":{"id":"` + record + `","status":"CLEARED","name":"Łódź <&>"}}`
	return m
}

func (m *maker) event(of, eventType, from, to, data string) {
	n := len(m.events) + 1
	m.events = append(m.events, map[string]any{
		"sequence": n, "id": fmt.Sprintf("e-%d", n), "occurredAt": fmt.Sprintf("2026-11-21T09:00:%02d.000Z", n), "hub": "h", "eventType": eventType,
		"resourceType": "thing", "resourceId": of, "fromStatus": from, "toStatus": to, "actorUserId": "u", "actorType": "user",
		"keyId": "k", "requestId": `a"b\c`, "ipAddress": "::1", "data": data,
	})
}

// chain seals the events and gives their leaves.
func (m *maker) chain() (leaves []merkle.Hash) {
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

func (m *maker) sign(texts ...string) string {
	return base64.StdEncoding.EncodeToString(ed25519.Sign(m.key, canonical(texts...)))
}

func (m *maker) fingerprint() string { return digest(string(m.key.Public().(ed25519.PublicKey))) }

// write adds what follows from the events, unless it is there already, and packs it all.
func (m *maker) write(t testing.TB) []byte {
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
		"organisationId": org, "sequence": size, "hash": hash, "eventId": id, "occurredAt": at, "rootHash": rootHash, "keyFingerprint": cmp.Or(m.names, m.fingerprint()),
		"signature": m.sign("tidewaiter-checkpoint-1", org, fmt.Sprint(size), hash, id, at, rootHash),
	})
	var listed []any
	for _, name := range slices.Sorted(maps.Keys(m.files)) {
		listed = append(listed, map[string]any{"name": name, "bytes": len(m.files[name]), "sha256": digest(m.files[name])})
	}
	all := maps.Clone(m.files)
	maps.Copy(all, m.unlisted)
	manifest, _ := json.Marshal(map[string]any{"format": check.Format, "organisationId": org, "kind": "thing", "recordId": record, "files": listed})
	signature, _ := json.Marshal(map[string]any{
		"algorithm": "Ed25519", "publicKey": base64.StdEncoding.EncodeToString(m.key.Public().(ed25519.PublicKey)), "fingerprint": m.fingerprint(),
		"signature": m.sign("tidewaiter-manifest-1", digest(string(manifest))),
	})
	all["manifest.json"], all["signature.json"] = string(manifest), string(signature)
	return zipped(t, all, m.twice)
}

func (m *maker) add(t testing.TB, name string, value any) {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	if m.files[name] == "" {
		m.files[name] = string(text)
	}
}

func zipped(t testing.TB, files map[string]string, twice string) []byte {
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

func checked(t testing.TB, pack []byte) *check.Report {
	t.Helper()
	report, err := check.Pack(bytes.NewReader(pack), int64(len(pack)))
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// A pack that somebody made by the documentation alone is whole.
func TestPackByHand(t *testing.T) {
	m := newMaker()
	r := checked(t, m.write(t))
	if !r.Whole() || len(r.Findings) != 8 || r.Fingerprint != m.fingerprint() || r.RecordID != record || len(r.CannotTell) != 4 {
		t.Errorf("%+v", r)
	}
	if r.Expect(m.fingerprint()); !r.Whole() {
		t.Error("the key is another than its own")
	}
	if r.Expect(strings.Repeat("0", 64)); r.Whole() {
		t.Error("any key will do")
	}
}

// Of each byte of each file in turn, any change is found.
func TestEveryByteCounts(t *testing.T) {
	m := newMaker()
	pack := m.write(t)
	z, err := zip.NewReader(bytes.NewReader(pack), int64(len(pack)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range z.File {
		var content bytes.Buffer
		in, _ := f.Open()
		_, _ = content.ReadFrom(in)
		files[f.Name] = content.String()
	}
	tried := 0
	for name, content := range files {
		for at := 0; at < len(content); at += 1 + len(content)/60 {
			changed := []byte(content)
			changed[at] ^= 1
			touched := maps.Clone(files)
			touched[name] = string(changed)
			tried++
			pack := zipped(t, touched, "")
			if r, err := check.Pack(bytes.NewReader(pack), int64(len(pack))); err == nil && r.Whole() {
				t.Errorf("%s: byte %d can be changed", name, at)
			}
		}
	}
	if tried < 300 {
		t.Errorf("only %d changes", tried)
	}
}

// Whoever has the key and makes a pack that does not hold together is found out, and told
// by what.
func TestWhatDoesNotHold(t *testing.T) {
	for name, c := range map[string]struct {
		touch func(*maker)
		want  string
	}{
		"a file put in":             {func(m *maker) { m.unlisted["sent/0002-more.xml"] = "x" }, "sent/0002-more.xml is not in the manifest"},
		"a file twice":              {func(m *maker) { m.twice = "body.json" }, "body.json is in the pack twice"},
		"an event left out":         {func(m *maker) { m.shown = []int{1, 4, 6} }, "Event 4 begins with SUBMITTED, but the one before it led to DRAFT"},
		"the last event left out":   {func(m *maker) { m.shown = []int{1, 3, 4} }, "The last event, 4, is not the one of the checkpoint"},
		"another's event":           {func(m *maker) { m.shown = []int{1, 2, 3, 4, 6} }, "Event 2 (e-2) is of another record"},
		"an event twice":            {func(m *maker) { m.shown = []int{1, 1, 3, 4, 6} }, "Event 1 (e-1) is out of its order"},
		"events that are not told":  {func(m *maker) { m.files["timeline.json"] = `{"timeline":[]}` }, "The timeline leaves out event 1"},
		"events that are not there": {func(m *maker) { m.files["events.json"] = `{"events":[]}` }, "The timeline tells of event 1 otherwise"},
		"another key named":         {func(m *maker) { m.names = strings.Repeat("0", 64) }, "The signature of the checkpoint does not hold"},
		"other contents":            {func(m *maker) { m.files["body.json"] = `{"name":"x"}` }, "The contents of the record (body.json) are not"},
		"another record shown":      {func(m *maker) { m.files["record.json"] = strings.Replace(m.files["record.json"], "Łódź", "x", 1) }, "The record (record.json) does not have the contents"},
		"another status": {func(m *maker) {
			m.files["record.json"] = strings.Replace(m.files["record.json"], "CLEARED", "DRAFT", 1)
		}, "not in the status"},
		"another message":           {func(m *maker) { m.files["sent/0001-submit.xml"] = "<Other/>" }, "1 messages that events tell of are not in the pack"},
		"a message nobody tells of": {func(m *maker) { m.files["received/0001-x.xml"] = "<Other/>" }, "The timeline does not tell of received/0001-x.xml"},
		"a message left out":        {func(m *maker) { delete(m.files, "sent/0001-submit.xml") }, "The timeline names sent/0001-submit.xml"},
		"no record":                 {func(m *maker) { m.files["record.json"] = "x" }, "The record cannot be read"},
		"no timeline":               {func(m *maker) { m.files["timeline.json"] = "x" }, "The timeline cannot be read"},
		"no events":                 {func(m *maker) { m.files["events.json"] = "x" }, "The events cannot be read"},
		"no checkpoint":             {func(m *maker) { m.files["checkpoint.json"] = "x" }, "The checkpoint cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMaker()
			c.touch(m)
			r := checked(t, m.write(t))
			found := false
			for _, f := range r.Findings {
				found = found || !f.Holds && strings.Contains(f.Text, c.want)
			}
			if !found || r.Whole() {
				t.Errorf("%q is not among %+v", c.want, r.Findings)
			}
		})
	}
}

// Events that are proved against another root, or in another place, are found out, even
// where their own hashes are right.
func TestProofs(t *testing.T) {
	for name, touch := range map[string]func(e map[string]any){
		"a proof changed":     func(e map[string]any) { p := e["proof"].([]any); p[1] = strings.Repeat("0", 64) },
		"a proof cut":         func(e map[string]any) { e["proof"] = e["proof"].([]any)[1:] },
		"a proof in capitals": func(e map[string]any) { p := e["proof"].([]any); p[0] = strings.ToUpper(p[0].(string)) },
		"a field changed":     func(e map[string]any) { e["actorUserId"] = "somebody else" },
		"a hash changed":      func(e map[string]any) { e["hash"] = strings.Repeat("0", 64) },
		"a place changed":     func(e map[string]any) { e["sequence"] = 2 },
		"data told otherwise": func(e map[string]any) { e["data"] = "{}" },
	} {
		t.Run(name, func(t *testing.T) {
			m := newMaker()
			m.write(t)
			var all struct{ Events []map[string]any }
			if err := json.Unmarshal([]byte(m.files["events.json"]), &all); err != nil {
				t.Fatal(err)
			}
			touch(all.Events[1])
			text, _ := json.Marshal(map[string]any{"events": all.Events})
			m.files["events.json"] = string(text)
			r := checked(t, m.write(t))
			found := slices.ContainsFunc(r.Findings, func(f check.Finding) bool { return !f.Holds && strings.HasPrefix(f.Text, "Event ") })
			if !found {
				t.Errorf("%+v", r.Findings)
			}
		})
	}
}

// Two keys in one pack are found out.
func TestAnotherKey(t *testing.T) {
	m := newMaker()
	m.write(t) // fixes the checkpoint
	m.key = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{8}, ed25519.SeedSize))
	r := checked(t, m.write(t))
	if r.Whole() || r.Findings[2].Holds || !r.Findings[1].Holds {
		t.Errorf("%+v", r.Findings)
	}
}

// What is no pack is refused, and said to be none.
func TestNoPack(t *testing.T) {
	for name, pack := range map[string][]byte{
		"nothing": nil, "text": []byte("x"), "an empty ZIP": zipped(t, nil, ""), "another ZIP": zipped(t, map[string]string{"manifest.json": `{"format":"x"}`}, ""),
	} {
		if r, err := check.Pack(bytes.NewReader(pack), int64(len(pack))); err == nil {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// FuzzPack gives the check any files under the names that a pack has: it ends, and finds
// nothing whole but what the key of the pack has signed.
func FuzzPack(f *testing.F) {
	m := newMaker()
	m.write(f)
	f.Add(`{"format":"tidewaiter-evidence-1","files":[]}`, "{}", m.files["checkpoint.json"], m.files["events.json"], m.files["timeline.json"], m.files["record.json"])
	f.Add(`{"format":"tidewaiter-evidence-1","files":[{"name":"x","bytes":-1}]}`, "[]", "[]", "{}", `{"timeline":[{}]}`, `{"x":{}}`)
	f.Fuzz(func(t *testing.T, manifest, signature, checkpoint, events, timeline, record string) {
		pack := zipped(t, map[string]string{
			"manifest.json": manifest, "signature.json": signature, "checkpoint.json": checkpoint, "events.json": events, "timeline.json": timeline, "record.json": record,
		}, "")
		if r, err := check.Pack(bytes.NewReader(pack), int64(len(pack))); err == nil && r.Whole() {
			t.Errorf("whole: %+v", r)
		}
	})
}
