package customs

// Types of documents that stand for records of other Hubs.
const (
	// EntrySummaryType is the type of a previous document whose reference is the MRN of an entry summary declaration. Source: CDS tariff,
	// code list of DE 2/1.
	EntrySummaryType = "355"
	// ExciseDocumentType is the code of a document whose reference is the ARC of an excise movement. Source: CDS tariff, code list of document
	// types (DE 2/3), “Electronic administrative document (e-AD), as referred to in Article 3(1) of Regulation (EC) No 684/2009”.
	ExciseDocumentType = "C651"
)

// TransitTypes are the types of documents (N820 to N822) and of previous documents (820 to 822) whose reference is the MRN of a transit
// declaration. Source: CDS tariff, code lists of DE 2/3 and DE 2/1.
var TransitTypes = []string{"N820", "N821", "N822", "820", "821", "822"}
