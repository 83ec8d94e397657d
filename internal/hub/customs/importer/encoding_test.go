package importer

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// A document is the same in UTF-16 with and without a mark, in both byte orders, and in Windows-1252. Half of a pair, half of a
// unit, and encodings that are not permitted are refused.
func TestEncodings(t *testing.T) {
	const text = `<?xml version="1.0" encoding="UTF-8"?><md:MetaData xmlns="urn:wco:datamodel:WCO:DEC-DMS:2" xmlns:md="urn:wco:datamodel:WCO:DocumentMetaData-DMS:2"><Declaration>` +
		`<FunctionCode>9</FunctionCode><TypeCode>IMA</TypeCode><GoodsShipment><GovernmentAgencyGoodsItem><SequenceNumeric>1</SequenceNumeric></GovernmentAgencyGoodsItem>` +
		`<Importer><Name>Zürich € 𝄞</Name></Importer></GoodsShipment></Declaration></md:MetaData>`
	wide := func(order binary.AppendByteOrder, text string) (out []byte) {
		for _, unit := range utf16.Encode([]rune(text)) {
			out = order.AppendUint16(out, unit)
		}
		return out
	}
	named := func(name string) string { return strings.Replace(text, "UTF-8", name, 1) }
	name := func(document []byte) string {
		src, err := Read(document, "")
		if err != nil {
			t.Errorf("%q: %v", document[:20], err)
			return ""
		}
		return src.document.GoodsShipment.Importer.Name
	}
	for _, document := range [][]byte{
		[]byte(text), wide(binary.LittleEndian, "\ufeff"+named("UTF-16")), wide(binary.BigEndian, "\ufeff"+named("UTF-16")),
		wide(binary.LittleEndian, named("UTF-16LE")), wide(binary.BigEndian, named("utf-16be")),
	} {
		if got := name(document); got != "Zürich € 𝄞" {
			t.Errorf("%q: %s", document[:20], got)
		}
	}
	if got := name([]byte(strings.ReplaceAll(named("Windows-1252"), "Zürich € 𝄞", "Z\xfcrich \x80"))); got != "Zürich €" {
		t.Errorf("Windows-1252: %s", got)
	}
	whole := wide(binary.LittleEndian, "\ufeff"+named("UTF-16"))
	for what, document := range map[string][]byte{
		"half of a pair": append(bytes.Clone(whole), 0x00, 0xd8), "half of a unit": whole[:len(whole)-1], "another encoding": []byte(named("KOI8-R")),
	} {
		if _, err := Read(document, ""); err == nil {
			t.Errorf("%s is accepted", what)
		} else if refused, ok := apierr.As(err); !ok || refused.Code != apierr.InvalidRequest {
			t.Errorf("%s: %v", what, err)
		}
	}
}
