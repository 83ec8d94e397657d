package wco_test

import (
	"bytes"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
)

// Whatever comes in, decoding does not panic, and what it takes can be written and read again.
func FuzzDecode(f *testing.F) {
	for _, d := range examples() {
		f.Add(encode(f, d))
	}
	f.Add([]byte(metadata(`<FunctionCode>9</FunctionCode><Agent/><AdditionalDocument/>`)))
	f.Add([]byte(goodsItem(`<SequenceNumeric>0</SequenceNumeric><Commodity><Description>é &amp; &#xA0;x</Description></Commodity>`)))
	f.Add([]byte(`<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := wco.Decode(data)
		if err != nil {
			return
		}
		written, err := d.Encode()
		if err != nil {
			t.Fatalf("taken, but not to be written: %v", err)
		}
		again, err := wco.Decode(written)
		if err != nil {
			t.Fatalf("written, but not to be read: %v", err)
		}
		if rewritten := encode(t, again); !bytes.Equal(written, rewritten) {
			t.Fatalf("written %s, then %s", written, rewritten)
		}
	})
}

// Whatever text comes into a declaration, it is refused or the document can be read.
func FuzzEncode(f *testing.F) {
	f.Add("Laptops & < > 'x'", "INV/1", "12.50", "GB")
	f.Add("\x00\uFFFE\xff ]]>", "\n", "-0.0", "1")
	f.Fuzz(func(t *testing.T, prose, id, number, country string) {
		d := export(wco.TypeExportArrived)
		item := &d.GoodsShipment.GovernmentAgencyGoodsItem[0]
		item.Commodity.Description = prose
		item.Packaging[0].MarksNumbersID = prose
		item.StatisticalValueAmount.Value = wco.Number(number)
		d.FunctionalReferenceID = id
		d.GoodsShipment.Destination.CountryCode = country
		document, err := d.Encode()
		if err != nil {
			return
		}
		if _, err := wco.Decode(document); err != nil {
			t.Fatalf("%v in %s", err, document)
		}
	})
}
