package api

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing"
)

// shownSum is the number of bytes of the sum in the ETag of a record that shows members that are not stored with it.
const shownSum = 8

// showing returns how a record of a kind is shown by itself; nil for the stored record.
func showing(k kind) present {
	if !k.Shows() {
		return nil
	}
	return func(tx Tx, f *filing.Filing) (response, error) {
		complete, err := k.Show(tx, *f)
		return filingResponse(k.Singular, &complete), err
	}
}

// presentWhole answers with a record as its kind shows it by itself. The version does not say whether members that are not
// stored with the record are current, so the ETag has a sum of them after the version, which If-Match ignores.
func (k kind) presentWhole(tx Tx, c *caller, f *filing.Filing, show present) (response, error) {
	out, err := show(tx, f)
	if err != nil {
		return response{}, err
	}
	sum := sha256.Sum256(out.Body)
	out.ETag = strings.TrimSuffix(etagOf(f.Version), `"`) + "-" + hex.EncodeToString(sum[:shownSum]) + `"`
	if c.ifNoneMatch.match(out.ETag) {
		out = response{Status: http.StatusNotModified, ETag: out.ETag}
	}
	out.Cache = revalidate
	return out, nil
}
