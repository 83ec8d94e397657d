package trade

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/exportcontrol"
)

// goodsClassification returns the classification of the goods without destination and end use.
func (l *Licence) goodsClassification(facts rules.Facts) exportcontrol.Classification {
	type classified struct{}
	return rules.Once(facts, classified{}, func() exportcontrol.Classification {
		return exportcontrol.Classify(exportcontrol.Item{Description: l.ProductDescription, Code: l.ProductCode, Destination: "BR"})
	})
}

// prohibited repeats the findings of the classifier about prohibited goods, and adds ivory, which the classifier treats as
// any endangered species.
func prohibited(l *Licence, facts rules.Facts) (found remarks) {
	for _, f := range l.goodsClassification(facts).Findings {
		if f.Code == "CTL-009" || f.Code == "CTL-010" {
			found = append(found, rules.Remark{Message: f.Message, Suggestion: f.Suggestion})
		}
	}
	text := strings.ToLower(l.ProductDescription)
	if l.LicenceType == CITES && strings.Contains(text, "ivory") && !strings.Contains(text, "mammoth") && !slices.ContainsFunc(ivoryExemptions, func(w string) bool { return strings.Contains(text, w) }) {
		found = append(found, rules.Remark{
			Severity:   rules.Warning,
			Message:    "Dealing in elephant ivory of any age is prohibited without a registered or certified exemption, and the description names none.",
			Suggestion: "Register or certify the item under the Ivory Act 2018 first, and give the number in the description.",
		})
	}
	return found
}

// ivoryExemptions lists words for the exemptions of the Ivory Act 2018.
var ivoryExemptions = []string{"registration", "registered", "certificate", "certified", "exempt", "pre-1918", "pre-1947", "pre-1975", "museum"}

// wrongLicenceType compares the type of licence with the description of the goods. If the goods are rated, the rating counts.
func wrongLicenceType(l *Licence, facts rules.Facts) remarks {
	rating, rated := exportcontrol.ParseRating(l.ProductCode)
	c := l.goodsClassification(facts)
	if c.Verdict != exportcontrol.Needs || c.LicenceType == nil || len(c.Entries) == 0 || rated && rating.Known && !underrated(rating, c.Entries[0]) {
		return nil
	}
	wanted := Type(*c.LicenceType)
	if wanted == l.LicenceType || wanted.strategic() && l.LicenceType.strategic() && (l.LicenceType == OpenGeneral || wanted == SIEL) {
		return nil
	}
	if wanted == EHC && l.LicenceType == CITES || wanted == CITES && l.LicenceType == EHC {
		return remarkOn("", rules.Info, fmt.Sprintf("The goods may also need %s (%s).", wanted.withArticle(), c.Entries[0].Why), "Apply for that as well.")
	}
	return rules.Remarks(fmt.Sprintf("The goods probably need %s (%s: %s), but the application is for %s.", wanted.withArticle(), c.Entries[0].Entry, c.Entries[0].Why, l.LicenceType.withArticle()),
		"Check the description and licenceType. POST …/classify gives details.")
}

// unmistakable is the confidence of words that mean only goods of one entry.
const unmistakable = 0.95

// underrated reports whether the words for goods that are rated as dual-use clearly mean military goods.
func underrated(rating exportcontrol.Rating, described exportcontrol.Entry) bool {
	return rating.Regime == exportcontrol.DualUse && described.Regime == exportcontrol.Military && described.Confidence >= unmistakable && militaryCounterparts[rating.Entry] != described.Entry
}

// militaryCounterparts maps dual-use entries to the military entries for the same goods with a higher performance, which are described
// by the same words.
var militaryCounterparts = map[string]string{"1A004": "ML7", "1A005": "ML13", "1A006": "ML4", "1A007": "ML4", "6A002": "ML15", "6A003": "ML15", "8A001": "ML9", "9A012": "ML10"}

// Words for goods with cryptography, and for the data that decides whether they are controlled.
var (
	encryptionWords = []string{"encrypt", "cryptograph", "ipsec", "vpn", "aes-", "aes "}
	decisiveWords   = []string{"bit", "aes", "rsa", "key", "mass market", "retail", "note 3", "ecc", "tls", "ipsec", "3des", "chacha", "elliptic"}
)

func cryptography(l *Licence, _ rules.Facts) remarks {
	text := strings.ToLower(l.ProductDescription)
	has := func(words []string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
	}
	if !l.LicenceType.strategic() || !has(encryptionWords) || has(decisiveWords) {
		return nil
	}
	return rules.Remarks("The description mentions encryption, but not its algorithm and key length or how the goods are sold.",
		"Give the algorithm and key length, what is encrypted, and whether the goods are available to the general public.")
}

var transferWords = []string{"technology", "technical data", "software", "source code", "drawings", "know-how", "technical assistance", "firmware"}

func transfer(l *Licence, _ rules.Facts) remarks {
	text := strings.ToLower(l.ProductDescription)
	at := slices.IndexFunc(transferWords, func(w string) bool { return strings.Contains(text, w) })
	rating, ok := exportcontrol.ParseRating(l.ProductCode)
	intangible := ok && (rating.Entry == "ML21" || rating.Entry == "ML22" || len(rating.Entry) == 5 && (rating.Entry[1] == 'D' || rating.Entry[1] == 'E'))
	if !l.LicenceType.strategic() || at < 0 && !intangible || l.Quantity != nil && l.UnitOfMeasure != "" && !intangible {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%s is software or technology; e-mail, download and access from abroad are also exports.", l.ProductCode),
		"Include every means of transfer in the application, and keep records of transfers.")
}
