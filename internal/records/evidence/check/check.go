// Package check verifies an evidence pack as described in docs/evidence.md. It shares no code
// with the service except the Merkle tree.
package check

import (
	"archive/zip"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Limits for packs from unknown sources.
const (
	maxFiles = 25_000
	maxBytes = 1<<30 + 64<<20 // of all files, unpacked
	maxJSON  = 64 << 20       // of a file that is read into memory
)

// Format is the supported version of packs.
const Format = "tidewaiter-evidence-1"

// Finding is the result of one check.
type Finding struct {
	Passed bool   `json:"holds"`
	Text   string `json:"text"`
}

// Report is the result of the verification.
type Report struct {
	OrganisationID string    `json:"organisationId"`
	Kind           string    `json:"kind"`
	RecordID       string    `json:"recordId"`
	Fingerprint    string    `json:"fingerprint"` // of the key that signed
	Checkpoint     string    `json:"checkpoint"`  // sequence:hash
	RootHash       string    `json:"rootHash"`
	Findings       []Finding `json:"findings"`
	NotVerifiable  []string  `json:"cannotTell"`
}

// OK reports whether all checks passed.
func (r *Report) OK() bool {
	for _, f := range r.Findings {
		if !f.Passed {
			return false
		}
	}
	return len(r.Findings) > 0
}

// Expect compares the key with an expected fingerprint.
func (r *Report) Expect(fingerprint string) {
	if fingerprint == r.Fingerprint {
		r.pass("The key has the expected fingerprint.")
	} else {
		r.fail("The key does not have the expected fingerprint %s.", fingerprint)
	}
}

func (r *Report) pass(text string, args ...any) {
	r.Findings = append(r.Findings, Finding{true, fmt.Sprintf(text, args...)})
}

func (r *Report) fail(text string, args ...any) {
	r.Findings = append(r.Findings, Finding{false, fmt.Sprintf(text, args...)})
}

// pack is a pack that is being checked.
type pack struct {
	report   Report
	files    map[string]*zip.File
	order    []string
	manifest manifest
	digests  map[string]string // by file, from the manifest
	public   ed25519.PublicKey // nil without a valid key
	head     checkpoint
	events   []event // for later checks
	compared int     // unchanged personal values
	erased   int     // personal values that were erased
}

type manifest struct {
	Format, OrganisationID, Kind, RecordID string
	Files                                  []manifestFile
}

type manifestFile struct {
	Name, SHA256 string
	Bytes        int64
}

// limits are questions that no pack can answer.
var limits = []string{
	"Who owns the key. Compare its fingerprint with the one that the trader or the operator of the service gave you, or with an earlier pack.",
	"Whether the clock of the service was right, and whether the entered data is true.",
	"Whether events are missing. Each event has a proof that it is in the audit trail, but only the whole trail shows that there are no others. A gap in the changes of status is detected.",
	"Whether the whole audit trail was replaced before this pack was made. If you have an earlier checkpoint, ask the operator for a proof that the trail extends it.",
}

// errNotPack is the error of a file that is not a pack.
var errNotPack = errors.New("check: this is not an evidence pack of a known format")

// Pack checks a pack. It returns an error if the pack cannot be read at all; other problems are in the
// report.
func Pack(r io.ReaderAt, size int64) (*Report, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fmt.Errorf("check: %w", err)
	}
	p := &pack{files: map[string]*zip.File{}, digests: map[string]string{}, report: Report{NotVerifiable: limits}}
	if len(z.File) > maxFiles {
		return nil, errNotPack
	}
	twice := ""
	for _, f := range z.File {
		if p.files[f.Name] != nil {
			twice = f.Name
		}
		p.files[f.Name] = f
		p.order = append(p.order, f.Name)
	}
	if twice != "" {
		p.report.fail("%s is in the pack twice.", twice)
		return &p.report, nil
	}
	if err := p.json("manifest.json", &p.manifest); err != nil || p.manifest.Format != Format {
		return nil, errNotPack
	}
	p.report.OrganisationID, p.report.Kind, p.report.RecordID = p.manifest.OrganisationID, p.manifest.Kind, p.manifest.RecordID
	p.checkFiles()
	p.checkSignature()
	p.checkCheckpoint()
	p.checkEvents()
	p.checkTimeline()
	p.checkRecord()
	return &p.report, nil
}

// checkFiles compares every file with the manifest.
func (p *pack) checkFiles() {
	var left int64 = maxBytes
	wrong := false
	fail := func(text string, args ...any) {
		wrong = true
		p.report.fail(text, args...)
	}
	for _, l := range p.manifest.Files {
		if _, again := p.digests[l.Name]; again {
			fail("%s is in the manifest twice.", l.Name)
		}
		p.digests[l.Name] = l.SHA256
		f := p.files[l.Name]
		if f == nil {
			fail("%s is missing.", l.Name)
			continue
		}
		n, sum, err := digest(f, left)
		left -= n
		if err != nil || n != l.Bytes || sum != l.SHA256 {
			fail("%s does not match the manifest.", l.Name)
		}
	}
	for _, name := range p.order {
		if _, known := p.digests[name]; !known && name != "manifest.json" && name != "signature.json" {
			fail("%s is not in the manifest. It was added later.", name)
		}
	}
	if !wrong {
		p.report.pass("All %d files match the manifest.", len(p.manifest.Files))
	}
}

func digest(f *zip.File, most int64) (n int64, sum string, err error) {
	in, err := f.Open()
	if err != nil {
		return 0, "", err
	}
	defer in.Close()
	h := sha256.New()
	n, err = io.Copy(h, io.LimitReader(in, most))
	return n, hex.EncodeToString(h.Sum(nil)), err
}

type signature struct{ Algorithm, PublicKey, Fingerprint, Signature string }

// checkSignature verifies the signature of the manifest.
func (p *pack) checkSignature() {
	var s signature
	text, err := p.read("manifest.json")
	if err == nil {
		err = p.json("signature.json", &s)
	}
	public, errKey := base64.StdEncoding.DecodeString(s.PublicKey)
	if err != nil || errKey != nil || s.Algorithm != "Ed25519" || len(public) != ed25519.PublicKeySize {
		p.report.fail("The signature of the manifest cannot be read.")
		return
	}
	sum := sha256.Sum256(public)
	p.report.Fingerprint = hex.EncodeToString(sum[:])
	p.public = public
	digest := sha256.Sum256(text)
	switch {
	case s.Fingerprint != p.report.Fingerprint:
		p.report.fail("The fingerprint in signature.json does not match the key.")
	case !p.signed(s.Signature, "tidewaiter-manifest-1", hex.EncodeToString(digest[:])):
		p.report.fail("The signature of the manifest is not valid.")
	default:
		p.report.pass("The manifest is signed by the key %s.", p.report.Fingerprint)
	}
}

// signed reports whether the key of the pack has signed texts.
func (p *pack) signed(signature string, texts ...string) bool {
	raw, err := base64.StdEncoding.Strict().DecodeString(signature)
	return err == nil && p.public != nil && ed25519.Verify(p.public, canonical(texts), raw)
}

// canonical returns the JSON array of texts that is hashed and signed.
func canonical(texts []string) []byte {
	text, _ := json.Marshal(texts)
	return text
}

func (p *pack) open(name string) (io.ReadCloser, error) {
	f := p.files[name]
	if f == nil {
		return nil, fmt.Errorf("check: %s is missing", name)
	}
	return f.Open()
}

func (p *pack) read(name string) ([]byte, error) {
	in, err := p.open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return io.ReadAll(io.LimitReader(in, maxJSON))
}

func (p *pack) json(name string, into any) error {
	text, err := p.read(name)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// each calls fn for every element of the list in a file.
func each[T any](p *pack, name string, fn func(T)) error {
	in, err := p.open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	d := json.NewDecoder(io.LimitReader(in, maxBytes))
	for range 3 { // start of the object, name, start of the list
		if _, err := d.Token(); err != nil {
			return err
		}
	}
	for d.More() {
		var one T
		if err := d.Decode(&one); err != nil {
			return err
		}
		fn(one)
	}
	return nil
}

// isMessage reports whether a file is a sent or received message.
func isMessage(name string) bool {
	return (strings.HasPrefix(name, "sent/") || strings.HasPrefix(name, "received/")) && !strings.HasSuffix(name, ".headers.json")
}
