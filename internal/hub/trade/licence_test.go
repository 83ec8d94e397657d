package trade_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hub/trade"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// on returns the start of a day in London in winter.
func on(day string) *time.Time {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		panic(err)
	}
	return &t
}

func number(text string) *quantity.Number {
	n := quantity.MustNumber(text)
	return &n
}

// machine is a machine tool for a turbine maker in Korea.
func machine() *trade.Licence {
	return &trade.Licence{
		LicenceType: trade.SIEL, ExporterName: "Pennine Machine Tools Ltd", ExporterEORI: "GB205672212000",
		EndUserName: "Hanbit Turbine Co., Ltd.", EndUserAddress: "41 Jangan-ro, Changwon 51542, Republic of Korea", EndUserCountry: "KR",
		ProductCode: "2B001.b.2", ProductDescription: "Five-axis CNC machining centre for milling turbine blades, positioning repeatability 2.4 micrometres",
		EndUse:   "Milling of steam turbine blades for civil power stations at the Changwon works",
		Quantity: number("2"), UnitOfMeasure: "units", ValidFrom: on("2026-12-15"), ValidUntil: on("2028-12-15"),
	}
}

// cameras go to the distributors of an open licence.
func cameras() *trade.Licence {
	return &trade.Licence{
		LicenceType: trade.OIEL, ExporterName: "Solway Imaging plc", ExporterEORI: "GB123456789000", EndUserName: "Kinabalu Forest Department", EndUserCountry: "MY",
		ProductCode: "6A003.b.4", ProductDescription: "Uncooled thermal imaging cameras, 640 x 480 elements, 50 Hz", EndUse: "Detection of forest fires from watch towers", ValidUntil: on("2031-11-20"),
	}
}

// chemicals go to the United States under an open general licence.
func chemicals() *trade.Licence {
	return &trade.Licence{
		LicenceType: trade.OpenGeneral, ExporterName: "Mersey Fine Chemicals Ltd", ExporterEORI: "GB234567889000", EndUserName: "Ohio Flame Retardants Inc.", EndUserAddress: "2200 Kanawha Road, Akron OH 44306, USA",
		EndUserCountry: "US", ProductCode: "1C350", ProductDescription: "Phosphorus oxychloride, 99 % pure, in steel drums", EndUse: "Making of flame retardants for furniture", Quantity: number("4000"), UnitOfMeasure: "kg",
	}
}

// optics are military, for an ally.
func optics() *trade.Licence {
	return &trade.Licence{
		LicenceType: trade.Strategic, ExporterName: "Clyde Optronics Ltd", ExporterEORI: "GB345678912000", EndUserName: "Royal Norwegian Air Force", EndUserAddress: "Rygge Air Station, 1580 Rygge, Norway",
		EndUserCountry: "NO", ProductCode: "ML5.a", ProductDescription: "Weapon sights for helicopter door guns, with reticle and bracket", EndUse: "Fit to the door guns of search and rescue helicopters", Quantity: number("12"), UnitOfMeasure: "pieces",
		ValidFrom: on("2027-01-04"), ValidUntil: on("2028-12-31"),
	}
}

// orchids were grown in a nursery.
func orchids() *trade.Licence {
	return &trade.Licence{
		LicenceType: trade.CITES, ExporterName: "Kew Lane Nurseries", ExporterEORI: "GB980780684000", EndUserName: "Orchideen Meier", EndUserAddress: "Gartenweg 3, 8048 Zürich, Switzerland", EndUserCountry: "CH",
		ProductCode: "0602904800", ProductDescription: "Artificially propagated orchid plants, Paphiopedilum delenatii, flowering size", EndUse: "Sale to hobby growers", Quantity: number("40"), UnitOfMeasure: "plants",
		ValidFrom: on("2026-12-01"), ValidUntil: on("2027-05-31"),
	}
}

// cheese goes to Japan.
func cheese() *trade.Licence {
	return &trade.Licence{
		LicenceType: trade.EHC, ExporterName: "Wensley Vale Creamery Ltd", ExporterEORI: "GB456789123000", EndUserName: "Minato Foods K.K.", EndUserAddress: "2-4 Kaigan, Minato-ku, Tokyo, Japan", EndUserCountry: "JP",
		ProductCode: "0406902100", ProductDescription: "Mature Cheddar cheese in 5 kg blocks, pasteurised cows' milk", EndUse: "Human consumption", Quantity: number("1260.5"), UnitOfMeasure: "kg", ValidUntil: on("2026-12-10"),
	}
}

var goodExamples = map[string]func() *trade.Licence{
	"machine": machine, "cameras": cameras, "chemicals": chemicals, "optics": optics, "orchids": orchids, "cheese": cheese,
}

// A body survives decoding and encoding with the API's field names, and empty optional fields are omitted.
func TestLicenceJSON(t *testing.T) {
	const full = `{"licenceType":"CITES","exporterName":"A","exporterEori":"GB1","endUserName":"B","endUserAddress":"C","endUserCountry":"CH","productCode":"D",` +
		`"productDescription":"E","endUse":"F","quantity":0.3,"unitOfMeasure":"kg","validFrom":"2026-12-01T00:00:00Z","validUntil":"2027-05-31T23:59:59Z"}`
	const least = `{"licenceType":"EHC","exporterName":"A","endUserName":"B","endUserCountry":"JP","productCode":"D","productDescription":"E"}`
	for _, text := range []string{full, least} {
		var l trade.Licence
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatal(err)
		}
		if got, _ := json.Marshal(l); string(got) != text {
			t.Errorf("%s\ncame back as\n%s", text, got)
		}
	}
}

// Every text has a maximum length, every field a description, and required texts must not be empty.
func TestSchemas(t *testing.T) {
	for _, body := range []reflect.Type{reflect.TypeFor[trade.Licence](), reflect.TypeFor[trade.Question]()} {
		for i := range body.NumField() {
			f := body.Field(i)
			if f.Anonymous { // the labels of every kind
				continue
			}
			if f.Tag.Get("doc") == "" || f.Tag.Get("example") == "" {
				t.Errorf("%s is not described", f.Name)
			}
			if f.Type.Kind() != reflect.String || f.Tag.Get("enum") != "" {
				continue
			}
			if f.Tag.Get("maxLength") == "" {
				t.Errorf("%s has no limit", f.Name)
			}
			if !strings.Contains(f.Tag.Get("json"), "omitempty") && f.Tag.Get("minLength") != "1" && f.Tag.Get("format") == "" {
				t.Errorf("%s may be empty", f.Name)
			}
		}
	}
}
