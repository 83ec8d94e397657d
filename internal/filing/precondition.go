package filing

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// IfVersion limits a change to certain versions of a record, so that a caller does not overwrite a change that it has not
// seen. Nil allows every version; an empty list allows none.
type IfVersion []int64

// Check returns precondition_failed if the version of the record is another one.
func (v IfVersion) Check(version int64) error {
	if v == nil || slices.Contains(v, version) {
		return nil
	}
	if len(v) == 0 {
		return apierr.New(apierr.PreconditionFailed, "If-Match names no version of this record, which is at version %d. Read it again and send its ETag.", version)
	}
	return apierr.New(apierr.PreconditionFailed, "The record is at version %d, but If-Match names %s. Read it again and repeat the change.", version, v)
}

// String returns the versions as text.
func (v IfVersion) String() string {
	texts := make([]string, len(v))
	for i, version := range v {
		texts[i] = fmt.Sprint(version)
	}
	return strings.Join(texts, ", ")
}
