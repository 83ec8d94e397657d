package pointer

import "strings"

// codes are the sections by the schema's name.
var codes = func() map[string]string {
	all := make(map[string]string, len(sections))
	for code, s := range sections {
		all[s.name] = code
	}
	return all
}()

// FromPath reads the names of the schema, such as
// Declaration/GoodsShipment/GovernmentAgencyGoodsItem[2]/Commodity/Description, also
// with a prefix at each name and without the frame that every path has in common.
func FromPath(path string) (Pointer, bool) {
	parts := strings.Split(strings.Trim(strings.TrimSpace(path), "/"), "/")
	if len(parts) > maxSteps {
		return nil, false
	}
	p := make(Pointer, 0, len(parts)+2)
	for i, part := range parts {
		part = part[strings.LastIndexByte(part, ':')+1:]
		if part == "MetaData" && i == 0 {
			continue
		}
		name, sequence, err := cutPathIndex(part)
		if err != nil {
			return nil, false
		}
		if code, found := codes[name]; found {
			p = append(p, Step{Section: code, Sequence: sequence})
		} else if tag := tagOf(p, name); tag != "" && i == len(parts)-1 {
			p[len(p)-1].Tag = tag
		} else {
			return nil, false
		}
	}
	return p.framed(), len(p) > 0
}

// cutPathIndex takes GovernmentAgencyGoodsItem[2] apart.
func cutPathIndex(part string) (name string, sequence int, err error) {
	name, index, indexed := strings.Cut(part, "[")
	if !indexed {
		return name, 0, nil
	}
	_, sequence, err = cutIndex("X[" + index)
	return name, sequence, err
}

// tagOf finds an element by its name in the section that a path has come to.
func tagOf(p Pointer, name string) string {
	if len(p) == 0 {
		return ""
	}
	for tag, t := range sections[p[len(p)-1].Section].tags {
		if t.name == name {
			return tag
		}
	}
	return ""
}

// framed puts the root before a path that begins within the declaration.
func (p Pointer) framed() Pointer {
	if len(p) == 0 {
		return p
	}
	switch p[0].Section {
	case "42A", "07B":
		return p
	case "68A":
		return append(Pointer{{Section: "42A"}, {Section: "67A"}}, p...)
	}
	return append(Pointer{{Section: "42A"}}, p...)
}

// OfElement finds what a data element of the tariff, such as 6/8, is in a declaration:
// the first place that an input field has for it.
func OfElement(number string) (Pointer, bool) {
	if p, found := byElement[number]; found {
		return append(Pointer(nil), p...), true
	}
	return nil, false
}

// byElement are the places of fields.txt by data element; it never changes.
var byElement = mustReadElements(fieldsText)

func mustReadElements(text string) map[string]Pointer {
	all := map[string]Pointer{}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) != 2 {
			continue
		}
		p, err := Parse(words[0])
		if err != nil {
			panic("pointer: fields.txt: " + line)
		}
		if e := p.Element(); e != "" && all[e] == nil && p.tag() != "" {
			all[e] = p
		}
	}
	return all
}
