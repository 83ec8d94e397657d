package layout

// Source is a kind of record from which a form takes values. Paths are those of the record as the API shows it, without
// indices: items[].commodityCode is that member of every item, and documents[type=N821|N822].reference that of the documents of two types.
type Source struct {
	ID       string   // unique in the form, such as consignor
	Kind     string   // of the records, such as client
	Title    string   // what is taken, such as “Take the consignor from a client”
	Statuses []string // the only states of records that are offered; nil for all that lists show
	Several  bool     // several records can be chosen at once; values of lists are added
	Each     string   // the list whose entries are offered one by one, such as items; their members begin with "entry."
	Follow   []Follow
	Name     []string // paths; the first with a value names the record
	About    []string // paths whose values describe the record
	Take     []Take
}

// Follow adds a record that another one refers to: its members begin with As and a dot.
type Follow struct {
	As   string // such as shipment
	From string // path of the member with the id
	Kind string
}

// Take is a value that a field gets from a record.
type Take struct {
	Into string   // path of the field
	From []string // paths; the first with a value is taken
	Sum  bool     // the values, of all records, are added up
	All  bool     // the values at all paths in From are taken
	Join string   // all paths in From are joined by this text
	Fill bool     // only if the field is empty
	When When     // of the record
}
