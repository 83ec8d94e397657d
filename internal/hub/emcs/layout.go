package emcs

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/layout"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/source"
)

// form is the layout of the form of an electronic administrative document (e-AD).
var form = &layout.Form{
	Decides: "category",
	Sections: []layout.Section{
		{
			Title: "Movement", Help: "The electronic administrative document (e-AD) of one consignment in duty suspension. It must be validated before the goods leave.", Fields: []layout.Field{
				{Path: "movementType", Label: "Type of movement", Closed: true, Options: []layout.Option{
					{Value: string(Domestic), Label: "Within the United Kingdom"}, {Value: string(Export), Label: "Export"}, {Value: string(FromUnion), Label: "Into Northern Ireland from the European Union"},
				}},
				{Path: "category", Label: "Category of goods", Hint: "It decides which quantities are declared", Closed: true, Options: []layout.Option{
					{Value: string(Alcohol), Label: "Alcohol"}, {Value: string(Tobacco), Label: "Tobacco"}, {Value: string(EnergyOils), Label: "Energy products (oils)"},
				}},
				{Path: "reference", Label: "Local reference", Hint: "Your own number of the consignment, such as the invoice or the order"},
			},
			Sources: []layout.Source{declarationSource},
		},
		{
			Title: "Consignor", Help: "The warehousekeeper or registered consignor who dispatches the goods.", Fields: []layout.Field{
				{Path: "dispatcherName", Label: "Consignor"},
				{Path: "dispatcherExciseNumber", Label: "Consignor’s excise number (ERN)", Hint: "Thirteen characters, such as GBWK002281023"},
			},
			Sources: []layout.Source{source.Client("dispatcher", "Take the consignor from a client", source.From("dispatcherName", "name"))},
		},
		{
			Title: "Consignee", Fields: []layout.Field{
				{Path: "consigneeName", Label: "Consignee"},
				{Path: "consigneeExciseNumber", Label: "Consignee’s excise number (ERN)", Hint: "Of the warehouse of destination, such as GBWK240176600", When: layout.Only("movementType", "", Domestic, FromUnion), Expected: true},
				{Path: "consigneeCountry", Label: "Country of destination", Expected: true},
			},
			Sources: []layout.Source{source.Client("consignee", "Take the consignee from a client", source.From("consigneeName", "name"), source.From("consigneeCountry", "country"))},
		},
		{
			Title: "Goods", Fields: []layout.Field{
				productField(Alcohol), productField(Tobacco), productField(EnergyOils), productField(""),
				{Path: "productDescription", Label: "Commercial description", Hint: "With brand and size, such as “Single malt Scotch whisky, 70 cl bottles”"},
				{Path: "quantityLitres", Label: "Volume (litres)", Hint: "At 20 °C", When: layout.Only("category", Alcohol), Expected: true},
				{Path: "quantityLitres", Label: "Volume (litres)", Hint: "At 15 °C. Not for heavy fuel oil, LPG and E600, which are declared by mass.", When: layout.Only("category", EnergyOils)},
				{Path: "quantityLitres", Label: "Volume (litres)", When: layout.Only("category", "")},
				{Path: "alcoholAbv", Label: "Alcoholic strength (% vol)", Hint: "Per cent by volume at 20 °C, such as 40", When: layout.Only("category", Alcohol), Expected: true},
				{Path: "quantityKg", Label: "Net mass (kg)", Hint: "Without packaging", Expected: true},
			},
		},
		{
			Title: "Packages and transport", Fields: []layout.Field{
				{Path: "packageType", Label: "Kind of packages", Hint: "Code of UN/ECE Recommendation 21, such as CT for cartons. Type a word and choose.", Options: packageOptions},
				{Path: "numberOfPackages", Label: "Number of packages"},
				{Path: "vehicleReg", Label: "Vehicle registration number", Hint: "Of the vehicle or trailer, such as AB24 CDE"},
				{Path: "scheduledDispatchAt", Label: "Date and time of dispatch", Hint: "At most seven days ahead, London time", Expected: true},
				{Path: "expectedJourneyTime", Label: "Journey time (days)", Hint: "Until the goods arrive, under normal conditions", Expected: true},
			},
		},
	},
}

// productField returns the field for the product code with the products of a category; of all for none.
func productField(c Category) layout.Field {
	f := layout.Field{Path: "productCode", Label: "Excise product code", Hint: "Type the code or a word, such as S200 or spirits, and choose", When: layout.Only("category", c)}
	for _, p := range products {
		if p.category == c || c == "" {
			f.Options = append(f.Options, layout.Option{Value: p.code, Label: strings.ToUpper(p.name[:1]) + p.name[1:]})
		}
	}
	return f
}

// packageOptions are the usual kinds of packages of excise goods.
var packageOptions = []layout.Option{
	{Value: "BA", Label: "Barrel"}, {Value: "BO", Label: "Bottle"}, {Value: "BX", Label: "Box"}, {Value: "VL", Label: "Bulk, liquid"}, {Value: "CT", Label: "Carton"}, {Value: "CS", Label: "Case"},
	{Value: "CK", Label: "Cask"}, {Value: "CR", Label: "Crate"}, {Value: "DR", Label: "Drum"}, {Value: "FE", Label: "Flexitank"}, {Value: "HG", Label: "Hogshead"}, {Value: "WA", Label: "Intermediate bulk container (IBC)"},
	{Value: "KG", Label: "Keg"}, {Value: "PK", Label: "Package"}, {Value: "PA", Label: "Packet"}, {Value: "PX", Label: "Pallet"}, {Value: "TK", Label: "Tank"},
}

var declarationSource = source.Item("declaration", "Take parties and goods from a declaration", slices.Concat(
	source.Consignor("dispatcher", "Name"), source.Consignee("consignee", "Name", "Country"), []layout.Take{
		source.From("productDescription", "entry.description"), source.From("productCode", "entry.commodityCode"), source.From("quantityKg", "entry.netMassKg"),
		source.From("numberOfPackages", "entry.packageCount"), source.From("packageType", "entry.packageType"), source.From("vehicleReg", "shipment.transportId"), source.From("reference", "reference"),
	})...)
