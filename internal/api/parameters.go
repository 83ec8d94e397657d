package api

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// paramError returns an error about a query parameter.
func paramError(name, message string) error {
	return &huma.ErrorDetail{Location: "query." + name, Message: message}
}

// unknownParams returns the names of query parameters that the operation does not define.
func unknownParams(asked *url.URL, known []*huma.Param) (names []string) {
	if asked.RawQuery == "" {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(asked.Query())) {
		if !slices.ContainsFunc(known, func(p *huma.Param) bool { return p.In == "query" && p.Name == name }) {
			names = append(names, name)
		}
	}
	return names
}

// checkDateRange returns an error if from is after to; either may be zero.
func checkDateRange(from, to time.Time) []error {
	if !from.IsZero() && !to.IsZero() && from.After(to) {
		return []error{paramError("startDate", "must not be after endDate")}
	}
	return nil
}

// checkQuery rejects a malformed query string; net/http would silently drop the malformed parameters.
// The error names the parameter if its name can be decoded.
func checkQuery(query string) error {
	if _, err := url.ParseQuery(query); err == nil {
		return nil
	}
	for pair := range strings.SplitSeq(query, "&") {
		if _, err := url.ParseQuery(pair); err == nil {
			continue
		}
		name, _, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(name)
		if err != nil || name == "" || strings.Contains(name, ";") {
			break
		}
		return apierr.Invalid(apierr.Detail{Field: name, Message: "is not encoded correctly: write % as %25 and ; as %3B"})
	}
	return apierr.Invalid(apierr.Detail{Field: "query", Message: "is malformed: write % as %25 and ; as %3B, and send at most 10,000 parameters"})
}
