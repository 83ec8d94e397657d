package ens

import (
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/schema"
)

// Field returns the member of a message's JSON that a location of HMRC's is about: /ie:CC315A[1]/GOOITEGDS[2]/PACGS2[1] is
// gOOITEGDS[1].pACGS2[0]. It is "" for the message as a whole, for its header, which the service makes, and for what is no
// location in a message. Locations of the schema may have other prefixes; their indexes are right for lists in their order.
func Field(location string) string {
	steps := strings.Split(strings.TrimPrefix(location, "/"), "/")
	_, root, prefixed := strings.Cut(steps[0], ":")
	if !prefixed {
		root = steps[0]
	}
	part := schema.Of(strings.TrimSuffix(root, "[1]"))
	if part == nil {
		return ""
	}
	var path []string
	for _, step := range steps[1:] {
		name, index, ok := cutIndex(step)
		if part = part.Find(name); !ok || part == nil || len(path) == 0 && !part.IsGroup() {
			return ""
		}
		member := part.Member()
		if part.IsList() {
			member += "[" + strconv.Itoa(index-1) + "]"
		}
		path = append(path, member)
	}
	return strings.Join(path, ".")
}

// cutIndex divides a step such as ITI[2].
func cutIndex(step string) (name string, index int, ok bool) {
	name, rest, _ := strings.Cut(step, "[")
	index, err := strconv.Atoi(strings.TrimSuffix(rest, "]"))
	return name, index, err == nil && index > 0
}
