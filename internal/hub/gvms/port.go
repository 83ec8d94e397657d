package gvms

import "github.com/tidewaiter/tidewaiter/internal/platform/ident"

// gvmsUse is the use of GVMS at a port.
type gvmsUse int

const (
	none        gvmsUse = iota // a UK port without GVMS, or a port abroad
	importsOnly                // for imports only
	full
)

// port is a port or tunnel terminal for lorries.
type port struct {
	codes        string // UN/LOCODEs, the most common one first
	name         string
	otherNames   string // other names, folded, separated by bars
	service      gvmsUse
	destinations string // destinations of ferries: codes of ports and countries, XI for Northern Ireland; "" if unknown
}

func (p *port) code() ident.UNLOCODE { return ident.UNLOCODE(p.codes[:5]) }

// country returns the country of the port, XI in Northern Ireland.
func (p *port) country() ident.Country { return countryOf(p.code()) }

// northernIrish lists places in Northern Ireland, whose UN/LOCODEs begin with GB.
const northernIrish = "GBBEL GBBFS GBBHD GBLAR GBWPT GBLDY GBKLK GBNRY GBLIS GBARM GBCLR GBBYM GBDGN GBOMA GBENK GBANT GBCGP GBCUB GBIMG GBMGP GBPFY GBPTR GBPVG GBURL GBWHE"

// continent lists the countries with ferries and short-sea ships for lorries and trailers from the east and south of
// Great Britain.
const continent = "FR BE NL DE DK SE NO FI EE LV LT PL ES PT IS FO"

// irishSea lists the countries with ferries from the west of Great Britain.
const irishSea = "IE XI IM"

// ports lists ports and tunnel terminals. The UK ports with GVMS come from secondary lists of 2022 to 2025 and from the
// changes to HMRC's appendix 16S up to April 2025. HMRC confirms only that exports through eight ports are rejected and
// that Sheerness has left; check the rest against HMRC's reference data. The crossings are general knowledge of 2025.
var ports = []port{
	{codes: "GBDVR", name: "Dover", otherNames: "dover eastern docks|dover western docks|douvres", service: full, destinations: "FRCQF FRDKK FRBOL"},
	{codes: "GBFOL", name: "Eurotunnel Folkestone", otherNames: "folkestone|folkestone eurotunnel|folkestone channel tunnel|channel tunnel folkestone|le shuttle folkestone|eurotunnel|euro tunnel|channel tunnel|cheriton|le shuttle|leshuttle|getlink", service: full, destinations: "FRCQS FRCQF FRFHN"},
	{codes: "GBNHV", name: "Newhaven", service: full, destinations: "FR"},
	{codes: "GBPOO", name: "Poole", service: full, destinations: "FR ES MA GG JE"},
	{codes: "GBPME", name: "Portsmouth", otherNames: "portsmouth international|portsmouth ferryport", service: full, destinations: "FR ES PT NL BE MA GG JE"},
	{codes: "GBTIL", name: "Tilbury", otherNames: "tilbury 2|tilbury2|london tilbury", service: full, destinations: continent},
	{codes: "GBTHP GBLTP", name: "London Thamesport", otherNames: "thamesport|isle of grain", service: full},
	{codes: "GBLIV GBBRK GBPBM", name: "Liverpool", otherNames: "birkenhead|seaforth|bootle|twelve quays|12 quays", service: full},
	{codes: "GBMAN GBMNC GBMSC", name: "Manchester", service: full},
	{codes: "GBHLY", name: "Holyhead", otherNames: "caergybi", service: full, destinations: "IE"},
	{codes: "GBFIS", name: "Fishguard", otherNames: "abergwaun|goodwick", service: full, destinations: "IE"},
	{codes: "GBPED GBPEM", name: "Pembroke Dock", otherNames: "pembroke", service: full, destinations: "IE"},
	{codes: "GBHYM", name: "Heysham", service: full, destinations: irishSea},
	{codes: "GBCYN GBLRP GBSTR", name: "Cairnryan", otherNames: "cairn ryan|loch ryan|stranraer", service: full, destinations: "XI"},
	{codes: "GBBEL", name: "Belfast", otherNames: "belfast harbour", service: full, destinations: "GB IM"},
	{codes: "GBLAR", name: "Larne", service: full, destinations: "GBCYN"},
	{codes: "GBWPT", name: "Warrenpoint", service: full, destinations: "GBHYM"},
	{codes: "GBFXT", name: "Felixstowe", service: importsOnly, destinations: continent},
	{codes: "GBHRW", name: "Harwich", otherNames: "harwich international|parkeston", service: importsOnly, destinations: continent},
	{codes: "GBHUL GBHSE", name: "Hull", otherNames: "kingston upon hull", service: importsOnly, destinations: continent},
	{codes: "GBIMM", name: "Immingham", service: importsOnly, destinations: continent},
	{codes: "GBKGH GBNKH GBKSU", name: "Killingholme", otherNames: "north killingholme|south killingholme", service: importsOnly, destinations: continent},
	{codes: "GBNSH GBSSH GBNCL GBTYM", name: "Port of Tyne", otherNames: "tyne|newcastle upon tyne|newcastle|north shields|south shields", service: importsOnly, destinations: continent},
	{codes: "GBPFT", name: "Purfleet", service: importsOnly, destinations: continent},
	{codes: "GBTEE GBMID", name: "Teesport", otherNames: "tees|middlesbrough", service: importsOnly, destinations: continent},

	{codes: "GBSHS", name: "Sheerness"}, {codes: "GBPLY", name: "Plymouth", otherNames: "millbay"}, {codes: "GBRMG", name: "Ramsgate"},
	{codes: "GBROY", name: "Rosyth"}, {codes: "GBSOU", name: "Southampton"}, {codes: "GBLGP", name: "London Gateway"},
	{codes: "GBGRG", name: "Grangemouth"}, {codes: "GBABD", name: "Aberdeen"}, {codes: "GBBRS", name: "Bristol"},
	{codes: "GBAVO", name: "Avonmouth"}, {codes: "GBPRU", name: "Portbury"}, {codes: "GBGSY", name: "Grimsby"},
	{codes: "GBIPS", name: "Ipswich"}, {codes: "GBLOW", name: "Lowestoft"}, {codes: "GBGTY", name: "Great Yarmouth"},
	{codes: "GBGOO", name: "Goole"}, {codes: "GBHTP", name: "Hartlepool"}, {codes: "GBLEI", name: "Leith"},
	{codes: "GBTRN", name: "Troon"}, {codes: "GBGRK", name: "Greenock"}, {codes: "GBCDF", name: "Cardiff"},
	{codes: "GBSWA", name: "Swansea"}, {codes: "GBMLF", name: "Milford Haven"}, {codes: "GBSHO GBESH", name: "Shoreham"},
	{codes: "GBWEY", name: "Weymouth"}, {codes: "GBDAG", name: "Dagenham"}, {codes: "GBLER", name: "Lerwick"},
	{codes: "GBLDY", name: "Londonderry", otherNames: "derry|foyle|lisahally"}, {codes: "GBKLK", name: "Kilkeel"},
	{codes: "GBFLE", name: "Fleetwood"}, {codes: "GBWOR", name: "Workington"}, {codes: "GBSUN", name: "Sunderland"}, {codes: "GBFAL", name: "Falmouth"},

	{codes: "FRCQF", name: "Calais"}, {codes: "FRCQS", name: "Coquelles", otherNames: "eurotunnel calais|eurotunnel coquelles|eurotunnel france|calais eurotunnel|coquelles eurotunnel|channel tunnel calais|calais channel tunnel|le shuttle calais"},
	{codes: "FRFHN", name: "Fréthun", otherNames: "frethun|calais frethun"},
	{codes: "FRDKK FRLOO", name: "Dunkirk", otherNames: "dunkerque|dunkirk loon plage|dunkerque loon plage|loon plage"}, {codes: "FRBOL", name: "Boulogne-sur-Mer", otherNames: "boulogne"},
	{codes: "FRDPE", name: "Dieppe"}, {codes: "FRLEH", name: "Le Havre", otherNames: "havre"}, {codes: "FRCFR FROUI", name: "Caen", otherNames: "ouistreham|caen ouistreham"},
	{codes: "FRCER", name: "Cherbourg", otherNames: "cherbourg en cotentin"}, {codes: "FRSML", name: "Saint-Malo", otherNames: "st malo"}, {codes: "FRROS", name: "Roscoff", otherNames: "bloscon"},
	{codes: "FRBES", name: "Brest"}, {codes: "FRMTX FRSNR FRNTE", name: "Montoir", otherNames: "nantes|saint nazaire|st nazaire|montoir de bretagne"},
	{codes: "FRURO", name: "Rouen"}, {codes: "FRLRH FRLPE", name: "La Rochelle"}, {codes: "FRBOD", name: "Bordeaux"},
	{codes: "BEZEE BEBGS", name: "Zeebrugge", otherNames: "zeebruges|bruges|brugge|port of bruges"}, {codes: "BEANR", name: "Antwerp", otherNames: "antwerpen|anvers"},
	{codes: "BEGNE", name: "Ghent", otherNames: "gent|gand"}, {codes: "BEOST", name: "Ostend", otherNames: "oostende|ostende"},
	{codes: "NLHVH", name: "Hook of Holland", otherNames: "hoek van holland"},
	{codes: "NLRTM NLEUR NLVLA NLMSV", name: "Rotterdam", otherNames: "europoort|rotterdam europoort|europort rotterdam|rotterdam europort|vlaardingen|rotterdam vlaardingen|maasvlakte"},
	{codes: "NLIJM NLAMS", name: "IJmuiden", otherNames: "ijmuiden|amsterdam|velsen"}, {codes: "NLVLI", name: "Vlissingen", otherNames: "flushing"},
	{codes: "NLMOE", name: "Moerdijk"}, {codes: "NLEEM", name: "Eemshaven"},
	{codes: "DECUX", name: "Cuxhaven"}, {codes: "DEHAM", name: "Hamburg"}, {codes: "DEBRV", name: "Bremerhaven"}, {codes: "DEBRE", name: "Bremen"}, {codes: "DEEME", name: "Emden"},
	{codes: "DEKEL", name: "Kiel"}, {codes: "DELBC DETRV", name: "Lübeck", otherNames: "travemunde|travemuende|luebeck"}, {codes: "DERSK", name: "Rostock"}, {codes: "DEWVN", name: "Wilhelmshaven"},
	{codes: "DKEBJ", name: "Esbjerg"}, {codes: "DKHIR", name: "Hirtshals"}, {codes: "DKCPH", name: "Copenhagen", otherNames: "kobenhavn"}, {codes: "DKAAR", name: "Aarhus", otherNames: "arhus"}, {codes: "DKFRC", name: "Fredericia"},
	{codes: "SEGOT", name: "Gothenburg", otherNames: "goteborg"}, {codes: "SEMMA", name: "Malmö"}, {codes: "SETRG", name: "Trelleborg"}, {codes: "SEHEL", name: "Helsingborg"}, {codes: "SEHAD", name: "Halmstad"}, {codes: "SEWAL", name: "Wallhamn"},
	{codes: "NOBVK", name: "Brevik"}, {codes: "NOOSL", name: "Oslo"}, {codes: "NOKRS", name: "Kristiansand"}, {codes: "NOSVG", name: "Stavanger"}, {codes: "NOBGO", name: "Bergen"}, {codes: "NOMSS", name: "Moss"},
	{codes: "FIHEL", name: "Helsinki", otherNames: "vuosaari"}, {codes: "FIKTK", name: "Kotka"}, {codes: "FIRAU", name: "Rauma"}, {codes: "FITKU", name: "Turku"}, {codes: "FIHKO", name: "Hanko"},
	{codes: "EETLL EEMUG", name: "Tallinn", otherNames: "muuga"}, {codes: "EEPLN EEPLS EEPLA", name: "Paldiski"}, {codes: "LVRIX", name: "Riga"}, {codes: "LVLPX", name: "Liepaja"}, {codes: "LVVNT", name: "Ventspils"}, {codes: "LTKLJ", name: "Klaipeda"},
	{codes: "PLGDN", name: "Gdansk"}, {codes: "PLGDY", name: "Gdynia"}, {codes: "PLSWI", name: "Swinoujscie"}, {codes: "PLSZZ", name: "Szczecin"},
	{codes: "ESBIO", name: "Bilbao"}, {codes: "ESSDR", name: "Santander"}, {codes: "ESVGO", name: "Vigo"}, {codes: "ESPAS", name: "Pasajes", otherNames: "pasaia"},
	{codes: "PTLEI", name: "Leixões", otherNames: "porto"}, {codes: "PTLIS", name: "Lisbon", otherNames: "lisboa"}, {codes: "PTSET", name: "Setúbal"},
	{codes: "ISREY", name: "Reykjavik"}, {codes: "ISTHH", name: "Thorlakshofn", otherNames: "thorlaksofn"}, {codes: "ISSEY", name: "Seydisfjordur"}, {codes: "FOTOR", name: "Torshavn"}, {codes: "MAPTM", name: "Tangier", otherNames: "tanger|tanger med"},
	{codes: "IEDUB IEDFT IEDFA IEDFB IEDFC", name: "Dublin"}, {codes: "IEROS IEROE", name: "Rosslare", otherNames: "rosslare europort|rosslare harbour"}, {codes: "IEDLG", name: "Dun Laoghaire"},
	{codes: "IEORK IERIN IERPT IERDT", name: "Cork", otherNames: "ringaskiddy|cork ringaskiddy"}, {codes: "IEWAT", name: "Waterford"}, {codes: "IEDRO", name: "Drogheda"}, {codes: "IEDDK", name: "Dundalk"}, {codes: "IEFOV", name: "Foynes"},
	{codes: "IMDGS", name: "Douglas"}, {codes: "GGSPT", name: "Saint Peter Port", otherNames: "st peter port"}, {codes: "JESTH", name: "Saint Helier", otherNames: "st helier"},
}
