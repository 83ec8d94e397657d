package mapping

// valueEvidence is what the values of a column say about a field.
type valueEvidence struct {
	kind  kind
	share int // of values with the shape, in percent
}

type kind int

const (
	noEvidence kind = iota
	confirms        // they have the shape of the field
	agrees          // they are possible for the field
	denies          // they have another shape
	onlyWords       // they are words, and not recognised as anything else
	names           // they are names of countries
)

// Points of values.
const (
	confirmed    = 30
	agreeing     = 12
	contradicted = -70
	doubted      = -30 // for a single value
	elsewhere    = -14 // unknown header: weak shapes
	elsewhereBut = -6  // unknown header: reliable shapes
	otherField   = -45 // header of another field: weak shapes
	alienPoints  = -45
)

// proofs are the points of values without a matching header; sure marks shapes that hardly
// anything else has.
var proofs = map[string][]struct {
	shape  shape
	points int
	sure   bool
}{
	eori:         {{gbEORI, 78, true}},
	vatNumber:    {{sureVAT, 64, true}},
	email:        {{mail, 78, true}},
	phone:        {{call, 60, true}},
	postcode:     {{gbPostcode, 72, true}, {localPostcode, 60, true}},
	country:      {{countryCode, 58, false}, {anyCountry, 54, false}},
	role:         {{roleWord, 70, true}},
	addressLine1: {{street, 56, false}},
	city:         {{town, 54, false}},
	contactName:  {{person, 44, false}},
	name:         {{company, 60, false}},
	reference:    {{shortCode, 42, false}},
}

// shortestCountry is the length of a column's longest value from which names of countries prove the field.
const shortestCountry = 4

// match returns how well a column fits a field.
func (r *reading) match(f int) match {
	field := fields[f]
	m := match{field: f, header: r.header.matches[field]}
	if m.header.points == 0 || r.unproven(field) {
		m.header = headerMatch{}
		m.points, m.values = r.proof(field)
		return m
	}
	m.values = r.values.shown(field)
	m.points = m.header.points
	switch m.values.kind {
	case confirms:
		m.points += confirmed
	case agrees, names:
		m.points += agreeing
	case denies:
		if m.points += contradicted; r.values.count == 1 {
			m.points += doubted - contradicted
		}
	}
	return m
}

// unproven reports whether the header may be short for a field of words by leaving letters out, and the values are like those of
// another field.
func (r *reading) unproven(field string) bool {
	own, wordy := wordy[field]
	if r.header.matches[field].way != lettersOut || !wordy || r.values.mostly(own) {
		return false
	}
	return r.values.mostly(countryCode) || r.values.mostly(company) || field != name && r.values.mostly(person)
}

// proof returns the points of the values alone.
func (r *reading) proof(field string) (int, valueEvidence) {
	for _, p := range proofs[field] {
		if !r.values.mostly(p.shape) || field == reference && (r.values.distinct < most || r.values.rowNumbers || !r.header.generic) {
			continue
		}
		if p.shape == anyCountry && r.values.longest < shortestCountry {
			continue // yes and no
		}
		if field == contactName && r.values.mostly(company) || r.denied(field) {
			continue
		}
		if p.shape == anyCountry {
			return p.points + r.penalty(field, p.sure), valueEvidence{names, r.values.share[p.shape]}
		}
		return p.points + r.penalty(field, p.sure), valueEvidence{confirms, r.values.share[p.shape]}
	}
	return 0, valueEvidence{}
}

// denied reports whether the values clearly belong to another field.
func (r *reading) denied(field string) bool { return r.values.shown(field).kind == denies }

// headerNamesField reports whether the header names a field that the values do not contradict.
func (r *reading) headerNamesField() bool {
	for field := range r.header.matches {
		if !r.denied(field) && !r.unproven(field) {
			return true
		}
	}
	return false
}

// penalty returns the points deducted for a header that means something else.
func (r *reading) penalty(field string, sure bool) int {
	switch {
	case r.header.notClient:
		return alienPoints
	case r.header.generic:
		return 0
	case !sure && r.headerNamesField():
		return otherField
	case len(r.header.matches) > 0 && !r.headerNamesField():
		return 0
	case sure:
		return elsewhereBut
	}
	return elsewhere
}

// shown checks the values of a column for a field that its header names.
func (v *values) shown(field string) valueEvidence {
	if v.count == 0 {
		return valueEvidence{}
	}
	switch field {
	case eori:
		return v.either(gbEORI, anyEORI)
	case vatNumber:
		if v.mostly(gbEORI) {
			return valueEvidence{denies, 0}
		}
		return v.either(sureVAT, anyVAT)
	case email:
		return v.either(mail, mail)
	case phone:
		if v.share[call] < most && v.share[plainWords] < few && v.share[date] < few && v.share[sureVAT] < most && !v.mostly(mail) && v.longest >= 6 && v.share[shortCode] < most {
			return valueEvidence{agrees, v.share[call]}
		}
		return v.either(call, call)
	case postcode:
		return v.either(gbPostcode, anyPostcode)
	case country:
		if s := v.either(countryCode, countryCode); s.kind == confirms || v.share[anyCountry] < most {
			return s
		}
		return valueEvidence{names, v.share[anyCountry]}
	case role:
		return v.either(roleWord, roleWord)
	case reference:
		return v.asReference()
	}
	return v.asWords(field)
}

// either checks for a shape that confirms a field and one that it allows.
func (v *values) either(sure, allowed shape) valueEvidence {
	switch {
	case v.share[sure] >= most:
		return valueEvidence{confirms, v.share[sure]}
	case v.share[allowed] >= most:
		return valueEvidence{agrees, v.share[allowed]}
	case v.share[allowed] < few:
		return valueEvidence{denies, v.share[allowed]}
	}
	return valueEvidence{noEvidence, v.share[allowed]}
}

// asReference checks references, which can have any shape but those of other fields.
func (v *values) asReference() valueEvidence {
	if v.mostly(mail) || v.mostly(gbEORI) || v.mostly(date) || v.mostly(yesNo) || v.longest > 60 || v.mostly(roleWord) || v.mostly(company) {
		return valueEvidence{denies, 0}
	}
	if v.mostly(shortCode) {
		return valueEvidence{confirms, v.share[shortCode]}
	}
	return valueEvidence{agrees, 0}
}

// wordy are the shapes that confirm a field of words.
var wordy = map[string]shape{name: company, contactName: person, city: town, addressLine1: street, addressLine2: street}

// foreign are shapes that words do not have.
var foreign = []shape{yesNo, mail, gbEORI, sureVAT, gbPostcode, date, amount, call}

// asWords checks names, towns and streets.
func (v *values) asWords(field string) valueEvidence {
	for _, s := range foreign {
		if v.mostly(s) {
			return valueEvidence{denies, 0}
		}
	}
	line := field == addressLine1 || field == addressLine2
	switch sure := wordy[field]; {
	case v.share[sure] >= most:
		return valueEvidence{confirms, v.share[sure]}
	case v.share[plainWords] < few && !line:
		return valueEvidence{denies, 0}
	case field == name && v.mostly(roleWord), field == name && v.mostly(countryCode):
		return valueEvidence{denies, 0}
	case field == contactName && v.mostly(company), field == city && v.mostly(company):
		return valueEvidence{noEvidence, 0}
	case v.share[plainWords] >= most || line:
		return valueEvidence{agrees, 0}
	}
	return valueEvidence{noEvidence, 0}
}
