package api

import (
	"maps"
	"net/url"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"
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
