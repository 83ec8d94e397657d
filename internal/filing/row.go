package filing

// Row is a record as a table shows it: the text that is stored, in the form of the API.
type Row struct {
	ID, CreatedAt, Status, UpdatedAt string
	Input                            string // compact JSON object, as lists show it
	Added                            string // compact JSON object
}

// Extent is how many records of a kind there are, and which is the newest.
type Extent struct {
	Records int64
	Newest  Row // only its ID and CreatedAt
}

// Span asks for the records of a kind that come after one and not after another,
// oldest first. Records are never removed, and a new one comes behind all others.
type Span struct {
	Kind        string
	After, Last Row // only their ID and CreatedAt; After is zero for the beginning
	Limit       int
}
