package extract

// columnLabels are the headers of columns in tables of goods or containers.
var columnLabels = map[key]string{
	"description": "descricao|designacao|vare|popis|popis zbozi|nazev|nazev zbozi|description and specifications|varetekst|tuote|commodity|full description of goods|nazwa towaru|number and kind of packages description of goods|no and kind of packages description of goods|specification|description and specification|description of packages|full description|packages and goods|description of contents|varebeskrivelse|goods and services|concepto",
	"code":        "pauta aduaneira|codigo pautal|varekode|toldtarif|kod zbozi|celni kod|toldposition|statno|statistisk no|hs tariff code|customs tariff|customs tariff no|nomenclature douaniere|voce doganale|partida arancelaria|h s code|code ngp|tariff heading|harmonized tariff code|hsn sac",
	"quantity":    "qtd|mnozstvi|pocet|kusu|maara|shipped|no of units|hours|quantity units|antall|total pcs|qty ordered|q ty",
	"unit":        "enhed|unidade|jednotka|u m|unidad|unit of measure|units of measure|measure|jedn",
	"unitPrice":   "cena za kus|cena za jednotku|pris pr stk|a pris|styckpris|u price|unit usd|yksikkohinta|rate|p u|pu|pu ht|prijs per stuk|p unit",
	"amount":      "i alt|belop|yhteensa|ext|extended amount|extended value|ext price|extended price|extended|extension|g preis|customs value|gp|ext amount",
	"origin":      "paises de origem|pais de origem|zeme puvodu|opprinnelsesland|c of o|c o|co|opr land|ursprungsl",
	"net":         "peso liquido|cista hmotnost|n w|nw|nw kg|n wt|netto|net|nett|total nw|n weight|total net",
	"gross":       "hruba hmotnost|g w|gw|gw kg|g wt|brutto|gross|cargo weight|gross weight cargo|total gw|g weight|total gross",
	"packages":    "nombre de colis|no colli|number and kind of packages|quantity and kind of packages|packages no and kind|no of containers or packages|no of containers or pkgs|no of containers pkgs|no and kind of packages|no pkgs|no pallets|rolls|package s",
	"kind":        "packaging|verpackungsart|kind|packaging type",
	"volume":      "measure cbm|objem",
	"marks":       "shipping marks|marks nos container nos|container no seal no marks and numbers|c no|pallet|box|marks and nos container no seal no",
	"container":   "unit no|container s",
	"seal":        "carrier seal",
	"size":        "size|type|size type|container type|iso type|type size|cntr type",
	"line":        "item|item no|poz|ref|s no|sn|ln|si no",
	"sku":         "codigo artigo|c artigo|sku|stock code|material|model|style|catalogue no|cat no|p n|part|artnr|varenummer|varenr|indeks|art",
	"tax":         "vat|vat rate|tax|mwst|ust|tva|iva|btw|vat code|tva rate|gst|taux tva|aliquota|mva|stawka vat|vat amount|tax rate|tax amount|discount|disc|rabatt|remise|sconto|descuento|korting|igst|dimensions|size cm|dims|dimension|abmessungen|tare|tare weight|vgm|colour|color|batch|lot|expiry|batch no|lot no|dim cm|temperature|un no|masse|dimensioni|lote|l x w x h cm|lxwxh|vat pct|measurements cm|date|order|po no|your order|serial no|eccn",
}
