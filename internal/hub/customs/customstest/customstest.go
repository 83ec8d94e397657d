// Package customstest has declarations for benchmarks, and measures processor time.
package customstest

import (
	"encoding/json"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"
)

// fullItem is an item with a quota, written-off licences, a container and eight documents.
const fullItem = `{"transactionNature":"1","documents":[
	{"reference":"GBCPI1AB%[1]d","type":"L001","status":"EP","writeOff":{"quantity":{"value":4,"unit":"KGM#G"}}},
	{"reference":"GBCPI1AC%[1]d","type":"Y100","status":"EP","writeOff":{"quantity":{"value":6,"unit":"KGM#G"}}},
	{"reference":"GBCHD2026%[1]d","type":"N853","status":"JE"},{"reference":"Excluded from Reg 834/2007","reason":"Waiver Reason","type":"Y929"},
	{"reference":"GBAHC0000001","type":"9120","status":"XX"},{"reference":"GBCGU55320273485220191113093459","type":"C505"},
	{"reference":"GBDPO1108654","type":"C506"},{"reference":"INV-%[1]d","type":"N935","status":"AC"}],
	"description":"Plucked and drawn chickens, lot %[1]d","taxLines":[{"type":"A00","methodOfPayment":"E"},{"preferenceCode":"120","quotaOrderNumber":"094067"}],
	"grossMassKg":1100,"netMassKg":1000.%[1]d,"itemPrice":{"amount":1950.5,"currency":"USD"},"containers":[{"id":"AD12345"}],"valuationMethod":"1",
	"packages":[{"marks":"ADRN%[1]d","count":10,"type":"BX"}],"previousDocuments":[{"category":"Z","reference":"21GB34F7Y1O2CX8PT4","type":"355","goodsItem":1}],
	"valuationIndicators":"0000","procedureCode":"4000","additionalProcedureCodes":["000"],"commodityCode":"0207129000","nationalAdditionalCodes":["VATZ"],"countryOfOrigin":"AR"}`

const fullHeader = `{"shipmentId":%q,"declarationType":"IMPORT","dataSet":"H1","fill":"KNOWN","additionalType":"A",
	"deferredPayments":[{"category":"1","account":"1108654","type":"DAN"}],"representation":{"type":"DIRECT"},
	"authorisations":[{"holder":"GB553202734852","type":"CGU"},{"holder":"GB553202734852","type":"DPO"}],
	"transport":{"border":{"nationality":"GB","mode":"1"},"arrival":{"id":"12345","idType":"10"}},"exporter":{"name":"Argentina Trading","address":{"city":"Buenos Aires","country":"AR","line":"1 Trade Street","postcode":"BA1 234"}},
	"location":{"name":"WLALONBTW","type":"A","qualifier":"U","country":"GB"},"destination":{"country":"GB"},"dispatchCountry":"AR","importer":{"eori":"GB553202734852"},
	"previousDocuments":[{"category":"Z","reference":"1GB553202734852-20200115","type":"DCR","goodsItem":1}],"deliveryTerms":{"incoterm":"FOB","place":"ARBUE"},
	"guarantees":[{"reference":"GBCGU55320273485220191113093459","type":"1"}],"valuationAdjustments":[{"code":"AK","amount":{"amount":310,"currency":"USD"}}],"items":[`

// Full is an import in data set H1 of n items, each with a quota, written-off licences, a container and eight documents.
func Full(shipment string, n int) json.RawMessage {
	var text strings.Builder
	fmt.Fprintf(&text, fullHeader, shipment)
	for i := range n {
		if i > 0 {
			text.WriteByte(',')
		}
		fmt.Fprintf(&text, fullItem, i)
	}
	text.WriteString("]}")
	return json.RawMessage(text.String())
}

// Plain is a plain import.
func Plain(shipment string) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"shipmentId":%q,"declarationType":"IMPORT","items":[{"commodityCode":"6109100010","description":"Cotton T-shirts","netMassKg":120.5,"customsValueGbp":1850,
		"countryOfOrigin":"BD"}],"documents":[{"type":"N935","reference":"INV-1"}]}`, shipment))
}

// ProcessorTime is the processor time of the process. A busy machine does not change it much, unlike the time that has passed.
func ProcessorTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // the current process always has one
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// Measure reports the processor time of an operation beside the time that passes.
func Measure(b *testing.B, operation func()) {
	b.ReportAllocs()
	from := ProcessorTime()
	for b.Loop() {
		operation()
	}
	b.ReportMetric(float64(ProcessorTime()-from)/float64(b.N)/1e6, "cpu-ms/op")
}
