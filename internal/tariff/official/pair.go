package official

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"maps"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/tariff/difference"
)

// ImportQueue is the queue of the jobs that tell organisations of an import. A job's subject is a Pair.
const ImportQueue = "tariff-imports"

// Pair are two editions: the one before an import, and the imported one.
type Pair struct{ From, To int64 }

// String is the text that ParsePair reads.
func (p Pair) String() string { return fmt.Sprintf("%d %d", p.From, p.To) }

// ParsePair is the reverse of String.
func ParsePair(text string) (p Pair, err error) {
	if _, err = fmt.Sscanf(text, "%d %d", &p.From, &p.To); err != nil {
		err = fmt.Errorf("official: %q does not name two editions", text)
	}
	return p, err
}

// Fingerprint identifies the contents of both editions: an import after a rollback has the same one as before.
func (p Pair) Fingerprint(ctx context.Context, in Store) (string, error) {
	sum := sha256.New()
	for _, version := range []int64{p.From, p.To} {
		if err := addContents(ctx, in, version, sum); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// addContents adds the names of all pieces and tables of an edition, each with the digest of its content.
func addContents(ctx context.Context, in Store, version int64, to hash.Hash) error {
	fmt.Fprintln(to, "edition")
	if version == 0 {
		return nil
	}
	e, err := keptEdition(ctx, in, version)
	if err != nil {
		return err
	}
	index, err := in.TariffIndex(ctx, version)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(index)) {
		packed, err := in.TariffPart(ctx, name, index[name])
		if err != nil {
			return err
		}
		fmt.Fprintf(to, "%s %x\n", name, sha256.Sum256(packed))
	}
	for _, t := range e.Tables {
		if t.Kind.prefix() != "" {
			continue
		}
		packed, err := in.TariffRows(ctx, t.Kind, t.Version)
		if err != nil {
			return err
		}
		fmt.Fprintf(to, "%s %x\n", t.Kind, sha256.Sum256(packed))
	}
	return nil
}

// ChangedCodes returns how many measures change for each commodity code.
func (c *Comparison) ChangedCodes(ctx context.Context) (codes map[string]int, err error) {
	codes = map[string]int{}
	err = c.Walk(ctx, "", func(d difference.Change) error { codes[d.Of().Code]++; return nil })
	return codes, err
}

// Of returns the changes for one commodity code.
func (c *Comparison) Of(ctx context.Context, code string) (all []difference.Change, err error) {
	err = c.visit(ctx, code, func(d difference.Change) error { all = append(all, d); return nil })
	return all, err
}

// Above returns the commodity codes of ten digits whose measures hold for a code: itself and the lines above it.
func Above(code string) (all []string) {
	for digits := chapterDigits; digits <= codeDigits; digits += 2 {
		if above := padded(code[:min(digits, len(code))]); !slices.Contains(all, above) {
			all = append(all, above)
		}
	}
	return all
}
