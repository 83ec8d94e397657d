package api

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
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
		shown := name
		if _, ok := metadataKey(name); ok {
			shown = metadataParam
		} else if name == metadataParam {
			shown = ""
		}
		if !slices.ContainsFunc(known, func(p *huma.Param) bool { return p.In == "query" && p.Name == shown }) {
			names = append(names, name)
		}
	}
	return names
}

// enumerate returns the parameters with the values that are permitted. It copies those that it changes,
// since huma checks requests with the original ones.
func enumerate(params []*huma.Param, op operation) []*huma.Param {
	out := slices.Clone(params)
	for i, param := range params {
		if param.Name == "limit" && param.Schema.Default == nil {
			out[i] = describeLimit(param, op)
			continue
		}
		values := op.values[param.Name]
		if values == nil || param.In != "query" {
			continue
		}
		own, schema := *param, *param.Schema
		schema.Enum, schema.MaxLength, own.Schema = values, nil, &schema
		out[i] = &own
	}
	return out
}

// describeLimit returns the parameter limit with the default and maximum of the list.
func describeLimit(param *huma.Param, op operation) *huma.Param {
	own, schema := *param, *param.Schema
	schema.Default = wholePage
	if op.kind != nil && op.kind.shortPages {
		most := float64(maxPage)
		schema.Default, schema.Maximum, own.Example = defaultPage, &most, defaultPage
		schema.Examples = nil
	}
	own.Schema = &schema
	return &own
}

// stateValues returns states as the values of an enumeration.
func stateValues(states []lifecycle.State) []any {
	values := make([]any, len(states))
	for i, state := range states {
		values[i] = string(state)
	}
	return values
}

func joinAny(values []any) string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = fmt.Sprint(v)
	}
	return strings.Join(words, ", ")
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
