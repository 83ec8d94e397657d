package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"strings"
)

// A bill of materials in the format CycloneDX 1.6. To be reproducible it has no serial number, and no time except the
// commit's.
type (
	sbom struct {
		Format       string       `json:"bomFormat"`
		Spec         string       `json:"specVersion"`
		Version      int          `json:"version"`
		Metadata     metadata     `json:"metadata"`
		Components   []component  `json:"components"`
		Dependencies []dependency `json:"dependencies"`
	}
	metadata struct {
		Timestamp  string     `json:"timestamp"`
		Component  component  `json:"component"`
		Properties []property `json:"properties"`
	}
	component struct {
		Type     string    `json:"type"`
		Ref      string    `json:"bom-ref"`
		Name     string    `json:"name"`
		Version  string    `json:"version"`
		Hashes   []digest  `json:"hashes,omitempty"`
		Licences []granted `json:"licenses,omitempty"`
		PURL     string    `json:"purl"`
	}
	digest struct {
		Algorithm string `json:"alg"`
		Content   string `json:"content"`
	}
	granted struct {
		Expression string `json:"expression"`
	}
	property struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	dependency struct {
		Ref string   `json:"ref"`
		On  []string `json:"dependsOn,omitempty"`
	}
)

const ours = "github.com/tidewaiter/tidewaiter"

// newSBOM lists the modules of a platform's program.
func newSBOM(c commit, p platform, program []byte, modules []*module) ([]byte, error) {
	sum := sha256.Sum256(program)
	self := component{
		Type: "application", Ref: purl(ours, c.Version), Name: "tidewaiter", Version: c.Version, PURL: purl(ours, c.Version),
		Hashes: []digest{{"SHA-256", hex.EncodeToString(sum[:])}},
	}
	b := sbom{Format: "CycloneDX", Spec: "1.6", Version: 1, Metadata: metadata{c.committed(), self, []property{
		{"tidewaiter:commit", c.Hash}, {"tidewaiter:goos", p.System}, {"tidewaiter:goarch", p.Machine},
	}}}
	refs := map[string]string{}
	all := dependency{Ref: self.Ref}
	for _, m := range modules {
		refs[m.Path] = purl(m.Path, m.Version)
		b.Components = append(b.Components, component{
			Type: "library", Ref: refs[m.Path], Name: m.Path, Version: m.Version, PURL: refs[m.Path], Hashes: m.hashes(), Licences: []granted{{m.expression()}},
		})
		all.On = append(all.On, refs[m.Path])
	}
	viewer := component{
		Type: "library", Ref: "pkg:npm/pdfjs-dist@" + pdfjsVersion, Name: "pdfjs-dist", Version: pdfjsVersion,
		PURL: "pkg:npm/pdfjs-dist@" + pdfjsVersion, Licences: []granted{{"Apache-2.0"}}, Hashes: []digest{{"SHA-256", pdfjsDigest}},
	}
	b.Components, all.On = append(b.Components, viewer), append(all.On, viewer.Ref)
	b.Dependencies = append(b.Dependencies, all, dependency{Ref: viewer.Ref})
	for _, m := range modules {
		d := dependency{Ref: refs[m.Path]}
		for _, path := range m.Needs {
			d.On = append(d.On, refs[path])
		}
		b.Dependencies = append(b.Dependencies, d)
	}
	text, err := json.MarshalIndent(b, "", "  ")
	return append(text, '\n'), err
}

// purl returns a module's package URL. The version of Go's standard library has no "go" prefix in it.
func purl(path, version string) string {
	if path == std {
		version = strings.TrimPrefix(version, "go")
	}
	return "pkg:golang/" + path + "@" + version
}

// hashes returns the module's hash in go.sum: SHA-256 of the list of its files.
func (m *module) hashes() []digest {
	sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(m.Sum, "h1:"))
	if err != nil || len(sum) == 0 {
		return nil
	}
	return []digest{{"SHA-256", hex.EncodeToString(sum)}}
}
