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

// wrong names a parameter and what is wrong with it.
func wrong(name, message string) error {
	return &huma.ErrorDetail{Location: "query." + name, Message: message}
}

// strays are the parameters of a query that the operation does not have.
func strays(asked *url.URL, known []*huma.Param) (names []string) {
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

// within tells what is wrong with a span of time; either end may be left out.
func within(from, to time.Time) []error {
	if !from.IsZero() && !to.IsZero() && from.After(to) {
		return []error{wrong("startDate", "must not be after endDate")}
	}
	return nil
}

// checkQuery refuses a query string that is malformed, as a whole or in a parameter, which it
// names if its name can be read. Otherwise the parameter would be left out without a word.
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
		return apierr.Invalid(apierr.Detail{Field: name, Message: "is not encoded as a query parameter must be: write % as %25 and ; as %3B"})
	}
	return apierr.Invalid(apierr.Detail{Field: "query", Message: "is malformed: write % as %25 and ; as %3B, and send at most 10,000 parameters"})
}
