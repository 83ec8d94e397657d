package customs

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/access/terms"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
)

// addRepresentation adds how the client is represented (DE 3/21) and, for a client that declares for itself, the statement
// that says so (DE 2/2).
func (f *filler) addRepresentation() {
	kind, from := f.representation()
	if kind != "" && kind != datamodel.Self {
		fill(f, &f.header.Representation, "representation", &datamodel.Representation{Type: kind}, from, "3/21")
	}
	own := f.header.Representation
	self := own != nil && own.Type == datamodel.Self || own == nil && kind == datamodel.Self
	if f.usual {
		self = self || own == nil
	}
	if !self {
		return
	}
	code, text := "00500", "IMPORTER"
	if !f.isImport() {
		code, text = "00400", "EXPORTER"
	}
	for n := range f.items {
		f.addStatement(n, code, text, orDefault(from, computed))
	}
}

// representation returns how the organisation represents the client: by the client's record, or by the organisation's. It is
// SELF if the client is the declarant and the usual values are wanted, and empty if it is not known.
func (f *filler) representation() (kind, from string) {
	one := f.ownEORI() == "" || f.clientEORI() == "" || f.ownEORI() == f.clientEORI()
	switch {
	case f.client.Representation != "" && !one:
		return f.client.Representation, fromClient
	case one && f.usual:
		return datamodel.Self, computed
	case one:
		return "", ""
	case f.organisation.Profile.Representation != "":
		return strings.ToUpper(f.organisation.Profile.Representation), fromOrganisation
	case f.usual:
		return datamodel.Direct, constant
	}
	return "", ""
}

// Authorisations by what requires them. The codes are those of DE 3/39, the procedures those of DE 1/10, of HMRC's completion
// guide in November 2026. Goods also come out of the procedures byPrevious under the authorisation, such as 4071 and 6121.
var (
	byProcedure = map[string]string{"51": "IPO", "53": "TEA", "71": "CWP", "44": "EUS"}
	byPrevious  = map[string]string{"51": "IPO", "71": "CWP", "21": "OPO", "22": "OPO"}
	byType      = map[string]string{"B": "SDE", "C": "SDE", "E": "SDE", "F": "SDE", "Y": "SDE", "X": "SDE", "Z": "EIR"}
)

// documentCodes are the documents (DE 2/3) that go with the authorisations (DE 3/39).
var documentCodes = map[string]string{
	"DPO": "C506", "CGU": "C505", "SDE": "C512", "EIR": "C514", "CWP": "C517", "IPO": "C601", "OPO": "C019", "TEA": "C516", "EUS": "N990",
	"AEOC": "C501", "UKIM": "1UKI", "NIRM": "1RMS", "ACE": "C522", "FZ": "C600", "FP": "C600", "CSE": "C676", "EXW": "C676", "FTI": "C676", "MOU": "C676",
}

// required returns the authorisations that payment, additional type and procedures require.
func (f *filler) required() (all []string) {
	add := func(kind string) {
		if kind != "" && !slices.Contains(all, kind) {
			all = append(all, kind)
		}
	}
	if f.defers() {
		add("DPO")
		add("CGU")
	}
	add(byType[f.header.AdditionalType])
	if strings.HasSuffix(string(f.set), "_EIDR") {
		add("EIR")
	}
	for n := range f.items {
		switch requested := requestedProcedure(&f.items[n]); {
		case f.isImport():
			add(byProcedure[requested])
		case requested == "21" || requested == "22":
			add("OPO")
		}
		if !isRequest(f.header.AdditionalType) {
			add(byPrevious[previousProcedure(&f.items[n])])
		}
	}
	return all
}

// isRequest reports whether an additional type (DE 1/2) is of a clearance request or a final supplementary declaration, which need no
// authorisation for a previous procedure.
func isRequest(additional string) bool {
	return additional == "J" || additional == "K" || additional == "Q"
}

// defers reports whether a tax is paid or secured from a deferment account (DE 4/8: E, R).
func (f *filler) defers() bool {
	return slices.ContainsFunc(f.items, func(i datamodel.Item) bool {
		return slices.ContainsFunc(i.TaxLines, func(t datamodel.TaxLine) bool {
			return t.MethodOfPayment == fromDeferment || t.MethodOfPayment == securedByDeferment
		})
	})
}

// holder is an authorisation that a trader holds.
type holder struct {
	*terms.HeldAuthorisation
	from, eori string
}

// held returns the valid authorisation of a type of the client or, without one, of the organisation; nil for none.
func (f *filler) held(kind string) *holder {
	procedure, code := "", ""
	if len(f.items) > 0 {
		procedure, code = requestedProcedure(&f.items[0]), f.items[0].CommodityCode
	}
	for _, o := range f.terms() {
		if a := o.Holds(kind, f.day, procedure, code); a != nil {
			return &holder{a, o.from, orDefault(a.Holder, o.eori)}
		}
	}
	return nil
}

// addAuthorisations adds the authorisations that the declaration requires and that client or organisation hold, with their
// supervising office and warehouse.
func (f *filler) addAuthorisations() {
	stated := f.header.Authorisations != nil
	for _, kind := range f.required() {
		h := f.held(kind)
		if h == nil {
			continue
		}
		if !stated && f.can("authorisations", "3/39") {
			a := datamodel.Authorisation{Holder: h.eori, Type: kind}
			f.note("authorisations["+decimal(len(f.header.Authorisations))+"]", a, h.from)
			f.header.Authorisations = append(f.header.Authorisations, a)
		}
		f.text(&f.header.SupervisingOffice, "supervisingOffice", h.SupervisingOffice, h.from, "5/27")
	}
	f.addWarehouse()
}

// addWarehouse adds the warehouse of the authorisation CWP, where the procedure requires one.
func (f *filler) addWarehouse() {
	needs := slices.ContainsFunc(f.items, func(i datamodel.Item) bool {
		requested := requestedProcedure(&i)
		return requested == "71" || requested == "07"
	})
	if h := f.held("CWP"); needs && h != nil && h.Warehouse != nil {
		fill(f, &f.header.Warehouse, "warehouse", &datamodel.Warehouse{Type: h.Warehouse.Type, ID: h.Warehouse.ID}, h.from, "2/7")
	}
}

// addAuthorisationDocuments adds to each item the documents of the authorisations whose number is on record.
func (f *filler) addAuthorisationDocuments() {
	for _, a := range f.header.Authorisations {
		code := documentCodes[a.Type]
		h := f.numbered(a)
		if code == "" || h == nil {
			continue
		}
		for n := range f.items {
			i := &f.items[n]
			listed := slices.ContainsFunc(i.Documents, func(d datamodel.ItemDocument) bool { return d.Category+d.Type == code })
			if listed || !f.can(f.at(n, "documents"), "2/3") {
				continue
			}
			d := datamodel.ItemDocument{Type: code, Reference: h.Number}
			f.note(f.at(n, "documents["+decimal(len(i.Documents))+"]"), d, h.from)
			i.Documents = append(slices.Clip(i.Documents), d)
		}
	}
}

// numbered returns the record of an authorisation that has a number; nil for none.
func (f *filler) numbered(a datamodel.Authorisation) *holder {
	for _, o := range f.terms() {
		for k := range o.Authorisations {
			if h := &o.Authorisations[k]; h.Type == a.Type && h.Number != "" && orDefault(h.Holder, o.eori) == a.Holder {
				return &holder{h, o.from, a.Holder}
			}
		}
	}
	return nil
}
