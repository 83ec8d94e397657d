package cbam

// typicalEdition is the edition of the table below.
const typicalEdition = "Tidewaiter: typical values, November 2026"

// row is a row of the table of typical values.
type row struct {
	name               string
	category           Category
	codes              string
	least, usual, most string
	countries          string
	commonest          bool // used for its sector if the code is unknown
	bulk               bool // transported by the shipload
}

// typicalValues are embedded emissions in tonnes of CO2 equivalent per tonne of goods (electricity: per megawatt-hour).
// Codes, ranges and countries summarise the default values of the European Commission for 2026 before the mark-up, as of
// April 2026: the median of the headings in a row, by country, and over all countries as the usual value. These values are
// this project's own: the usual value of unwrought aluminium, because the median is that of remelted scrap; the least values
// of cement with little clinker and of aluminium from scrap; and electricity, the rounded average of a country's grid in the
// early 2020s. The codes are those of Regulation (EU) 2023/956, Annex I, and of the published default values.
var typicalValues = []row{
	{name: "cement clinker", bulk: true, category: Cement, codes: "252310", least: "0.72", usual: "1.22", most: "2.29", countries: cementCountries},
	{name: "cement", bulk: true, category: Cement, codes: "252321 252329 252330 252390", least: "0.3", usual: "1.22", most: "2.29", countries: cementCountries, commonest: true},
	{name: "calcined clay", bulk: true, category: Cement, codes: "25070080", least: "0.24", usual: "0.28", most: "0.32", countries: "CA 0.24 CN 0.32 US 0.31"},

	{name: "nitric acid", bulk: true, category: Fertiliser, codes: "2808", least: "0.75", usual: "2.11", most: "3.08",
		countries: "AU 1.42 BA 2.73 BR 2.07 CA 1.54 CN 3.08 DZ 2.53 EG 2.49 GB 0.75 ID 2.13 IN 2.01 JP 2.19 KR 2.19 KZ 2.77 MA 2.54 MX 1.92 MY 2.21 RS 2.73 RU 2.73 SA 2.5 TH 2.13 TR 2.72 TT 1.92 TW 2.16 UA 2.73 US 1.9 VN 2.46 ZA 2.1"},
	{name: "ammonia", bulk: true, category: Fertiliser, codes: "2814", least: "0.54", usual: "0.74", most: "4.36",
		countries: "AU 1.25 BA 0.71 BR 2.08 CA 1.28 CN 2.83 DZ 1.35 EG 1.33 GB 1.33 ID 1.48 IN 2.13 JP 1.43 KR 0.67 KZ 1.49 MA 1.43 MX 1.56 MY 1.44 RS 1.47 RU 1.47 SA 1.36 TH 1.46 TR 1.48 TT 1.57 TW 1.43 UA 1.47 US 2.21 VN 2.34 ZA 2.37"},
	{name: "potassium nitrate", bulk: true, category: Fertiliser, codes: "283421", least: "0.87", usual: "1.86", most: "2.85",
		countries: "AU 1.32 BA 2.26 BR 1.96 CA 1.4 CN 2.85 DZ 2.06 EG 2.04 GB 0.87 ID 1.86 IN 1.96 JP 1.87 KR 1.88 KZ 2.27 MA 2.1 MX 1.73 MY 1.89 RS 2.22 RU 2.22 SA 2.06 TH 1.84 TR 2.22 TT 1.71 TW 1.83 UA 2.22 US 1.91 VN 2.31 ZA 2.07"},
	{name: "nitrogen fertilisers", bulk: true, category: Fertiliser, codes: "3102", least: "0.42", usual: "1.56", most: "4.81", commonest: true,
		countries: "AU 1.31 BA 1.73 BR 1.92 CA 1.32 CN 2.73 DZ 1.55 EG 1.54 GB 0.89 ID 1.56 IN 1.99 JP 1.5 KR 1.52 KZ 1.72 MA 1.6 MX 1.58 MY 1.52 RS 1.65 RU 1.65 SA 1.56 TH 1.52 TR 1.67 TT 1.56 TW 1.41 UA 1.65 US 1.94 VN 2.29 ZA 2.12"},
	{name: "mixed fertilisers", bulk: true, category: Fertiliser, codes: "310510 310520 310530 310540 310551 310559 310590", least: "0.29", usual: "0.74", most: "2.07",
		countries: "AU 0.62 BA 0.82 BR 0.9 CA 0.6 CN 1.24 DZ 0.72 EG 0.71 GB 0.5 ID 0.72 IN 0.97 JP 0.69 KR 0.69 KZ 0.8 MA 0.77 MX 0.71 MY 0.71 RS 0.76 RU 0.76 SA 0.75 TH 0.7 TR 0.77 TT 0.67 TW 0.67 UA 0.76 US 0.96 VN 1.06 ZA 1.06"},

	{name: "hydrogen", category: Hydrogen, codes: "280410", least: "0", usual: "10.82", most: "26.64", commonest: true,
		countries: "CN 26.64 GB 10.82 IN 14.03 JP 14.03 KR 14.03 SA 13.45 US 26.64 ZA 25.94"},

	{name: "iron ore agglomerates", bulk: true, category: IronSteel, codes: "260112", least: "0.09", usual: "0.21", most: "1.61",
		countries: "AU 0.09 BA 0.19 BR 0.2 CA 0.09 CN 0.26 DZ 0.21 GB 0.28 IN 0.34 JP 0.2 KR 0.13 KZ 0.34 MX 0.13 RS 0.22 RU 1.61 TH 1.19 TR 0.21 TW 0.22 UA 0.12 US 0.68 VN 1.11"},
	{name: "pig iron", bulk: true, category: IronSteel, codes: "7201", least: "1.11", usual: "2.17", most: "7.92",
		countries: "AU 2.79 BA 2.16 BR 1.48 CA 1.11 CN 1.66 DZ 2.87 GB 2.17 ID 7.92 IN 2.53 JP 1.96 KR 1.54 KZ 4.96 MX 2.58 RS 2.16 RU 3.04 TR 1.85 TW 1.86 UA 2.17 US 1.21 VN 2.19 ZA 3.47"},
	{name: "ferro-alloys", category: IronSteel, codes: "720211 720219 720241 720249 720260", least: "1.69", usual: "2.35", most: "6.15",
		countries: "CN 2.87 GB 2.35 ID 3.92 IN 2.92 JP 2.92 KR 2.92 KZ 2.61 MX 1.69 RS 2.02 VN 2.58 ZA 2.61"},
	{name: "direct reduced iron", bulk: true, category: IronSteel, codes: "7203", least: "0.45", usual: "0.81", most: "4.2",
		countries: "CA 0.76 DZ 0.81 IN 4.2 MX 0.58 RU 2.01 US 0.45 ZA 0.76"},
	{name: "carbon steel", category: IronSteel, codes: "7205 7206 7207 7208 7209 7210 7211 7212 7213 7214 7215 7216 7217", least: "0.13", usual: "2.35", most: "8.25", commonest: true,
		countries: "AU 2.92 BA 2.34 BR 1.61 CA 1.33 CN 3.17 DZ 3 GB 2.31 ID 8.23 IN 4.27 JP 2.1 KR 2.12 KZ 5.18 MX 2.74 RS 2.41 RU 3.21 TH 1.92 TR 2.31 TW 2.3 UA 2.4 US 1.39 VN 2.35 ZA 4.03"},
	{name: "stainless steel", category: IronSteel, codes: "7218 7219 7220 7221 7222 7223", least: "0.5", usual: "3.3", most: "10",
		countries: "AU 3.6 BA 3.11 BR 3.32 CA 3.21 CN 5.59 DZ 3.3 GB 3.29 ID 8.67 IN 6.49 JP 3.36 KR 3.65 KZ 4.78 MX 3.24 RS 2.59 RU 3.55 TR 5.47 TW 8.69 UA 3.23 US 3.22 ZA 3.81"},
	{name: "alloy steel", category: IronSteel, codes: "7224 7225 7226 7227 7228 7229", least: "0.3", usual: "3.53", most: "13.24",
		countries: "AU 3.61 BA 3.46 BR 3.76 CA 3.59 CN 6.12 DZ 3.41 GB 3.62 ID 10.02 IN 7.32 JP 3.53 KR 4.05 KZ 5.34 MX 3.71 RS 2.56 RU 3.83 TH 3.57 TR 6.45 TW 2.17 UA 3.54 US 3.64 VN 3.5 ZA 4.08"},
	{name: "rails, tubes and fittings", category: IronSteel, codes: "7301 7302 7303 7304 7305 7306 7307", least: "0.13", usual: "2.74", most: "8.69",
		countries: "AU 3 BA 2.37 BR 1.74 CA 1.51 CN 3.56 DZ 3 GB 2.5 ID 8.24 IN 4.32 JP 2.13 KR 2.16 KZ 5.18 MX 2.81 RS 2.41 RU 3.49 TH 2.08 TR 2.42 TW 2.33 UA 2.54 US 1.67 VN 2.37 ZA 4.03"},
	{name: "structures and containers of steel", category: IronSteel, codes: "7308 7309 7310 7311", least: "0.24", usual: "3.02", most: "10.01",
		countries: "AU 3.19 BA 2.94 BR 2.96 CA 2.96 CN 6.34 DZ 3 GB 3.04 ID 9.12 IN 6.29 JP 3.04 KR 3.98 KZ 5.36 MX 3.03 RS 2.5 RU 3.59 TH 4.43 TR 5.47 TW 2.42 UA 3.48 US 3.04 VN 2.9 ZA 4.22"},
	{name: "fasteners and other articles of steel", category: IronSteel, codes: "7318 7326", least: "0.13", usual: "2.46", most: "8.65",
		countries: "AU 2.92 BA 2.34 BR 1.62 CA 1.33 CN 3.08 DZ 3 GB 2.31 ID 8.23 IN 4.91 JP 2.1 KR 2.12 KZ 5.18 MX 2.74 RS 2.41 RU 3.21 TH 2.41 TR 2.83 TW 2.71 UA 2.42 US 1.39 VN 2.35 ZA 4.03"},

	{name: "unwrought aluminium", category: Aluminium, codes: "7601", least: "0.2", usual: "1.7", most: "3.2", commonest: true,
		countries: "AE 1.87 AU 1.7 BA 1.7 BH 1.87 BR 1.7 CA 1.96 CN 3 EG 1.87 GB 1.87 ID 1.7 IN 1.87 JP 0.36 KR 0.36 KZ 1.87 MX 0.36 MY 1.7 MZ 3.2 RU 2.16 SA 1.7 TH 0.36 TR 1.7 TW 0.36 UA 0.36 US 1.7 VN 0.36 ZA 2.36"},
	{name: "aluminium powders, bars, profiles, wire and tubes", category: Aluminium, codes: "7603 7604 7605 7608 7609 7610", least: "0.2", usual: "2.03", most: "4.9",
		countries: "AE 2.22 AU 2.05 BA 3.7 BH 2.22 BR 2.06 CA 2.31 CN 4.88 DZ 1.16 EG 3.02 GB 2.17 ID 2.07 IN 3.44 JP 1.29 KR 1.5 KZ 2.23 MA 0.75 MX 1.42 MY 2.72 MZ 4.16 RS 2.27 RU 2.51 SA 2.05 TH 1.29 TR 3.42 TW 0.71 UA 0.73 US 2.28 VN 2.04 ZA 2.23"},
	{name: "aluminium plates, foil, containers and other articles", category: Aluminium, codes: "7606 7607 7611 7612 7613 7614 7615 7616", least: "0.2", usual: "2.33", most: "5.56",
		countries: "AE 2.66 AU 2.49 BA 4.53 BH 2.66 BR 2.5 CA 2.75 CN 5.56 DZ 1.6 EG 3.62 GB 2.61 ID 2.51 IN 4.13 JP 1.73 KR 1.95 KZ 2.67 MA 1.19 MX 1.86 MY 3.29 MZ 4.99 RS 3.69 RU 2.95 SA 2.49 TH 1.73 TR 3.07 TW 1.15 UA 1.18 US 2.73 VN 2.48 ZA 2.67"},

	{name: "electricity", category: Electricity, codes: "2716", least: "0", usual: "0.4", most: "1.3", commonest: true,
		countries: "AL 0.02 BA 0.7 BE 0.15 CH 0.04 DE 0.38 DK 0.12 ES 0.16 FR 0.05 GB 0.21 IE 0.3 IS 0.01 IT 0.3 MA 0.66 ME 0.4 MK 0.55 NL 0.27 NO 0.02 PL 0.65 PT 0.14 RS 0.7 SE 0.02 TR 0.43 UA 0.25"},
}

const cementCountries = "AE 1.12 AU 1.17 BA 0.94 BR 1.66 CA 1.36 CN 1.39 DZ 1.32 EG 1.31 GB 0.95 IN 1.47 JP 0.87 KR 1.08 KZ 1.39 MA 0.95 MY 1.15 RS 1.38 RU 1.37 TR 1.95 TT 0.91 TW 0.88 UA 1.37 US 1.37"
