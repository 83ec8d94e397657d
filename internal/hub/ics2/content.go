package ics2

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/schema"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// messageMember is the member with the content of the CC315A.
const messageMember = "message"

// Given returns the message that a filing gives, without a header; without content if it gives none.
func (f *Filing) Given() (*ens.Message, error) {
	if len(f.Message) == 0 {
		return ens.New(schema.Declaration, ens.Header{}), nil
	}
	return ens.Parse(schema.Declaration, ens.Header{}, f.Message, messageMember)
}

// checkFiling returns what is wrong with the input beyond its schema: a message without its regime, content that HMRC's schema does
// not know, and facts that are given twice.
func checkFiling(f *Filing) (details []apierr.Detail) {
	switch {
	case len(f.Message) == 0:
		return nil
	case f.Regime != GB:
		return []apierr.Detail{{Field: messageMember, Message: "is for filings with the regime GB"}}
	}
	given, err := f.Given()
	if err != nil {
		return faultDetails(err)
	}
	for _, c := range Conflicts(f, given) {
		details = append(details, apierr.Detail{Field: c.Field, Message: "is also in " + messageMember + "." + c.Member + "; leave one of them out"})
	}
	return details
}

// faultDetails are the details of a message that cannot be read.
func faultDetails(err error) (details []apierr.Detail) {
	var faults ens.Faults
	if !errors.As(err, &faults) {
		return []apierr.Detail{{Field: messageMember, Message: "cannot be read: " + err.Error()}}
	}
	for _, f := range faults {
		details = append(details, apierr.Detail{Field: f.Path, Message: strings.TrimSuffix(f.Text, ".")})
	}
	return details
}

// whole returns the filing with the flat fields that its message says; of several items, those of the first. It is not complete if
// the message says more than the flat fields have room for, or less than they need.
func (f *Filing) whole() (w Filing, complete bool) {
	w = *f
	given, err := f.Given()
	if err != nil {
		return w, false
	}
	text := func(field *string, paths ...string) {
		for _, path := range paths {
			if said, ok := given.Text(path); ok && *field == "" {
				*field = strings.TrimSpace(said)
			}
		}
	}
	text(&w.ModeOfTransport, "HEAHEA/TraModAtBorHEA76")
	text(&w.CarrierName, "TRACARENT601/NamTRACARENT604", "TRACARENT601/TINTRACARENT602")
	text(&w.CarrierEORI, "TRACARENT601/TINTRACARENT602")
	text(&w.ConsignorName, "TRACONCO1/NamCO17", goodsItem+"/TRACONCO2/NamCO27", "TRACONCO1/TINCO159", goodsItem+"/TRACONCO2/TINCO259")
	text(&w.ConsignorEORI, "TRACONCO1/TINCO159", goodsItem+"/TRACONCO2/TINCO259")
	text(&w.ConsigneeName, "TRACONCE1/NamCE17", goodsItem+"/TRACONCE2/NamCE27", "TRACONCE1/TINCE159", goodsItem+"/TRACONCE2/TINCE259")
	text(&w.ConsigneeEORI, "TRACONCE1/TINCE159", goodsItem+"/TRACONCE2/TINCE259")
	text(&w.TransportDocNumber, goodsItem+"/PRODOCDC2/DocRefDC23")
	text(&w.PortOfLoading, "HEAHEA/PlaLoaGOOITE334", goodsItem+"/PlaLoaGOOITE333")
	text(&w.PortOfUnloading, "HEAHEA/PlaUnlGOOITE334", goodsItem+"/PlaUnlGOOITE333")
	text(&w.GoodsDescription, goodsItem+"/GooDesGDS23")
	w.readNumbers(given)
	if w.FilingType == "" {
		w.FilingType = usualType[parseMode(w.ModeOfTransport)]
	}
	for _, needed := range []string{string(w.FilingType), w.CarrierName, w.ConsignorName, w.ConsigneeName, w.TransportDocNumber, w.PortOfLoading, w.PortOfUnloading} {
		if needed == "" {
			return w, false
		}
	}
	return w, given.Count(goodsItem) <= 1
}

// readNumbers fills in the flat fields that are no texts.
func (f *Filing) readNumbers(given *ens.Message) {
	if code, ok := given.Text(goodsItem + "/COMCODGODITM/ComNomCMD1"); ok && f.CommodityCodes == nil {
		f.CommodityCodes = []string{code}
	}
	text, _ := given.Text("HEAHEA/TotNumOfPacHEA306")
	if packages, err := strconv.ParseInt(text, 10, 64); err == nil && f.TotalPackages == nil {
		f.TotalPackages = &packages
	}
	var mass quantity.Mass
	if text, ok := given.Text("HEAHEA/TotGroMasHEA307"); ok && f.TotalGrossMassKg == nil && mass.UnmarshalJSON([]byte(text)) == nil {
		f.TotalGrossMassKg = &mass
	}
	text, _ = given.Text("CUSOFFFENT730/ExpDatOfArrFIRENT733")
	if at, err := time.Parse(momentForm, text); err == nil && f.EstimatedArrival == nil {
		f.EstimatedArrival = &at
	}
}

// usualType is the type of traffic of a mode of transport.
var usualType = map[string]FilingType{
	bySea: Sea, byWaterway: Sea, byRail: Rail, byRoad: Road, byFerry: Road, byFerryUnmanned: Road, byAir: Air, byPost: Postal,
}

// MayBeIntervened reports whether customs may still instruct not to load the goods: those that come by sea, until they arrive.
func (f *Filing) MayBeIntervened(now time.Time) bool {
	whole, _ := f.whole()
	return whole.carriage() == bySea && whole.EstimatedArrival != nil && now.Before(*whole.EstimatedArrival)
}
