package cdssim

import (
	"bytes"
	"encoding/xml"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
)

// Start and end of every notification, including empty elements, with the prefixes that CDS uses.
const (
	documentHead = `<?xml version="1.0" encoding="UTF-8"?>` + "\n" +
		`<_2:MetaData xmlns:_2="urn:wco:datamodel:WCO:DocumentMetaData-DMS:2"` +
		` xmlns:_2_1="urn:wco:datamodel:WCO:RES-DMS:2" xmlns:_2_2="urn:wco:datamodel:WCO:Response_DS:DMS:2">` +
		`<_2:WCODataModelVersionCode>3.6</_2:WCODataModelVersionCode><_2:WCOTypeName>RES</_2:WCOTypeName>` +
		`<_2:ResponsibleCountryCode/><_2:ResponsibleAgencyName/>` +
		`<_2:AgencyAssignedCustomizationCode/><_2:AgencyAssignedCustomizationVersionCode/>`
	documentFoot = `</_2:MetaData>`

	responsePrefix = "_2_1:"
	dateHead       = `<_2_2:DateTimeString formatCode="304">`
	dateFoot       = `</_2_2:DateTimeString>`
	format304      = "20060102150405Z" // of an instant in UTC
)

// xmlWriter encodes a notification. Empty values are left out.
type xmlWriter struct{ out bytes.Buffer }

// element writes an element with children.
func (p *xmlWriter) element(name string, fill func()) {
	p.writeTag("<", name, ">")
	fill()
	p.writeTag("</", name, ">")
}

func (p *xmlWriter) leaf(name, value string) {
	if value != "" {
		p.element(name, func() { p.text(value) })
	}
}

// amount writes an amount with pence, also if it is zero.
func (p *xmlWriter) amount(name string, sum quantity.Money) {
	p.writeTag("<", name, ` currencyID="`+duty.Sterling+`">`)
	p.text(sum.Fixed())
	p.writeTag("</", name, ">")
}

func (p *xmlWriter) instant(name string, at time.Time) {
	p.element(name, func() { p.out.WriteString(dateHead + at.UTC().Format(format304) + dateFoot) })
}

func (p *xmlWriter) writeTag(open, name, rest string) {
	p.out.WriteString(open + responsePrefix + name + rest)
}

// text cannot fail, because a buffer does not.
func (p *xmlWriter) text(value string) { _ = xml.EscapeText(&p.out, []byte(value)) }
