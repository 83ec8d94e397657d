package official

import (
	"fmt"
	"slices"
	"strings"
)

// area is an area with its members.
type area struct {
	id, description string
	members         []string
}

// isAreaID reports whether a text is the id of a country or a group.
func isAreaID(id string) bool {
	return (len(id) == 2 || len(id) == 4) && strings.Trim(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
}

func (a area) row() ([]string, error) {
	for _, id := range append([]string{a.id}, a.members...) {
		if !isAreaID(id) {
			return nil, fmt.Errorf("area %q: must be two or four capitals or digits", id)
		}
	}
	return []string{a.id, a.description, strings.Join(a.members, " ")}, nil
}

// parsePlainArea reads {"id", "description", "members"}.
func parsePlainArea(e entry) (area, error) {
	var a struct {
		ID          string   `json:"id"`
		Description string   `json:"description"`
		Members     []string `json:"members"`
	}
	err := e.of(&a)
	return area{a.ID, a.Description, a.Members}, err
}

// parseAnsweredArea reads an area as HMRC's tariff service answers it.
func parseAnsweredArea(e entry) (area, error) {
	var a struct {
		ID         string `json:"id"`
		Attributes struct {
			Description string `json:"description"`
		} `json:"attributes"`
		Relationships struct {
			Children struct {
				Data []struct {
					ID string `json:"id"`
				} `json:"data"`
			} `json:"children_geographical_areas"`
		} `json:"relationships"`
	}
	err := e.of(&a)
	found := area{id: a.ID, description: a.Attributes.Description}
	for _, c := range a.Relationships.Children.Data {
		if c.ID != euLetters || a.ID != euArea { // the answer counts the group's other name among its members
			found.members = append(found.members, c.ID)
		}
	}
	return found, err
}

// The area of the European Union, which has two names.
const (
	euArea    = "1013"
	euLetters = "EU"
)

func plainArea(e entry) ([]string, error) {
	a, err := parsePlainArea(e)
	if err != nil {
		return nil, err
	}
	return a.row()
}

func answeredArea(e entry) ([]string, error) {
	a, err := parseAnsweredArea(e)
	if err != nil {
		return nil, err
	}
	return a.row()
}

// hasMembers reports whether a list of areas has groups: one of countries alone would leave the tariff without any.
func hasMembers(all []entry) bool {
	return slices.ContainsFunc(all, func(e entry) bool {
		plain, _ := parsePlainArea(e)
		answered, _ := parseAnsweredArea(e)
		return len(plain.members)+len(answered.members) > 0
	})
}
