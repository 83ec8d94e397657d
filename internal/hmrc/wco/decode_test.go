package wco_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/document/safexml"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
)

// metadata puts the inside of a Declaration into its envelope.
func metadata(inside string) string {
	return `<m:MetaData xmlns:m="urn:wco:datamodel:WCO:DocumentMetaData-DMS:2" xmlns="urn:wco:datamodel:WCO:DEC-DMS:2">` +
		`<m:WCOTypeName>DEC</m:WCOTypeName><Declaration>` + inside + `</Declaration></m:MetaData>`
}

// goodsItem puts the inside of a goods item into a declaration.
func goodsItem(inside string) string {
	return metadata(`<FunctionCode>9</FunctionCode><GoodsShipment><GovernmentAgencyGoodsItem>` +
		inside + `</GovernmentAgencyGoodsItem></GoodsShipment>`)
}

// What HMRC's schema refuses is refused with the place and the reason, and what it takes is taken.
func TestDecodeFollowsTheSchema(t *testing.T) {
	const path = "MetaData/Declaration/"
	const item = path + "GoodsShipment/GovernmentAgencyGoodsItem[1]/"
	tests := []struct {
		name, xml, path string
		reason          error
	}{
		{"smallest", metadata(`<FunctionCode>9</FunctionCode>`), "", nil},
		{"with space and comments", metadata("\n <!-- a --> <FunctionCode> 9<!-- b --> </FunctionCode> "), "", nil},
		{"empty class", metadata(`<FunctionCode>9</FunctionCode><Agent/>`), "", nil},
		{"attribute of the schema", metadata(`<FunctionCode listID="x">9</FunctionCode>`), "", nil},
		{"space in a code", metadata("<FunctionCode>9</FunctionCode><TypeCode>\nIMA </TypeCode>"), "", nil},
		{"noughts without meaning", goodsItem(`<SequenceNumeric>+0000001.000</SequenceNumeric>`), "", nil},
		{"sixteen digits", goodsItem(`<SequenceNumeric>1</SequenceNumeric><StatisticalValueAmount>1234567890123.456</StatisticalValueAmount>`), "", nil},
		{"negative", goodsItem(`<SequenceNumeric>1</SequenceNumeric><StatisticalValueAmount>-.5</StatisticalValueAmount>`), "", nil},

		{"unknown", metadata(`<FunctionCode>9</FunctionCode><Colour>red</Colour>`), path + "Colour", wco.ErrUnknown},
		{"unknown before what must be", metadata(`<Colour>red</Colour><FunctionCode>9</FunctionCode>`), path + "Colour", wco.ErrUnknown},
		{"unknown deep down", goodsItem(`<SequenceNumeric>1</SequenceNumeric><Commodity><Colour/></Commodity>`), item + "Commodity/Colour", wco.ErrUnknown},
		{"of another namespace", metadata(`<FunctionCode>9</FunctionCode><TypeCode xmlns="urn:x">IMA</TypeCode>`), path + "TypeCode", wco.ErrUnknown},
		{"of no namespace", metadata(`<FunctionCode>9</FunctionCode><TypeCode xmlns="">IMA</TypeCode>`), path + "TypeCode", wco.ErrUnknown},
		{"of the other place", metadata(`<FunctionCode>9</FunctionCode><GoodsShipment><Declarant/></GoodsShipment>`), path + "GoodsShipment/Declarant", wco.ErrUnknown},
		{"out of order", metadata(`<FunctionCode>9</FunctionCode><TypeCode>IMA</TypeCode><ID>1</ID>`), path + "ID", wco.ErrMisplaced},
		{"repeated", metadata(`<FunctionCode>9</FunctionCode><Agent/><Agent/>`), path + "Agent", wco.ErrMisplaced},
		{"list interrupted", metadata(`<FunctionCode>9</FunctionCode><AdditionalDocument/><Agent/><AdditionalDocument/>`), path + "AdditionalDocument", wco.ErrMisplaced},
		{"no function", metadata(`<TypeCode>IMA</TypeCode>`), path + "FunctionCode", wco.ErrMissing},
		{"no function, but a class", metadata(`<Agent/>`), path + "FunctionCode", wco.ErrMissing},
		{"no sequence", goodsItem(`<TransactionNatureCode>11</TransactionNatureCode>`), item + "SequenceNumeric", wco.ErrMissing},
		{"empty value", metadata(`<FunctionCode>9</FunctionCode><TypeCode> </TypeCode>`), path + "TypeCode", wco.ErrMissing},
		{"enumeration", metadata(`<FunctionCode>8</FunctionCode>`), path + "FunctionCode", wco.ErrInvalid},
		{"too long", metadata(`<FunctionCode>9</FunctionCode><TypeCode>IMAX</TypeCode>`), path + "TypeCode", wco.ErrInvalid},
		{"prose too long", goodsItem(`<SequenceNumeric>1</SequenceNumeric><Commodity><Description>` + strings.Repeat("x", 513) + `</Description></Commodity>`), item + "Commodity/Description", wco.ErrInvalid},
		{"line break in a text", metadata("<FunctionCode>9</FunctionCode><ID>a\nb</ID>"), path + "ID", wco.ErrInvalid},
		{"country", goodsItem(`<SequenceNumeric>1</SequenceNumeric><Destination><CountryCode>G1</CountryCode></Destination>`), item + "Destination/CountryCode", wco.ErrInvalid},
		{"digits", goodsItem(`<SequenceNumeric>1</SequenceNumeric><TransactionNatureCode>A</TransactionNatureCode>`), item + "TransactionNatureCode", wco.ErrInvalid},
		{"no number", goodsItem(`<SequenceNumeric>one</SequenceNumeric>`), item + "SequenceNumeric", wco.ErrInvalid},
		{"exponent", goodsItem(`<SequenceNumeric>1e0</SequenceNumeric>`), item + "SequenceNumeric", wco.ErrInvalid},
		{"sign alone", goodsItem(`<SequenceNumeric>-</SequenceNumeric>`), item + "SequenceNumeric", wco.ErrInvalid},
		{"point alone", goodsItem(`<SequenceNumeric>.</SequenceNumeric>`), item + "SequenceNumeric", wco.ErrInvalid},
		{"fraction", goodsItem(`<SequenceNumeric>1.5</SequenceNumeric>`), item + "SequenceNumeric", wco.ErrInvalid},
		{"seventeen digits", goodsItem(`<SequenceNumeric>1</SequenceNumeric><StatisticalValueAmount>12345678901234.567</StatisticalValueAmount>`), item + "StatisticalValueAmount", wco.ErrInvalid},
		{"currency", goodsItem(`<SequenceNumeric>1</SequenceNumeric><StatisticalValueAmount currencyID="gbp">1</StatisticalValueAmount>`), item + "StatisticalValueAmount@currencyID", wco.ErrInvalid},
		{"date without its namespace", metadata(`<AcceptanceDateTime><DateTimeString formatCode="304">20261121093000Z</DateTimeString></AcceptanceDateTime><FunctionCode>9</FunctionCode>`), path + "AcceptanceDateTime/DateTimeString", wco.ErrUnknown},
		{"date without its format", metadata(`<AcceptanceDateTime><d:DateTimeString xmlns:d="urn:wco:datamodel:WCO:Declaration_DS:DMS:2">20261121093000Z</d:DateTimeString></AcceptanceDateTime><FunctionCode>9</FunctionCode>`), path + "AcceptanceDateTime/DateTimeString@formatCode", wco.ErrMissing},
		{"date", metadata(`<AcceptanceDateTime><d:DateTimeString xmlns:d="urn:wco:datamodel:WCO:Declaration_DS:DMS:2" formatCode="304">Sat Nov 21 09:30:00</d:DateTimeString></AcceptanceDateTime><FunctionCode>9</FunctionCode>`), path + "AcceptanceDateTime/DateTimeString", wco.ErrInvalid},
		{"text among elements", metadata(`<FunctionCode>9</FunctionCode>text<TypeCode>IMA</TypeCode>`), path + "text()", wco.ErrInvalid},
		{"element in a text", metadata(`<FunctionCode>9</FunctionCode><TypeCode><b/>IMA</TypeCode>`), path + "TypeCode", wco.ErrInvalid},
		{"no declaration", strings.ReplaceAll(metadata(""), "<Declaration></Declaration>", ""), "MetaData/Declaration", wco.ErrMissing},
		{"envelope without namespace", `<MetaData><Declaration/></MetaData>`, "MetaData", wco.ErrUnknown},
		{"a response", `<m:MetaData xmlns:m="urn:wco:datamodel:WCO:DocumentMetaData-DMS:2"><Response xmlns="urn:wco:datamodel:WCO:RES-DMS:2"/></m:MetaData>`, "MetaData/Response", wco.ErrUnknown},
	}
	var documents [][]byte
	for _, test := range tests {
		documents = append(documents, []byte(test.xml))
		_, err := wco.Decode([]byte(test.xml))
		var fault *wco.ElementError
		switch {
		case test.reason == nil && err != nil:
			t.Errorf("%s: %v", test.name, err)
		case test.reason != nil && (!errors.As(err, &fault) || fault.Path != test.path || !errors.Is(err, test.reason) || fault.Line == 0):
			t.Errorf("%s: got %v, want %s: %v", test.name, err, test.path, test.reason)
		}
	}
	for i, fault := range lint(t, submitSchema, documents) {
		if (fault == "") != (tests[i].reason == nil) {
			t.Errorf("%s: xmllint says %q", tests[i].name, fault)
		}
	}
}

// A Declaration without its envelope is refused, although the schema alone would have it.
func TestDecodeWantsTheEnvelope(t *testing.T) {
	_, err := wco.Decode([]byte(`<Declaration xmlns="urn:wco:datamodel:WCO:DEC-DMS:2"><FunctionCode>9</FunctionCode></Declaration>`))
	var fault *wco.ElementError
	if !errors.As(err, &fault) || fault.Path != "Declaration" || !errors.Is(err, wco.ErrUnknown) {
		t.Errorf("got %v", err)
	}
}

// Elements are known by their namespace: prefixes are the sender's own affair.
func TestDecodeByNamespace(t *testing.T) {
	const envelope, dec = "urn:wco:datamodel:WCO:DocumentMetaData-DMS:2", "urn:wco:datamodel:WCO:DEC-DMS:2"
	for name, xml := range map[string]string{
		"all prefixed": `<a:MetaData xmlns:a="` + envelope + `" xmlns:b="` + dec + `"><b:Declaration><b:FunctionCode>9</b:FunctionCode><b:TypeCode>IMA</b:TypeCode></b:Declaration></a:MetaData>`,
		"none":         `<MetaData xmlns="` + envelope + `"><Declaration xmlns="` + dec + `"><FunctionCode>9</FunctionCode><TypeCode>IMA</TypeCode></Declaration></MetaData>`,
		"each its own": `<MetaData xmlns="` + envelope + `"><x:Declaration xmlns:x="` + dec + `"><FunctionCode xmlns="` + dec + `">9</FunctionCode><y:TypeCode xmlns:y="` + dec + `"><![CDATA[IMA]]></y:TypeCode></x:Declaration></MetaData>`,
	} {
		d, err := wco.Decode([]byte(xml))
		if err != nil || d.FunctionCode != "9" || d.TypeCode != "IMA" {
			t.Errorf("%s: %+v, %v", name, d, err)
		}
	}
}

// Unsafe or invalid XML and XML that is not a declaration are different errors.
func TestDecodeRefusesUnsafe(t *testing.T) {
	declaration := metadata(`<FunctionCode>9</FunctionCode>`)
	for name, test := range map[string]struct {
		xml  string
		want error
	}{
		"entities in entities": {`<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>` + declaration, safexml.ErrDoctype},
		"external entity":      {`<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]>` + declaration, safexml.ErrDoctype},
		"UTF-16":               {"\xFE\xFF\x00<\x00a\x00/\x00>", safexml.ErrEncoding},
		"windows-1252":         {`<?xml version="1.0" encoding="windows-1252"?>` + declaration, safexml.ErrEncoding},
		"too deep":             {metadata(strings.Repeat("<AdditionalInformation>", 70)), wco.ErrUnknown},
		"not well-formed":      {declaration[:len(declaration)-2], safexml.ErrSyntax},
		"more behind":          {declaration + "<more/>", safexml.ErrSyntax},
		"too large":            {declaration + strings.Repeat(" ", safexml.MaxSize), safexml.ErrTooLarge},
		"nothing":              {"", safexml.ErrSyntax},
	} {
		if _, err := wco.Decode([]byte(test.xml)); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
	}
}

// A thousandth item is refused, the 999th is not.
func TestDecodeLimitsItems(t *testing.T) {
	const item = "<GovernmentAgencyGoodsItem><SequenceNumeric>1</SequenceNumeric></GovernmentAgencyGoodsItem>"
	of := func(n int) []byte {
		return []byte(metadata("<FunctionCode>9</FunctionCode><GoodsShipment>" + strings.Repeat(item, n) + "</GoodsShipment>"))
	}
	if d, err := wco.Decode(of(999)); err != nil || len(d.GoodsShipment.GovernmentAgencyGoodsItem) != 999 {
		t.Errorf("999: %v", err)
	}
	if _, err := wco.Decode(of(1000)); !errors.Is(err, wco.ErrInvalid) {
		t.Errorf("1000: %v", err)
	}
}
