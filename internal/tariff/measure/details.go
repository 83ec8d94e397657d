package measure

import "maps"

// Details are what the tariff says about the things that measures name. Each is by code.
type Details struct {
	Types      map[string]string // descriptions of measure types
	Series     map[string]string // series of measure types, such as A for prohibitions
	Areas      map[string]string // names of areas
	Documents  map[string]string // descriptions of certificates
	Additional map[string]string // descriptions of additional codes
	Footnotes  map[string]string
	Acts       map[string]LegalAct
}

// NewDetails returns details without any entry.
func NewDetails() Details {
	return Details{
		Types: map[string]string{}, Series: map[string]string{}, Areas: map[string]string{}, Documents: map[string]string{}, Additional: map[string]string{},
		Footnotes: map[string]string{}, Acts: map[string]LegalAct{},
	}
}

// Add adds the entries of others; they replace those of the same code.
func (d *Details) Add(o *Details) {
	for _, m := range []struct{ to, from map[string]string }{
		{d.Types, o.Types}, {d.Series, o.Series}, {d.Areas, o.Areas}, {d.Documents, o.Documents}, {d.Additional, o.Additional}, {d.Footnotes, o.Footnotes},
	} {
		maps.Copy(m.to, m.from)
	}
	maps.Copy(d.Acts, o.Acts)
}
