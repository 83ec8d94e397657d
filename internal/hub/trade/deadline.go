package trade

import "github.com/tidewaiter/tidewaiter/internal/filing"

// deadlines returns the end of an approved licence. Goods that are exported later need another licence.
func deadlines(l *Licence, m filing.Metadata) []filing.Deadline {
	if m.Status != Approved || l.ValidUntil == nil {
		return nil
	}
	return []filing.Deadline{{
		Name: "expiry", Title: "Use the " + l.LicenceType.String() + " before it expires, or renew it", DueAt: *l.ValidUntil, Source: laws[l.LicenceType],
	}}
}

// laws names the law for the grant and the term of each type.
var laws = map[Type]string{
	SIEL:        "Export Control Order 2008, article 26, and Regulation (EC) No 428/2009 as retained, Article 9; GOV.UK: Standard Individual Export Licences",
	OIEL:        "Export Control Order 2008, article 26, and Regulation (EC) No 428/2009 as retained, Article 9; GOV.UK: Open individual export licences",
	OpenGeneral: "Export Control Order 2008, article 26; GOV.UK: Open general export licences (OGELs)",
	Strategic:   "Export Control Order 2008, articles 3 and 26 and Schedule 2; GOV.UK: Standard Individual Export Licences",
	CITES:       "Regulation (EC) No 338/97 as retained, and Control of Trade in Endangered Species Regulations 2018",
	EHC:         "GOV.UK: Get an export health certificate",
}
