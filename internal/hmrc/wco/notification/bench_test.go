package notification_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/notification"
)

// taxMessage is a calculation for so many items with two taxes each.
func taxMessage(items int) []byte {
	var b strings.Builder
	b.WriteString(`<m:MetaData xmlns:m="urn:wco:datamodel:WCO:DocumentMetaData-DMS:2" xmlns:r="urn:wco:datamodel:WCO:RES-DMS:2" xmlns:d="urn:wco:datamodel:WCO:Response_DS:DMS:2">
<r:Response><r:FunctionCode>13</r:FunctionCode><r:FunctionalReferenceID>aa000000000000000000000000000001</r:FunctionalReferenceID>
<r:IssueDateTime><d:DateTimeString formatCode="304">20261102101112Z</d:DateTimeString></r:IssueDateTime><r:Status><r:NameCode>4</r:NameCode></r:Status>
<r:Declaration><r:FunctionalReferenceID>LRN1</r:FunctionalReferenceID><r:ID>26GBAAAAAAAAAAAAA1</r:ID><r:VersionID>1</r:VersionID><r:GoodsShipment>`)
	const tax = `<r:DutyTaxFee><r:AdValoremTaxBaseAmount currencyID="GBP">1000.00</r:AdValoremTaxBaseAmount><r:DeductAmount currencyID="GBP">0.00</r:DeductAmount>
<r:DutyRegimeCode>100</r:DutyRegimeCode><r:TaxRateNumeric>2.70</r:TaxRateNumeric><r:TypeCode>A00</r:TypeCode>
<r:Payment><r:TaxAssessedAmount currencyID="GBP">27.00</r:TaxAssessedAmount><r:PaymentAmount currencyID="GBP">27.00</r:PaymentAmount></r:Payment></r:DutyTaxFee>`
	for i := range items {
		fmt.Fprintf(&b, "<r:GovernmentAgencyGoodsItem><r:SequenceNumeric>%d</r:SequenceNumeric><r:Commodity>%s%s</r:Commodity></r:GovernmentAgencyGoodsItem>", i+1, tax, tax)
	}
	b.WriteString(`</r:GoodsShipment></r:Declaration></r:Response></m:MetaData>`)
	return []byte(b.String())
}

// The time grows with the length of the message and not faster.
func BenchmarkDecode(b *testing.B) {
	for _, items := range []int{1, 99, 999} {
		data := taxMessage(items)
		b.Run(fmt.Sprintf("items=%d", items), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := notification.Decode(data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkDecodeRejection(b *testing.B) {
	data := read(b, "rejected.xml")
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := notification.Decode(data); err != nil {
			b.Fatal(err)
		}
	}
}
