// Package check verifies an evidence pack as docs/evidence.md says, without the service
// and without its code: of ours it knows the tree alone.
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

// Limits of what is read of a pack that somebody sent.
const (
	maxFiles = 25_000
	maxBytes = 1<<30 + 64<<20 // of all files, unpacked
	maxJSON  = 64 << 20       // of a file that is read at once
)

// Format is the version of packs that is known here.
const Format = "tidewaiter-evidence-1"

// Finding is one thing that holds, or does not.
type Finding struct {
	Holds bool   `json:"holds"`
	Text  string `json:"text"`
}

// Report is what was found.
type Report struct {
	OrganisationID string    `json:"organisationId"`
	Kind           string    `json:"kind"`
	RecordID       string    `json:"recordId"`
	Fingerprint    string    `json:"fingerprint"` // of the key that signed
	Checkpoint     string    `json:"checkpoint"`  // sequence:hash
	RootHash       string    `json:"rootHash"`
	Findings       []Finding `json:"findings"`
	CannotTell     []string  `json:"cannotTell"`
}

// Whole tells whether everything holds.
func (r *Report) Whole() bool {
	for _, f := range r.Findings {
		if !f.Holds {
			return false
		}
	}
	return len(r.Findings) > 0
}

// Expect holds the key that signed against the fingerprint that somebody was told.
func (r *Report) Expect(fingerprint string) {
	if fingerprint == r.Fingerprint {
		r.holds("The key is the one that was expected.")
	} else {
		r.fails("The key is not the one that was expected, %s.", fingerprint)
	}
}

func (r *Report) holds(text string, args ...any) {
	r.Findings = append(r.Findings, Finding{true, fmt.Sprintf(text, args...)})
}

func (r *Report) fails(text string, args ...any) {
	r.Findings = append(r.Findings, Finding{false, fmt.Sprintf(text, args...)})
}

// pack is one that is being checked.
type pack struct {
	report   Report
	files    map[string]*zip.File
	order    []string
	manifest manifest
	digests  map[string]string // by file, as the manifest says
	public   ed25519.PublicKey // nil where there is none that is sound
	head     checkpoint
	events   []event // what later checks want of them
	compared int     // personal values that are as they were written
	erased   int     // personal values that were erased
}

type manifest struct {
	Format, OrganisationID, Kind, RecordID string
	Files                                  []listed
}

type listed struct {
	Name, SHA256 string
	Bytes        int64
}

// limits are what cannot be told from any pack.
var limits = []string{
	"Who has the key: compare its fingerprint with the one that the trader or the operator of the service told you, or that an earlier pack has.",
	"Whether the clock of the service was right, and whether what was entered is true.",
	"Whether more happened than the pack tells: each event is proved to stand in the trail, but only the whole trail shows that none was left out. What left a gap in the changes of status would show.",
	"Whether the trail was made anew as a whole before this pack: whoever kept an earlier checkpoint has the operator prove that it goes on from there.",
}

// errNoPack is of a file that is none.
var errNoPack = errors.New("check: this is not an evidence pack of a known format")

// Pack checks a pack. The error is that it cannot be read at all; whatever is wrong with
// it stands in the report.
func Pack(r io.ReaderAt, size int64) (*Report, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fmt.Errorf("check: %w", err)
	}
	p := &pack{files: map[string]*zip.File{}, digests: map[string]string{}, report: Report{CannotTell: limits}}
	if len(z.File) > maxFiles {
		return nil, errNoPack
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
		p.report.fails("%s is in the pack twice.", twice)
		return &p.report, nil
	}
	if err := p.json("manifest.json", &p.manifest); err != nil || p.manifest.Format != Format {
		return nil, errNoPack
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

// checkFiles holds every file against the manifest.
func (p *pack) checkFiles() {
	var left int64 = maxBytes
	wrong := false
	fail := func(text string, args ...any) {
		wrong = true
		p.report.fails(text, args...)
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
			fail("%s is not as it was packed.", l.Name)
		}
	}
	for _, name := range p.order {
		if _, known := p.digests[name]; !known && name != "manifest.json" && name != "signature.json" {
			fail("%s is not in the manifest: it was put in afterwards.", name)
		}
	}
	if !wrong {
		p.report.holds("All %d files are as the manifest lists them.", len(p.manifest.Files))
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

// checkSignature holds the manifest against its signature.
func (p *pack) checkSignature() {
	var s signature
	text, err := p.read("manifest.json")
	if err == nil {
		err = p.json("signature.json", &s)
	}
	public, errKey := base64.StdEncoding.DecodeString(s.PublicKey)
	if err != nil || errKey != nil || s.Algorithm != "Ed25519" || len(public) != ed25519.PublicKeySize {
		p.report.fails("The manifest has no signature that can be read.")
		return
	}
	sum := sha256.Sum256(public)
	p.report.Fingerprint = hex.EncodeToString(sum[:])
	p.public = public
	digest := sha256.Sum256(text)
	switch {
	case s.Fingerprint != p.report.Fingerprint:
		p.report.fails("The fingerprint beside the signature is not that of its key.")
	case !p.signed(s.Signature, "tidewaiter-manifest-1", hex.EncodeToString(digest[:])):
		p.report.fails("The signature of the manifest does not hold.")
	default:
		p.report.holds("The manifest is signed by the key %s.", p.report.Fingerprint)
	}
}

// signed tells whether the key of the pack has signed texts.
func (p *pack) signed(signature string, texts ...string) bool {
	raw, err := base64.StdEncoding.Strict().DecodeString(signature)
	return err == nil && p.public != nil && ed25519.Verify(p.public, canonical(texts), raw)
}

// canonical is the JSON array of texts that is hashed and signed.
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

// each calls fn for every element of the one list that a file has.
func each[T any](p *pack, name string, fn func(T)) error {
	in, err := p.open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	d := json.NewDecoder(io.LimitReader(in, maxBytes))
	for range 3 { // the object, the name and the list begin
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

// isMessage tells whether a file is what was sent or received itself.
func isMessage(name string) bool {
	return (strings.HasPrefix(name, "sent/") || strings.HasPrefix(name, "received/")) && !strings.HasSuffix(name, ".headers.json")
}
