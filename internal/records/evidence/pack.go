package evidence

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"io"
	"path"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Format is the version of the format.
const Format = "tidewaiter-evidence-1"

//go:embed assets
var assets embed.FS

// staticFiles are the files in every pack for human readers.
var staticFiles = []string{"README.txt", "verify.html", "verify.js"}

// manifest lists the files and the record.
type manifest struct {
	Format         string      `json:"format"`
	Program        string      `json:"program"`
	OrganisationID tenant.ID   `json:"organisationId"`
	Kind           string      `json:"kind"`
	RecordID       string      `json:"recordId"`
	Files          []fileEntry `json:"files"`
}

// signature is the signature of the manifest with its key.
type signature struct {
	audit.Key
	Signature string `json:"signature"`
}

func (p *pack) write(ctx context.Context, b *zipWriter) error {
	for _, name := range staticFiles {
		content, err := assets.ReadFile(path.Join("assets", name))
		if err == nil {
			err = b.add(name, time.Time{}, content)
		}
		if err != nil {
			return err
		}
	}
	if err := p.writeRecord(b); err != nil {
		return err
	}
	if err := p.writeMessages(ctx, b); err != nil {
		return err
	}
	if err := p.writeFiles(ctx, b); err != nil {
		return err
	}
	for _, part := range []struct {
		name  string
		write func(context.Context, io.Writer) error
	}{{"timeline.json", p.writeTimeline}, {"events.json", p.writeEvents}} {
		if err := b.stream(part.name, time.Time{}, func(w io.Writer) error { return part.write(ctx, w) }); err != nil {
			return err
		}
	}
	if err := b.json("checkpoint.json", p.checkpoint); err != nil {
		return err
	}
	return p.sign(b)
}

// writeRecord writes the record in the format of the API and as entered, the review, and the list
// of documents.
func (p *pack) writeRecord(b *zipWriter) error {
	whole := append(append([]byte(`{"`+p.kind.Singular+`":`), p.record...), "}\n"...)
	if err := b.add("record.json", time.Time{}, whole); err != nil {
		return err
	}
	if err := b.add("body.json", time.Time{}, p.filing.Body); err != nil {
		return err
	}
	if p.review != nil {
		if err := b.json("review.json", map[string]any{"review": p.review}); err != nil {
			return err
		}
	}
	return p.writeDocuments(b)
}

// documentEntry is an entry of a document. The service has no copy of the document; the digest is of the
// entry.
type documentEntry struct {
	Declared json.RawMessage `json:"declared"`
	SHA256   string          `json:"sha256"`
}

func (p *pack) writeDocuments(b *zipWriter) error {
	var body struct{ Documents []json.RawMessage }
	if err := json.Unmarshal(p.filing.Body, &body); err != nil || len(body.Documents) == 0 {
		return nil // the kind uses the member for something else
	}
	all := make([]documentEntry, len(body.Documents))
	for i, d := range body.Documents {
		sum := sha256.Sum256(d)
		all[i] = documentEntry{d, hex.EncodeToString(sum[:])}
	}
	return b.json("documents.json", map[string]any{"documents": all})
}

// sign writes the manifest of all files and its signature.
func (p *pack) sign(b *zipWriter) error {
	m := manifest{
		Format: Format, Program: "tidewaiter " + p.service.Version, OrganisationID: p.org, Kind: p.kind.Kind, RecordID: p.filing.ID, Files: b.files,
	}
	if err := b.json("manifest.json", m); err != nil {
		return err
	}
	digest := b.files[len(b.files)-1].SHA256
	notary := p.service.Notary
	if err := b.json("signature.json", signature{notary.Key(), notary.Sign("tidewaiter-manifest-1", digest)}); err != nil {
		return err
	}
	return b.close()
}

// json adds a file of indented JSON.
func (b *zipWriter) json(name string, value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	return b.add(name, time.Time{}, append(text, '\n'))
}
