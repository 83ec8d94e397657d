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
