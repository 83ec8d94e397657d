package apierr

import (
	"errors"
	"slices"
)

// Faults collects what several checks find wrong with a request, so that one answer names it all.
type Faults struct {
	details []Detail
	other   error
}

// Add adds the error of a check; nil for none. A field that an earlier check named is not named again.
func (f *Faults) Add(err error) {
	e, ok := As(err)
	if !ok || e.Code != InvalidRequest {
		f.other = errors.Join(f.other, err)
		return
	}
	earlier := len(f.details)
	for _, d := range e.Details {
		named := slices.ContainsFunc(f.details[:earlier], func(other Detail) bool { return other.Field == d.Field })
		if !named {
			f.details = append(f.details, d)
		}
	}
}

// Err returns an invalid_request with all faults, or an error of another kind if a check failed with one; nil if there is nothing.
func (f *Faults) Err() error {
	if f.other != nil || f.details == nil {
		return f.other
	}
	return Invalid(f.details...)
}
