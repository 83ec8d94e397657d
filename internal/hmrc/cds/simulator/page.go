package simulator

import (
	"bytes"
	"encoding/xml"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Start and end of every notification, including empty elements, with the prefixes that CDS uses.
const (
	pageHead = `<?xml version="1.0" encoding="UTF-8"?>` + "\n" +
		`<_2:MetaData xmlns:_2="urn:wco:datamodel:WCO:DocumentMetaData-DMS:2"` +
		` xmlns:_2_1="urn:wco:datamodel:WCO:RES-DMS:2" xmlns:_2_2="urn:wco:datamodel:WCO:Response_DS:DMS:2">` +
		`<_2:WCODataModelVersionCode>3.6</_2:WCODataModelVersionCode><_2:WCOTypeName>RES</_2:WCOTypeName>` +
		`<_2:ResponsibleCountryCode/><_2:ResponsibleAgencyName/>` +
		`<_2:AgencyAssignedCustomizationCode/><_2:AgencyAssignedCustomizationVersionCode/>`
	pageFoot = `</_2:MetaData>`

	responsePrefix = "_2_1:"
	dateHead       = `<_2_2:DateTimeString formatCode="304">`
	dateFoot       = `</_2_2:DateTimeString>`
	format304      = "20060102150405Z" // of an instant in UTC
)

// page encodes a notification. Empty values are left out.
type page struct{ out bytes.Buffer }

// in writes an element with children.
func (p *page) in(name string, fill func()) {
	p.tag("<", name, ">")
	fill()
	p.tag("</", name, ">")
}

func (p *page) leaf(name, value string) {
	if value != "" {
		p.in(name, func() { p.text(value) })
	}
}

// pounds writes an amount with pence, also if it is zero.
func (p *page) pounds(name string, sum quantity.Money) {
	p.tag("<", name, ` currencyID="`+sterling+`">`)
	p.text(sum.Fixed())
	p.tag("</", name, ">")
}

func (p *page) instant(name string, at time.Time) {
	p.in(name, func() { p.out.WriteString(dateHead + at.UTC().Format(format304) + dateFoot) })
}

func (p *page) tag(open, name, rest string) { p.out.WriteString(open + responsePrefix + name + rest) }

// text cannot fail, because a buffer does not.
func (p *page) text(value string) { _ = xml.EscapeText(&p.out, []byte(value)) }
