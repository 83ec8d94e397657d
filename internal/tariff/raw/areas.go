package raw

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Area is a country, or a group of countries with its members.
type Area struct {
	ID, Name string
	Members  []string
}

// Areas returns the areas with the members of a day (YYYY-MM-DD), by id.
func (s *Set) Areas(day string) (all []Area, faults []Fault) {
	found := map[string]*Area{}
	for _, row := range s.tables[areas].rows {
		found[row[0]] = &Area{ID: row[0]}
	}
	if t := s.tables[areaTexts]; t != nil {
		for _, v := range slices.Sorted(maps.Keys(t.rows)) {
			if id, err := s.area(t.rows[v][0]); err == nil {
				found[id].Name = t.rows[v][1]
			}
		}
	}
	if t := s.tables[memberships]; t != nil {
		faults = s.join(t, found, day)
	}
	for _, id := range slices.Sorted(maps.Keys(found)) {
		slices.Sort(found[id].Members)
		all = append(all, *found[id])
	}
	return all, faults
}

// join adds members to groups. Of the versions of a membership the newest counts.
func (s *Set) join(t *things, found map[string]*Area, day string) (faults []Fault) {
	newest := map[[2]string][]string{}
	for _, v := range slices.Sorted(maps.Keys(t.rows)) {
		row := t.rows[v]
		group, err := s.area(row[0])
		member, failed := s.area(row[1])
		if err != nil || failed != nil {
			return []Fault{{s.files[memberships], 0, fmt.Errorf("the membership %d names an area that is not in %s", v, areas)}}
		}
		newest[[2]string{group, member}] = row
	}
	for of, row := range newest {
		from, to := row[2], row[3]
		if strings.Compare(from, day) <= 0 && (to == "" || to[:min(len(to), len(day))] >= day) {
			found[of[0]].Members = append(found[of[0]].Members, of[1])
		}
	}
	return nil
}

// area returns the id of the area that a number names.
func (s *Set) area(text string) (string, error) {
	n, err := parseNumber(text)
	if err != nil {
		return "", err
	}
	row, ok := s.tables[areas].rows[n]
	if !ok {
		return "", fmt.Errorf("%d is not in %s", n, areas)
	}
	return row[0], nil
}
