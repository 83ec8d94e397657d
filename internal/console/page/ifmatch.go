package page

import (
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// etags matches a list of ETags of records: the version, and a suffix for the representation.
var etags = lazyregexp.New(`^\s*(W/)?"([0-9]+)(-[\w-]+)?"\s*$`)

// IfMatch returns the versions of a record that the header If-Match of an API operation allows.
func (c *Context) IfMatch() (versions filing.IfVersion, err error) {
	text := strings.Join(c.R.Header.Values("If-Match"), ",")
	if text = strings.TrimSpace(text); text == "" || text == "*" {
		return nil, nil
	}
	for tag := range strings.SplitSeq(text, ",") {
		found := etags.FindStringSubmatch(tag)
		if found == nil {
			return nil, apierr.Invalid(apierr.Detail{Field: "If-Match", Message: `must be * or a list of ETags in quotes, such as "3"`})
		}
		version, err := strconv.ParseInt(found[2], 10, 64)
		if err != nil {
			return nil, apierr.Invalid(apierr.Detail{Field: "If-Match", Message: "has a version that does not exist"})
		}
		versions = append(versions, version)
	}
	return versions, nil
}
