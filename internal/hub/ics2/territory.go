package ics2

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// regime is the system for the entry summary declaration.
type regime int

// Regimes, by place of unloading.
const (
	otherRegime  regime = iota // unknown, or goods in transit
	greatBritain               // Safety and Security GB
	union                      // ICS2 of the European Union, also in Northern Ireland
)

func (f *Filing) regime() regime { return regimeIn(f.unloading().country) }

func regimeIn(country ident.Country) regime {
	switch {
	case slices.Contains(britain, string(country)):
		return greatBritain
	case slices.Contains(securityArea, string(country)):
		return union
	}
	return otherRegime
}

// britain lists Great Britain and the Crown Dependencies, which are one customs territory.
var britain = strings.Fields("GB GG IM JE")

// securityArea lists the countries between which the EU needs no entry summary declaration: its member states with their
// territories, Northern Ireland, Norway, Switzerland and the microstates.
var securityArea = strings.Fields(`AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK
	AD AX CH GF GP LI MC MF MQ NO RE SM XI YT`)

// memberStates lists the member states of the European Union, which issue its EORIs.
var memberStates = securityArea[:27]

// shortSea lists the countries with short sea voyages: on the Baltic, the North Sea, the Mediterranean and the Black Sea,
// and Morocco, Iceland, the Faroes and Greenland. It does not distinguish ports of one country.
var shortSea = strings.Fields(`BE BG CY DE DK EE ES FI FR GR HR IE IT LT LV MT NL PL PT RO SE SI NO IS FO GL AX GI MC
	GB GG IM JE XI AL BA DZ EG GE IL LB LY MA ME PS SY TN TR UA`)

// shortFlight lists the countries from which a flight may take less than four hours.
var shortFlight = strings.Fields(`AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK
	AD AX CH LI MC NO SM XI GB GG IM JE IS FO GI AL AM AZ BA BY DZ EG GE IL IQ JO LB LY MA MD ME MK PS RS RU SA SY TN TR UA VA`)

// overseas lists countries without a road or railway to Europe. Great Britain has the Channel Tunnel.
var overseas = strings.Fields(`AG AI AR AS AU AW BB BL BM BO BQ BR BS BZ CA CL CO CR CU CW DM DO EC FK GD GL GT GY HN HT JM KN KY LC MQ MS MX
	NI PA PE PM PR PY SR SV SX TC TT US UY VC VE VG VI FJ FM GU KI MH MP NC NR NU NZ PF PG PW SB TK TO TV VU WF WS
	BH BN CV CY FO GF GG GP ID IE IM IS JE JP KM LK MF MG MT MU MV PH RE SC ST TL TW XI YT`)

// ferryPorts lists the ports of Great Britain with ferries for lorries.
var ferryPorts = strings.Fields("GBCYN GBDVR GBFIS GBFXT GBHRW GBHLY GBHUL GBHYM GBIMM GBLIV GBNHV GBPED GBPLY GBPME GBPOO GBTIL")

// landlocked lists countries without ships and barges.
var landlocked = strings.Fields("AD AF AM BF BI BT BW CF ET KG LA LI LS MK ML MN MW NE NP RW SM SS SZ TD TJ UG UZ ZM ZW")
