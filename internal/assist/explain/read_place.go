package explain

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/pointer"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

var (
	stepShape    = lazyregexp.New(`^[0-9]{2}[A-Z](\[[0-9]{1,4}\])?$`)
	elementShape = lazyregexp.New(`(?i)^(?:d\.?e\.?|box|data element)?\s*([1-8])\s*/\s*([0-9]{1,2})$`)
)

// places reads where an error is: pointers as texts, lists or objects of steps, paths of the
// schema, data element numbers, and this API's field names.
func (r *reading) places(f *ReportedError, v any, depth int) {
	if r.left--; r.left < 0 || depth > maxNest || len(f.Pointers)+len(f.Names) >= maxSpots {
		return
	}
	switch v := v.(type) {
	case string:
		f.addPlace(v)
	case map[string]any:
		m := members(v)
		if p := steps([]any{v}); p != nil {
			f.addPointer(p)
			return
		}
		for _, name := range append(placeNames, contentNames...) {
			r.places(f, m[name], depth+1)
		}
	case []any:
		if p := steps(v); p != nil {
			f.addPointer(p)
			return
		}
		for _, element := range v {
			r.places(f, element, depth+1)
		}
	}
}

// addPlace reads one text; an unknown place is stored as a name.
func (f *ReportedError) addPlace(text string) {
	text = strings.TrimSpace(text)
	if text == "" || len(text) > 1000 {
		return
	}
	if m := elementShape.FindStringSubmatch(text); m != nil {
		if p, found := pointer.OfElement(m[1] + "/" + m[2]); found {
			f.addPointer(p)
			return
		}
	}
	dotted := strings.ReplaceAll(strings.ReplaceAll(strings.Trim(text, "/"), " ", ""), "/", ".")
	if first, _, _ := strings.Cut(dotted, "."); stepShape.MatchString(first) {
		if p, err := pointer.Parse(dotted); err == nil {
			f.addPointer(p)
			return
		}
	}
	if p, found := pointer.To(text); found {
		f.addPointer(p)
	} else if p, found := pointer.FromPath(text); found {
		f.addPointer(p)
	} else if !slices.Contains(f.Names, text) {
		f.Names = append(f.Names, text)
	}
}

// addPointer adds a place unless it is there already in another spelling.
func (f *ReportedError) addPointer(p pointer.Pointer) {
	for _, known := range f.Pointers {
		if known.String() == p.String() || known.Field() == p.Field() {
			return
		}
	}
	f.Pointers = append(f.Pointers, p)
}

// maxPath is more steps than any pointer has.
const maxPath = 24

// steps reads a list as one pointer: of objects with sections, or of codes.
func steps(all []any) pointer.Pointer {
	if len(all) == 0 || len(all) > maxPath {
		return nil
	}
	var p pointer.Pointer
	for i, v := range all {
		switch v := v.(type) {
		case map[string]any:
			m := members(v)
			section, _ := scalar(m, sectionNames)
			if !stepShape.MatchString(section) {
				return nil
			}
			number, _ := scalar(m, sequenceNames)
			sequence, _ := strconv.ParseUint(number, 10, 16)
			tag, _ := scalar(m, tagNames)
			p = append(p, pointer.Step{Section: section[:3], Sequence: int(sequence), Tag: oneLine(tag, 8)})
		case string:
			if !stepShape.MatchString(v) && (i == 0 || i < len(all)-1) {
				return nil
			}
			read, err := pointer.Parse(p.String() + "." + v)
			if i == 0 {
				read, err = pointer.Parse(v)
			}
			if err != nil {
				return nil
			}
			p = read
		default:
			return nil
		}
	}
	return p
}

// atItem sets the item number of pointers to goods if the report has it apart from them.
func atItem(f *ReportedError, number string) {
	n, err := strconv.ParseUint(number, 10, 16)
	if err != nil || n == 0 {
		return
	}
	for _, p := range f.Pointers {
		for i := range p {
			if p[i].Section == "68A" && p[i].Sequence == 0 {
				p[i].Sequence = int(n)
			}
		}
	}
}
