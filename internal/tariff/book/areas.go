package book

import (
	"maps"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
	"github.com/tidewaiter/tidewaiter/internal/tariff/recording"
)

// ownAreas returns the areas of those recordings that have other members than the book's. A recording is used as a whole, with
// the members of its day, so that no list of another day changes what its measures concern.
func ownAreas(all []*recording.Recording, groups map[string][]string) (map[recording.Name]*measure.Areas, error) {
	own, known := map[recording.Name]*measure.Areas{}, map[string]*measure.Areas{}
	for _, r := range all {
		key := otherMembers(r.Groups, groups)
		if key == "" {
			continue
		}
		if known[key] == nil {
			with := maps.Clone(groups)
			maps.Copy(with, r.Groups)
			areas, err := measure.NewAreas(with)
			if err != nil {
				return nil, err
			}
			known[key] = areas
		}
		own[r.Name] = known[key]
	}
	return own, nil
}

// otherMembers lists the areas with other members than those of groups; empty if there is none.
func otherMembers(of, groups map[string][]string) string {
	var other strings.Builder
	for _, id := range slices.Sorted(maps.Keys(of)) {
		if slices.Equal(of[id], groups[id]) {
			continue
		}
		members := slices.Sorted(slices.Values(of[id]))
		if !slices.Equal(members, slices.Sorted(slices.Values(groups[id]))) {
			other.WriteString(id + " " + strings.Join(members, " ") + "\n")
		}
	}
	return other.String()
}
