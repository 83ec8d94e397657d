package gvms_test

import (
	"strings"
	"time"
)

func from(text string) func(body) { return func(m body) { m.RouteFrom = text } }
func to(text string) func(body)   { return func(m body) { m.RouteTo = text } }
func way(a, b string) func(body)  { return func(m body) { m.RouteFrom, m.RouteTo = a, b } }
func reg(text string) func(body)  { return func(m body) { m.VehicleReg = text } }
func at(t time.Time) func(body)   { return func(m body) { m.CrossingDate = &t } }

var placeCases = []testCase{
	check("to be confirmed", inbound, way("TBC", "to be confirmed"), "GVMS-001 blocker routeFrom", "GVMS-001 blocker routeTo"),
	check("only punctuation", inbound, from("???"), "GVMS-001 blocker routeFrom"),
	check("a country", inbound, from("France"), "GVMS-002 blocker routeFrom"),
	check("the United Kingdom itself", inbound, to("UK"), "GVMS-002 blocker routeTo"),
	check("two letters of a country", inbound, from("FR"), "GVMS-002 blocker routeFrom"),
	check("a port and its country", inbound, way("Calais (France)", "Port of Dover, UK")),
	check("a code and its country", inbound, way("FRCQF Calais FR", "GBDVR - Dover Eastern Docks")),
	check("a code with a space, in small letters", inbound, way("fr cqf", "gbdvr")),
	check("PORT DE CALAIS is not in Germany", inbound, from("PORT DE CALAIS")),
	check("both ends in one field", inbound, from("Calais - Dover"), "GVMS-003 blocker routeFrom"),
	check("two crossings in one field", outbound, way("Dover", "Dublin via Holyhead"), "GVMS-003 blocker routeTo"),
	check("one port under two names", outbound, way("Tilbury", "Rotterdam (Europoort)")),
	check("an unknown port", inbound, from("Grimsdyke Sands"), "GVMS-004 warning routeFrom"),
	check("misspelt", inbound, from("Caliass"), "GVMS-004 warning routeFrom"),
	check("a word of five letters is no code", inbound, from("Narni"), "GVMS-004 warning routeFrom"),
	check("a port with diacritics", outbound, way("Tilbury", "Göteborg")),
	check("a code of the UK", inbound, to("UKDVR"), "GVMS-005 warning routeTo"),
	check("a code of Northern Ireland's own", toNI, to("XIBEL"), "GVMS-005 warning routeTo"),
	check("a code with a zero", inbound, to("GBD0R"), "GVMS-005 warning routeTo"),
	check("a code that is not in the table of ports", outbound, way("GBTIL", "FRMRS")),
	check("DOVER is not in the Dominican Republic", inbound, to("DOVER")),
	check("place of loading", inbound, from("Paris"), "GVMS-006 blocker routeFrom"),
	check("place of delivery", inbound, to("Birmingham"), "GVMS-006 blocker routeTo"),
	check("loading and delivery", inbound, way("Warszawa", "Leeds"), "GVMS-006 blocker routeFrom", "GVMS-006 blocker routeTo"),
	check("a code of Paris", inbound, from("FRPAR"), "GVMS-006 blocker routeFrom"),
	check("a code of Austria", inbound, from("ATVIE"), "GVMS-006 blocker routeFrom"),
	check("a town and its port", inbound, from("Lille via Calais")),
	check("a code that is not listed", outbound, way("GBTIL", "FRZZZ"), "GVMS-033 warning routeTo"),
	check("a code of Great Britain that is not listed", inbound, to("GBZZZ"), "GVMS-033 warning routeTo"),
	check("a port of Italy", inbound, from("ITGOA"), "GVMS-007 warning routeFrom"),
	check("a port of China", inbound, way("CNSHA", "GBFXT"), "GVMS-007 warning routeFrom"),
	check("a port of Norway", inbound, way("NOBVK", "Immingham")),
	check("Dover in France", inbound, to("Dover, France"), "GVMS-008 warning routeTo"),
	check("Belfast in Ireland", toNI, way("Heysham", "Belfast, Ireland"), "GVMS-008 warning routeTo"),
	check("Belfast in the United Kingdom", toNI, way("Heysham", "Belfast, UK")),
}

var routeCases = []testCase{
	check("from Dover to Dover", inbound, way("GBDVR", "Dover"), "GVMS-009 blocker routeTo"),
	check("one terminal of the tunnel", inbound, way("Eurotunnel", "Folkestone"), "GVMS-009 blocker routeTo"),
	check("one code", inbound, way("FRMRS", "frmrs"), "GVMS-009 blocker routeTo"),
	check("within Great Britain", inbound, way("Dover", "Holyhead"), "GVMS-010 blocker routeTo"),
	check("within Northern Ireland", inbound, way("Belfast", "Larne"), "GVMS-010 blocker routeTo"),
	check("around Great Britain", inbound, way("Dublin", "Cherbourg"), "GVMS-011 blocker routeTo"),
	check("over the land border", inbound, way("Dublin", "Warrenpoint"), "GVMS-012 blocker routeTo"),
	check("from Northern Ireland to Belgium", inbound, way("GBBEL", "BEZEE"), "GVMS-012 blocker routeTo"),
	check("from Northern Ireland", toNI, way("Larne", "Cairnryan"), "GVMS-013 info routeFrom"),
	check("to the Isle of Man", inbound, way("Heysham", "Douglas"), "GVMS-014 warning routeTo"),
	check("from Guernsey", inbound, way("St Peter Port", "Poole"), "GVMS-014 warning routeFrom"),
	check("to Southampton", inbound, way("FRLEH", "Southampton"), "GVMS-015 warning routeTo"),
	check("to a code of Great Britain that is no port", inbound, to("GBDVY"), "GVMS-015 warning routeTo"),
	check("to Londonderry", toNI, to("Londonderry Port"), "GVMS-015 warning routeTo"),
	check("exported by way of Harwich", outbound, way("Harwich", "Hoek van Holland"), "GVMS-016 warning routeFrom"),
	check("imported by way of Harwich", inbound, way("Hook of Holland", "Harwich")),
	check("exported by way of Tilbury", outbound, way("Tilbury 2", "Zeebrugge")),
	check("from Holyhead to Calais", outbound, way("Holyhead", "Calais"), "GVMS-017 warning routeTo"),
	check("from Dover to Santander", outbound, way("Dover", "ESSDR"), "GVMS-017 warning routeTo"),
	check("from Dover to Coquelles", outbound, way("Dover", "Coquelles"), "GVMS-017 warning routeTo"),
	check("from Dover to another code of France", outbound, way("Dover", "FRMRS"), "GVMS-017 warning routeTo"),
	check("from Dover to Dunkirk", outbound, way("Dover", "Dunkerque Loon-Plage")),
	check("from Portsmouth to Bilbao", outbound, way("Portsmouth", "ESBIO")),
	check("from Warrenpoint's only port", toNI, way("Heysham Port", "Warrenpoint")),
	check("from Larne to Liverpool", toNI, way("Liverpool", "Larne"), "GVMS-017 warning routeTo"),
	check("from Liverpool to Belfast", toNI, way("Birkenhead (Liverpool)", "Belfast")),
	check("to Ireland", outbound, way("Holyhead", "Dublin Port"), "GVMS-018 info routeTo"),
	check("from Ireland", outbound, way("Rosslare Europort", "Pembroke Dock"), "GVMS-018 info routeTo"),
}

var vehicleCases = []testCase{
	check("no vehicle yet", inbound, reg("tbc"), "GVMS-019 blocker vehicleReg"),
	check("zeros", inbound, reg("0000000"), "GVMS-019 blocker vehicleReg"),
	check("tractor and trailer", inbound, reg("AB24 CDE / C1234567"), "GVMS-020 blocker vehicleReg"),
	check("two tractors", inbound, reg("AB24CDE and XY73 FGH"), "GVMS-020 blocker vehicleReg"),
	check("two in a row", inbound, reg("AB24CDE XY73FGH"), "GVMS-020 blocker vehicleReg"),
	check("German with a mark", inbound, reg("MÜ-AB 123"), "GVMS-021 blocker vehicleReg"),
	check("Cyrillic", inbound, reg("АА 1234 ВС"), "GVMS-021 blocker vehicleReg"),
	check("with a point", inbound, reg("AB24.CDE"), "GVMS-021 blocker vehicleReg"),
	check("31 characters", inbound, reg("A1"+strings.Repeat("-", 29)), "GVMS-021 blocker vehicleReg"),
	check("a container", inbound, reg("MSKU 123456 5"), "GVMS-022 warning vehicleReg"),
	check("a trailer on the ferry", inbound, reg("C1234567"), "GVMS-023 info vehicleReg"),
	check("a trailer through the tunnel", outbound, reg("c123 4567"), "GVMS-023 warning vehicleReg"),
	check("a fleet number", inbound, reg("Trailer 12"), "GVMS-024 warning vehicleReg"),
	check("a chassis number", inbound, reg("WDB9634031L123456"), "GVMS-024 warning vehicleReg"),
	check("a sentence", inbound, reg("AB24CDE WHITE VOLVO"), "GVMS-024 warning vehicleReg"),
	check("no digit", inbound, reg("VOLVO"), "GVMS-024 warning vehicleReg"),
	check("O for zero", inbound, reg("ABO6 CDE"), "GVMS-025 warning vehicleReg"),
	check("an age of next year", inbound, reg("LD27 CDE"), "GVMS-026 info vehicleReg"),
	check("an age of half a century", inbound, reg("KX50CDE"), "GVMS-026 info vehicleReg"),
	check("Romanian", inbound, reg("CJ 27 ABC")),
	check("the newest age", inbound, reg("ld76 cde")),
	check("Irish", inbound, reg("221-D-10482")),
	check("Polish", inbound, reg("WX 12345")),
	check("French", inbound, reg("AB-123-CD")),
	check("Dutch", inbound, reg("12-BCD-3")),
	check("German", inbound, reg("HH-AB 1234")),
	check("Bulgarian in Latin letters", inbound, reg("CB 1234 AB")),
	check("Luxembourgish", inbound, reg("12345")),
	check("Northern Irish", inbound, reg("KXZ 4821")),
	check("British of the last century", inbound, reg("R123 ABC")),
	check("British personal", inbound, reg("1 ABC")),
}

var crossingCases = []testCase{
	check("no crossing yet", inbound, func(m body) { m.CrossingDate = nil }, "GVMS-027 info crossingDate"),
	check("a minute ago", inbound, at(now.Add(-time.Minute)), "GVMS-028 warning crossingDate"),
	check("in an hour", inbound, at(now.Add(time.Hour)), "GVMS-029 info crossingDate"),
	check("in two hours", inbound, at(now.Add(2*time.Hour))),
	check("in a month", inbound, at(now.Add(30*24*time.Hour))),
	check("in two months", inbound, at(now.Add(60*24*time.Hour)), "GVMS-030 info crossingDate"),
	check("in a year", inbound, at(now.Add(365*24*time.Hour)), "GVMS-030 warning crossingDate"),
	check("at midnight", inbound, at(time.Date(2026, 12, 2, 0, 0, 0, 0, time.UTC)), "GVMS-031 info crossingDate"),
	check("a second after midnight", inbound, at(time.Date(2026, 12, 2, 0, 0, 1, 0, time.UTC))),
	check("on Christmas Day", toNI, at(time.Date(2026, 12, 25, 9, 30, 0, 0, time.UTC)), "GVMS-032 info crossingDate", "GVMS-030 info crossingDate"),
	check("on Christmas Day through the tunnel", outbound, at(time.Date(2026, 12, 25, 9, 30, 0, 0, time.UTC)), "GVMS-030 info crossingDate"),
	check("on Christmas Eve", toNI, at(time.Date(2026, 12, 24, 9, 30, 0, 0, time.UTC)), "GVMS-030 info crossingDate"),
}

func carries(references ...string) func(body) { return func(m body) { m.Declarations = references } }

var declarationCases = []testCase{
	check("an MRN and a DUCR", inbound, carries("26GB3TTI2CQ1C7FGR4", "6GB123456789000-TWS01234")),
	check("an MRN in small letters", inbound, carries(" 26gb3tti2cq1c7fgr4")),
	check("an export by its DUCR", outbound, carries("6GB205672212000-(TWS)/01")),
	check("an export by its MRN", outbound, carries("6GB205672212000-TWS01234", " 26gb3tti2cq1c7fgr4"), "GVMS-039 warning customsDeclarations[1]"),
	check("an MRN to Northern Ireland", toNI, carries("26GB3TTI2CQ1C7FGR4")),
	check("an invoice instead of a declaration", inbound, carries("INV-2026-0042"), "GVMS-034 blocker customsDeclarations[0]"),
	check("a transit declaration", inbound, func(m body) { m.Transit = []string{"26frb0000q4xj5m2k7"} }),
	check("a DUCR as transit declaration", inbound, func(m body) { m.Transit = []string{"6GB123456789000-TWS01234"} }, "GVMS-037 blocker transitDeclarations[0]"),
	check("one MRN in both lists", inbound, func(m body) {
		m.Declarations, m.Transit = []string{"26GB3TTI2CQ1C7FGR4"}, []string{"26FRB0000Q4XJ5M2K7", " 26gb3tti2cq1c7fgr4"}
	}, "GVMS-038 warning transitDeclarations[1]"),
	check("one declaration twice", inbound, carries("26GB3TTI2CQ1C7FGR4", "26GB3TTI2CQ1C7FGR4"), "GVMS-035 info customsDeclarations[1]"),
}

var offeredCases = []testCase{
	check("a route that is offered", inbound, func(m body) { m.RouteID = "SIM-1" }),
	check("a route that is not offered", inbound, func(m body) { m.RouteID = "SIM-ZZZ" }, "GVMS-036 blocker routeId"),
	check("a route under HMRC’s name", inbound, func(m body) {
		m.CrossingDate, m.RouteFrom, m.RouteTo, m.Message = nil, "", "", []byte(`{"plannedCrossing":{"routeId":"ZZZ","localDateTimeOfDeparture":"2026-12-02T06:30"}}`)
	}, "GVMS-036 blocker message.plannedCrossing.routeId"),
}
