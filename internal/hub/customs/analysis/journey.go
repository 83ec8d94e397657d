package analysis

import (
	"fmt"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

var journeyRules = ruleSet{
	{Code: "DEC-009", Severity: rules.Blocker, Field: "shipment.countryOfDispatch", Check: wrongEnds, Source: bothGuides + ": DE 5/8 and 5/14",
		Title: "The countries of dispatch and destination contradict the direction, or are missing"},
	{Code: "DEC-010", Severity: rules.Warning, Field: "shipment.portOfEntry", Check: unclearPort, Source: "GOV.UK: Goods location codes for Data Element 5/23 of the Customs Declaration Service; UNECE: UN/LOCODE",
		Title: "The location of the goods cannot be derived from the port"},
	{Code: "DEC-011", Severity: rules.Warning, Field: "shipment.transportId", Check: noMeans, Source: bothGuides + ": DE 7/7, 7/9 and 7/14",
		Title: "The means of transport has no number and no name"},
	{Code: "DEC-012", Severity: rules.Warning, Field: "shipment.containers", Check: strangeContainers, Source: "ISO 6346 (marking of freight containers); " + bothGuides + ": DE 7/10",
		Title: "A container number is malformed, mistyped or repeated, or the mode of transport has no containers"},
	{Code: "DEC-013", Severity: rules.Warning, Field: "shipment.expectedArrival", Check: strangeArrival, Source: bothGuides + ": DE 1/2 (declarations in advance)",
		Title: "The arrival is after the declaration expires, or contradicts that the goods have arrived"},
	{Code: "DEC-014", Severity: rules.Info, Field: "shipment.incoterm", Check: freightMissing, Source: valueGuide + ": delivery costs",
		Title: "By the delivery terms, freight and insurance are not in the price"},
	{Code: "DEC-015", Severity: rules.Info, Field: "shipment.incoterm", Check: dutyInPrice, Source: valueGuide + ": costs that can be left out",
		Title: "By the delivery terms, duty and delivery in the United Kingdom are in the price"},
	{Code: "DEC-016", Severity: rules.Info, Field: "shipment.incoterm", Check: seaTerms, Source: "International Chamber of Commerce: Incoterms 2020",
		Title: "Delivery terms for ships are used for another mode of transport"},
	{Code: "DEC-017", Severity: rules.Warning, Field: "shipment.exitOffice", Check: assumedExit, Source: exportGuide + ": DE 5/12",
		Title: "An export has no office of exit, and the default one does not fit"},
	{Code: "DEC-018", Severity: rules.Info, Field: "shipment.carrierEori", Check: noCarrier, Source: exportGuide + ": DE 3/32 (safety and security)",
		Title: "An export has no carrier for safety and security"},
}

const giveCountry = "Correct the country in the shipment, or the declarationType."

func wrongEnds(c *Case, _ rules.Facts) (found remarks) {
	if c.imports() {
		switch from := c.Shipment.CountryOfDispatch; {
		case from == "GB":
			found = append(found, about("", "The goods are sent from GB, and yet declared as an import.", giveCountry))
		case c.dispatch() == "" && len(c.items) > 0 && c.items[0].CountryOfOrigin == "":
			found = append(found, about("", "Nothing says which country the goods are sent from.", "Give countryOfDispatch in the shipment."))
		}
		if to := c.Shipment.CountryOfDestination; to != "" && to != "GB" && to != "XI" {
			found = append(found, remark{Field: "shipment.countryOfDestination", Severity: rules.Warning, Suggestion: giveCountry,
				Message: fmt.Sprintf("The goods are to be released in the United Kingdom, and their destination is %s.", to)})
		}
		return found
	}
	switch to := c.destination(); to {
	case "":
		found = append(found, about("shipment.countryOfDestination", "Nothing says where the export goes; GB would be declared.", "Give countryOfDestination in the shipment."))
	case "GB":
		found = append(found, about("shipment.countryOfDestination", "The goods go to GB, and yet are declared as an export.", giveCountry))
	}
	return found
}

func unclearPort(c *Case, f rules.Facts) remarks {
	place, err := ident.ParseUNLOCODE(c.Shipment.PortOfEntry)
	atHome := err == nil && place.Country() == "GB"
	switch {
	case atHome && f.Places.Lacks(string(place)):
		return remarkOf(fmt.Sprintf("%s is not in the %s.", place, f.Places.Edition), "Check the five letters.")
	case !atHome && c.Shipment.GoodsLocation == "":
		return remarkOf(fmt.Sprintf("%q is not a UN/LOCODE and there is no goods location code; GBFXT, Felixstowe, would be declared.", c.Shipment.PortOfEntry),
			"Give the port as a UN/LOCODE, or goodsLocation with the code of the place.")
	}
	return nil
}

func noMeans(c *Case, _ rules.Facts) remarks {
	s := c.Shipment
	if strings.TrimSpace(s.TransportID+s.VesselName) != "" {
		return nil
	}
	return remarkOf(fmt.Sprintf("The shipment goes by %s and has neither transportId nor vesselName; the shipment's reference would be declared.", s.TransportMode),
		"Give the IMO number, flight, registration or wagon.")
}

func strangeContainers(c *Case, _ rules.Facts) (found remarks) {
	seen := map[ident.Container]bool{}
	for n, text := range c.Shipment.Containers {
		field := fmt.Sprintf("shipment.containers[%d]", n)
		container, err := ident.ParseContainer(text)
		switch {
		case err != nil:
			found = append(found, about(field, fmt.Sprintf("%q is no container's number: it %s.", text, err), "Copy the number from the bill of lading."))
		case !container.ValidChecksum():
			found = append(found, about(field, fmt.Sprintf("The check digit of %s does not fit.", container), "Compare the number with the bill of lading: a digit is wrong or swapped."))
		case seen[container]:
			found = append(found, about(field, fmt.Sprintf("%s stands twice.", container), "Name each container once."))
		}
		seen[container] = true
	}
	if c.Shipment.TransportMode == "AIR" && len(c.Shipment.Containers) > 0 && found == nil {
		found = remarks{{Severity: rules.Info, Message: fmt.Sprintf("The shipment flies, and names the freight container %s.", c.Shipment.Containers[0]),
			Suggestion: "Leave the containers of ships and lorries out of an air shipment."}}
	}
	return shorten(found)
}

// lodging is the validity of a declaration that is submitted before the goods arrive.
const lodging = 30 * 24 * time.Hour

func strangeArrival(c *Case, f rules.Facts) remarks {
	at := c.Shipment.ExpectedArrival
	switch {
	case at == nil || !at.After(f.Now):
		return nil
	case c.Shipment.Arrived:
		return remarkOf(fmt.Sprintf("The goods are said to have arrived, and to arrive on %s.", day(*at)), "Set arrived to false, or correct expectedArrival.")
	case at.After(f.Now.Add(lodging)):
		return remarkOf(fmt.Sprintf("The goods arrive on %s; a declaration made in advance is deleted after 30 days.", day(*at)),
			"Submit it within 30 days of the arrival, or correct the year.")
	}
	return nil
}

func day(t time.Time) string { return t.Format("2 January 2006") }

func freightMissing(c *Case, _ rules.Facts) remarks {
	if !c.imports() || c.Values != nil || !isOneOf(c.Shipment.Incoterm, "EXW FCA FAS FOB") { // of prices, see freightNotAdded
		return nil
	}
	return remarkOf(fmt.Sprintf("The terms are %s, so the invoice has no freight and insurance to the border in it.", c.Shipment.Incoterm),
		"Make sure that each customsValueGbp has its share of freight and insurance up to the United Kingdom.")
}

func dutyInPrice(c *Case, _ rules.Facts) remarks {
	if !c.imports() || c.Shipment.Incoterm != "DDP" {
		return nil
	}
	return remarkOf("The terms are DDP, so the invoice has import duty and delivery inside the United Kingdom in it.",
		"Leave those out of customsValueGbp where the invoice shows them apart; and see that the importer is the one who may reclaim the VAT.")
}

func seaTerms(c *Case, _ rules.Facts) remarks {
	if c.Shipment.TransportMode == "SEA" || !isOneOf(c.Shipment.Incoterm, "FAS FOB CFR CIF") {
		return nil
	}
	return remarkOf(fmt.Sprintf("%s is for goods that are loaded on a ship, and these go by %s.", c.Shipment.Incoterm, c.Shipment.TransportMode),
		"Use FCA, CPT or CIP where the contract means them.")
}

// aroundDover are the ports for which the default office of exit is right.
const aroundDover = "GBDVR GBFOL GBEUT GBCQF"

func assumedExit(c *Case, _ rules.Facts) remarks {
	if c.imports() || c.Shipment.ExitOffice != "" || isOneOf(strings.ToUpper(c.Shipment.PortOfEntry), aroundDover) {
		return nil
	}
	return remarkOf(fmt.Sprintf("There is no exitOffice and the goods leave by %s; GB000060, Dover and the Channel Tunnel, would be declared.", c.Shipment.PortOfEntry),
		"Give the customs office of the port or airport that the goods leave by.")
}

func noCarrier(c *Case, _ rules.Facts) remarks {
	if c.imports() || c.Shipment.CarrierEORI != "" {
		return nil
	}
	return remarkOf("There is no carrierEori.", "Give the carrier's EORI, unless another party lodges the exit summary declaration.")
}
