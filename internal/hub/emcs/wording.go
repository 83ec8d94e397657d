package emcs

import "strings"

// productsByWord maps words of a description to the excise products they belong to. Ambiguous words such as port, malt, bitter
// or shag are left out.
var productsByWord = words(map[string]string{
	"B000":                "beer beers lager lagers ale ales stout stouts pilsner pilsener pils shandy ipa",
	"B000 W200 I000":      "barley ginger",
	"W200 W300":           "cider perry mead sake",
	"W200 W300 I000":      "wine wines rosé",
	"W200 W300 I000 S200": "vermouth sherry madeira",
	"W200":                "bordeaux rioja chianti merlot chardonnay shiraz",
	"W300 W200":           "champagne prosecco cava crémant cremant",
	"S200 S300 S500":      "whisky whiskey bourbon gin vodka rum brandy cognac armagnac tequila mezcal liqueur liqueurs absinthe schnapps grappa",
	"S200 S300 S400 S500 E480 E490 E410 E420": "spirit spirits",
	"S300 S400 S500 S600 E410 E420 E920":      "ethanol bioethanol",
	"S400 S600":                               "denatured",
	"T200":                                    "cigarettes",
	"T300":                                    "cigar cigars cigarillo cigarillos",
	"T200 T300 T400 T500":                     "tobacco tobaccos",
	"E430 E440 E490 E910 E920 E930 E200":      "diesel gasoil derv",
	"E410 E420 E490 E930":                     "petrol gasoline unleaded",
	"E450 E460 E930":                          "kerosene kerosine avtur",
	"E500 E600":                               "lpg propane butane autogas",
	"E910 E920 E200":                          "biodiesel fame",
	"E800":                                    "methanol",
})

func words(groups map[string]string) map[string]string {
	found := map[string]string{}
	for codes, group := range groups {
		for word := range strings.FieldsSeq(group) {
			found[word] = codes
		}
	}
	return found
}
