package measure

import (
	"fmt"
	"maps"
	"slices"
)

// Everywhere is the area of all countries.
const Everywhere = "1011"

// EU is the area of the member states, which exclusions name by its letters.
const (
	EU      = "1013"
	euShort = "EU"
)

// Union are the member states of the European Union since 1 February 2020, which the EU's area stands for in answers that do
// not list them.
var Union = []string{
	"AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU", "IE", "IT", "LT", "LU", "LV", "MT", "NL",
	"PL", "PT", "RO", "SE", "SI", "SK",
}

// Areas are the groups of countries of a tariff, with all their countries.
type Areas struct {
	members map[string][]string // countries by group, sorted
}

// NewAreas expands groups: a member is a country or another group. A group that contains itself is an error.
func NewAreas(groups map[string][]string) (*Areas, error) {
	a := &Areas{members: make(map[string][]string, len(groups))}
	for _, id := range slices.Sorted(maps.Keys(groups)) {
		if err := a.expand(id, groups, nil); err != nil {
			return nil, err
		}
	}
	if len(a.members[EU]) == 0 {
		a.members[EU] = Union
	}
	return a, nil
}

// expand fills the countries of a group. Above are the groups that contain it.
func (a *Areas) expand(id string, groups map[string][]string, above []string) error {
	if _, done := a.members[id]; done {
		return nil
	}
	if slices.Contains(above, id) {
		return fmt.Errorf("the area %s contains itself", id)
	}
	above = append(above, id)
	countries := []string{}
	for _, member := range groups[id] {
		if _, group := groups[member]; !group {
			countries = append(countries, member)
			continue
		}
		if err := a.expand(member, groups, above); err != nil {
			return err
		}
		countries = append(countries, a.members[member]...)
	}
	slices.Sort(countries)
	a.members[id] = slices.Compact(countries)
	return nil
}

// Countries returns the countries of a group; false if it is none.
func (a *Areas) Countries(group string) ([]string, bool) {
	if group == euShort {
		group = EU
	}
	countries, ok := a.members[group]
	return countries, ok
}

// Contains reports whether an area, a country or a group, is or contains another one, which may be a group.
func (a *Areas) Contains(area, other string) bool {
	if area == other {
		return true
	}
	countries, group := a.Countries(area)
	if !group {
		return false
	}
	if within, ok := a.Countries(other); ok {
		return len(within) > 0 && !slices.ContainsFunc(within, func(c string) bool { return !contains(countries, c) })
	}
	return contains(countries, other)
}

func contains(sorted []string, one string) bool {
	_, found := slices.BinarySearch(sorted, one)
	return found
}

// Applies reports whether a measure concerns goods of an origin. Measures of all countries concern those that are
// members of that group; national measures, and the Meursing amounts, concern every country.
func (a *Areas) Applies(m *Measure, origin string) bool {
	for _, excluded := range m.Excluded {
		if a.Contains(excluded, origin) {
			return false
		}
	}
	if m.Area == Everywhere && (m.SID < 0 || IsMeursing(m.Type) || len(a.members[Everywhere]) == 0) {
		return true
	}
	return a.Contains(m.Area, origin)
}

// groupDigits is the length of the ids of groups; those of countries have two letters.
const groupDigits = 4

// Unknown reports whether a measure is for a group of countries, or excludes one, whose members are not known: it cannot be said
// which origins it concerns. A measure of all countries concerns every origin if their list is not known.
func (a *Areas) Unknown(m *Measure) bool {
	return m.Area != Everywhere && a.isUnknown(m.Area) || slices.ContainsFunc(m.Excluded, a.isUnknown)
}

func (a *Areas) isUnknown(id string) bool { return len(id) == groupDigits && len(a.members[id]) == 0 }

// Groups returns the countries of every group.
func (a *Areas) Groups() map[string][]string { return a.members }
