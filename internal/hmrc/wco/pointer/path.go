package pointer

import "strings"

// codes are the section codes by the schema's name.
var codes = func() map[string]string {
	all := make(map[string]string, len(sections))
	for code, s := range sections {
		all[s.name] = code
	}
	return all
}()

// FromPath parses a path in names of the schema, such as
// Declaration/GoodsShipment/GovernmentAgencyGoodsItem[2]/Commodity/Description, also with namespace prefixes and
// without the root.
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

// cutPathIndex splits GovernmentAgencyGoodsItem[2].
func cutPathIndex(part string) (name string, sequence int, err error) {
	name, index, indexed := strings.Cut(part, "[")
	if !indexed {
		return name, 0, nil
	}
	_, sequence, err = cutIndex("X[" + index)
	return name, sequence, err
}

// tagOf returns the tag of an element name in the last section of a path.
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

// framed adds the root to a path that begins within the declaration.
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

// OfElement returns the pointer of a data element of the tariff, such as 6/8: the first one with an input field.
func OfElement(number string) (Pointer, bool) {
	if p, found := byElement[number]; found {
		return append(Pointer(nil), p...), true
	}
	return nil, false
}

// byElement are the pointers of fields.txt by data element. It does not change.
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

// Names returns the names of the sections in the schema, and that of the element at the end, which is empty if the pointer
// leads to a section. An unknown code is used as its own name.
func (p Pointer) Names() (sections []string, element string) {
	for _, s := range p {
		sections = append(sections, sectionName(s.Section))
	}
	if tag := p.tag(); tag != "" {
		element = tagName(p[len(p)-1].Section, tag)
	}
	return sections, element
}
