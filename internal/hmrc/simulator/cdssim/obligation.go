package cdssim

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// CDS error codes that the simulator reports.
const (
	missing        = "CDS10001"
	badCommodity   = "CDS10004" // missing, or wrong number of digits
	invalidValue   = "CDS10020"
	wrongItemCount = "CDS11003" // DE 1/9
	netOverGross   = "CDS11006"
	reusedLRN      = "CDS12003"
	notCancellable = "CDS12015" // no such declaration, or it cannot be cancelled
	expired        = "CDS12046" // pre-lodged, and the goods never arrived
	noProcedure    = "CDS12050" // nothing more is checked
	noType         = "CDS12052" // nothing more is checked
	natureTwice    = "CDS12071" // DE 8/5 at header and item
	unrepresented  = "CDS12074" // neither of two data elements is present
	missingDUCR    = "CDS12108"
	notPositive    = "CDS12123"
	malformedDUCR  = "CDS12132"
	noDocumentID   = "CDS77000"
	noStatus       = "CDS77002"
)

// Codes in a declaration.
const (
	importPrefix     = "IM"
	specialTerritory = "CO" // imports from the special fiscal territories
	exportPrefix     = "EX"
	importDigits     = 10
	exportDigits     = 8
	selfImporter     = "00500"
	selfExporter     = "00400"
	deferment        = "DAN"
	ucrCategory      = "Z"
	ducrType         = "DCR"
	waiver           = "Y" // category of statements that no document is needed
	authorisation    = "C" // category whose types 5xx and 6xx are authorisations
	endUse           = "N990"
)

const (
	maxFlaws = 500 // in a message
	item     = "42A.67A.68A[%d]"
)

// flaw is an error of a rejection. The pointer has the format of package pointer.
type flaw struct {
	Code, Pointer, Text string
}

// inspection collects the errors of a declaration.
type inspection struct {
	*wco.Declaration
	flaws []flaw
}

// inspect checks the most important obligations: parties, goods, amounts and procedure. Without type or procedure, CDS checks
// nothing more. Data that simplified and supplementary declarations and a C21 may omit is checked in full declarations only
// (H1 and B1).
func inspect(d *wco.Declaration) []flaw {
	i := inspection{Declaration: d}
	i.inspectForm()
	if len(i.flaws) == 0 && isFull(d.TypeCode) {
		i.inspectHeader()
		for n := range d.GoodsShipment.GovernmentAgencyGoodsItem {
			i.inspectItem(n+1, &d.GoodsShipment.GovernmentAgencyGoodsItem[n])
		}
	}
	return i.flaws[:min(len(i.flaws), maxFlaws)]
}

// require adds a flaw unless ok.
func (i *inspection) require(well bool, code, pointer string, places ...any) {
	if !well {
		i.flaws = append(i.flaws, flaw{Code: code, Pointer: fmt.Sprintf(pointer, places...)})
	}
}

func (i *inspection) inspectForm() {
	i.require(i.FunctionCode == wco.FunctionOriginal, invalidValue, "42A.017")
	i.require(isImport(i.TypeCode) || isExport(i.TypeCode), noType, "42A.D013")
	for n, goods := range i.GoodsShipment.GovernmentAgencyGoodsItem {
		i.require(len(goods.GovernmentProcedure) > 0 && goods.GovernmentProcedure[0].CurrentCode != "", noProcedure, item+".70A[1].166", n+1)
	}
}

func isImport(typeCode string) bool {
	return len(typeCode) == 3 && (strings.HasPrefix(typeCode, importPrefix) || strings.HasPrefix(typeCode, specialTerritory))
}

func isExport(typeCode string) bool {
	return len(typeCode) == 3 && strings.HasPrefix(typeCode, exportPrefix)
}

// isFull reports whether a declaration is a standard one (DE 1/2 A and D).
func isFull(typeCode string) bool { return strings.Contains("AD", typeCode[2:]) }

func (i *inspection) inspectHeader() {
	s := &i.GoodsShipment
	items := len(s.GovernmentAgencyGoodsItem)
	i.require(i.FunctionalReferenceID != "", missing, "42A.D026")
	i.require(i.Declarant.ID != "", missing, "42A.57B.R123")
	i.require(items > 0, missing, "42A.67A.68A")
	count, counted := rational(i.GoodsItemQuantity)
	i.require(!counted || count.Cmp(big.NewRat(int64(items), 1)) == 0, wrongItemCount, "42A.228")
	if isImport(i.TypeCode) {
		i.require(s.Importer.ID != "" || s.Importer.Name != "", missing, "42A.67A.74A.R038")
	} else {
		i.require(i.Exporter.ID != "" || i.Exporter.Name != "", missing, "42A.57A.R032")
		i.inspectDUCR()
	}
	i.inspectRepresentation()
}

func (i *inspection) inspectDUCR() {
	documents := slices.Clone(i.GoodsShipment.PreviousDocument)
	for _, goods := range i.GoodsShipment.GovernmentAgencyGoodsItem {
		documents = append(documents, goods.PreviousDocument...)
	}
	at := slices.IndexFunc(documents, func(d wco.PreviousDocument) bool {
		return d.CategoryCode == ucrCategory && d.TypeCode == ducrType && d.ID != ""
	})
	if at < 0 {
		i.require(false, missingDUCR, "42A.67A.99A[1].D018")
		return
	}
	_, err := ident.ParseDUCR(documents[at].ID)
	i.require(err == nil, malformedDUCR, "42A.67A.99A[%d].D018", at+1)
}

// inspectRepresentation requires an agent's function or the statement that the trader declares for itself (DE 3/21 or 2/2), and
// reports both if there is neither.
func (i *inspection) inspectRepresentation() {
	statement := selfImporter
	if isExport(i.TypeCode) {
		statement = selfExporter
	}
	represented := i.Agent.FunctionCode != ""
	for _, response := range i.AdditionalInformation {
		represented = represented || response.StatementCode == statement
	}
	for _, goods := range i.GoodsShipment.GovernmentAgencyGoodsItem {
		represented = represented || slices.ContainsFunc(goods.AdditionalInformation, func(a wco.AdditionalInformation) bool {
			return a.StatementCode == statement
		})
	}
	i.require(represented, unrepresented, "42A.05A.102")
	i.require(represented, unrepresented, item+".03A[1].226", 1)
}

func (i *inspection) inspectItem(n int, goods *wco.GovernmentAgencyGoodsItem) {
	c := &goods.Commodity
	i.require(isCommodity(commodityCode(c), isImport(i.TypeCode)), badCommodity, item+".23A.21A[1].145", n)
	i.require(c.Description != "", missing, item+".23A.137", n)
	i.inspectMass(n, c.GoodsMeasure)
	i.require(i.GoodsShipment.TransactionNatureCode == "" || goods.TransactionNatureCode == "", natureTwice, item+".103", n)
	if isImport(i.TypeCode) {
		i.require(c.InvoiceLine.ItemChargeAmount.Value != "", missing, item+".23A.79A.112", n)
		i.require(slices.ContainsFunc(goods.Origin, func(o wco.Origin) bool { return o.CountryCode != "" }), missing, item+".92A[1].063", n)
	} else {
		i.require(c.InvoiceLine.ItemChargeAmount.Value != "" || goods.StatisticalValueAmount.Value != "", missing, item+".114", n)
	}
	for k, document := range goods.AdditionalDocument {
		i.require(document.ID != "" || document.CategoryCode == waiver, noDocumentID, item+".02A[%d].D005", n, k+1)
		i.require(document.LPCOExemptionCode != "" || !needsStatus(document), noStatus, item+".02A[%d].360", n, k+1)
	}
}

func (i *inspection) inspectMass(n int, m wco.GoodsMeasure) {
	net, declared := rational(m.NetNetWeightMeasure.Value)
	gross, weighed := rational(m.GrossMassMeasure.Value)
	i.require(declared, missing, item+".23A.65A.128", n)
	i.require(!declared || net.Sign() > 0, notPositive, item+".23A.65A.128", n)
	i.require(!declared || !weighed || net.Cmp(gross) <= 0, netOverGross, item+".23A.65A.128", n)
}

// needsStatus reports whether a document needs a status. Waivers and authorisations do not.
func needsStatus(d wco.AdditionalDocument) bool {
	isAuthorisation := d.CategoryCode+d.TypeCode == endUse ||
		d.CategoryCode == authorisation && (strings.HasPrefix(d.TypeCode, "5") || strings.HasPrefix(d.TypeCode, "6"))
	return d.CategoryCode != waiver && !isAuthorisation
}

// commodityCode joins the eight digits (DE 6/14) and, for imports, two more (DE 6/15).
func commodityCode(c *wco.Commodity) string {
	var nomenclature, taric string
	for _, k := range c.Classification {
		switch k.IdentificationTypeCode {
		case wco.CombinedNomenclature:
			nomenclature = k.ID
		case wco.TARIC:
			taric = k.ID
		}
	}
	return nomenclature + taric
}

func isCommodity(code string, imported bool) bool {
	length := exportDigits
	if imported {
		length = importDigits
	}
	_, err := strconv.ParseUint(code, 10, 64)
	return err == nil && len(code) == length
}

// rational parses a declared number; false if there is none.
func rational(n wco.Number) (*big.Rat, bool) {
	return new(big.Rat).SetString(string(n))
}
