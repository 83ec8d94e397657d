package filings

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
)

// The columns that lists of all kinds have, besides members.
var (
	statusColumn   = page.Column{ID: "status", Name: "Status", Sort: page.ByStatus}
	assigneeColumn = page.Column{ID: "assignee", Name: "Assigned to", Yields: "last-3"}
	createdColumn  = page.Column{ID: "created", Name: "Created", Sort: page.ByCreation, Yields: "last-3 created"}
	updatedColumn  = page.Column{ID: "updated", Name: "Updated", Sort: page.ByChange, Yields: "last-4"}
)

// columns returns the columns of the list of the kind: those that it has without a choice, and then the other members.
func (k *kind) columns() page.ColumnSet {
	set := page.ColumnSet{Kind: k.Kind}
	add := func(c page.Column) {
		if !slices.ContainsFunc(set.All, func(there page.Column) bool { return there.ID == c.ID }) {
			set.All = append(set.All, c)
		}
	}
	for _, field := range k.members(k.listMembers()[1:], nil, nil) {
		add(k.columnOf(field))
	}
	if k.HasStatuses() {
		add(statusColumn)
	}
	if k.Assignable() {
		add(assigneeColumn)
	}
	add(createdColumn)
	add(updatedColumn)
	for _, c := range set.All {
		set.Usual = append(set.Usual, c.ID)
	}
	for _, field := range k.cells() {
		add(k.columnOf(field))
	}
	return set
}

// HasStatuses reports whether records of the kind have more than one status.
func (k *kind) HasStatuses() bool { return len(k.Lifecycle.States) > 1 }

// unlisted are members that no list has as a column: the name of the record comes before the columns, and others of them say the same.
var unlisted = []string{filing.AssigneeMember, filing.SourceMember, "uniqueReference"}

// cells returns the blank fields of the members that can be columns.
func (k *kind) cells() []*form.Field {
	all := k.body.Cells()
	if k.adds != nil {
		all = append(all, k.adds.Cells()...)
	}
	return slices.DeleteFunc(all, func(f *form.Field) bool {
		return f.Name == k.listMembers()[0] || slices.Contains(unlisted, f.Name)
	})
}

func (k *kind) columnOf(field *form.Field) page.Column {
	return page.Column{ID: field.Name, Name: field.Label, Number: field.Kind == form.Number, Sort: k.sortOf(field.Name)}
}

// maxNumbers is the number of columns with numbers, which are short, that are always shown.
const maxNumbers = 2

// narrowed returns columns with the widths below which members are not shown: all but the first, the first numbers and the
// authority's reference, then the reference; without a reference the second member is shown as long as that.
func (k *kind) narrowed(columns []page.Column) []page.Column {
	columns, members, numbers := slices.Clone(columns), 0, 0
	kept := slices.IndexFunc(columns, func(c page.Column) bool { return c.ID == k.ReferenceMember })
	for i := range columns {
		c := &columns[i]
		if isCommon(c.ID) {
			continue
		}
		if c.Number {
			numbers++
		}
		switch members++; {
		case c.Number && numbers <= maxNumbers:
		case i == kept, members == 2 && kept < 0:
			c.Yields = "last-2"
		case members > 1:
			c.Yields = "last-3"
		}
	}
	return columns
}

// isCommon reports whether lists of all kinds have a column.
func isCommon(id string) bool {
	return slices.Contains([]string{statusColumn.ID, assigneeColumn.ID, createdColumn.ID, updatedColumn.ID}, id)
}

// cellsOf returns what a record has in the columns that are members; without a value there is no cell.
func (k *kind) cellsOf(f *filing.Filing, columns []page.Column) (cells []*form.Field) {
	body := f.Brief
	if body == nil {
		body = f.Body
	}
	for _, c := range columns {
		if isCommon(c.ID) {
			continue
		}
		if found := k.members([]string{c.ID}, body, f.Added); len(found) > 0 && !found[0].Blank() {
			cells = append(cells, found[0])
		}
	}
	return cells
}

// Cell returns the field of a record in a column; nil if it has no value.
func (r row) Cell(id string) *form.Field {
	if at := slices.IndexFunc(r.Cells, func(f *form.Field) bool { return f.Name == id }); at >= 0 {
		return r.Cells[at]
	}
	return nil
}

// IsSimulated reports whether the record's mark of a simulated reference is at a cell: that of the reference. Without a cell it
// reports whether the mark is at the name, because no cell has the reference.
func (r row) IsSimulated(cell *form.Field) bool {
	is := func(f *form.Field) bool { return r.Simulated != "" && f.Value == r.Simulated }
	if cell != nil {
		return is(cell)
	}
	return r.Simulated != "" && !slices.ContainsFunc(r.Cells, is)
}

// nameLinks names the records that cells refer to, such as a client, in one statement.
func (a *Filings) nameLinks(tx page.Tx, k *kind, rows []row) error {
	links, ids := map[*form.Field]*kind{}, []string(nil)
	for _, r := range rows {
		for _, cell := range r.Cells {
			at := slices.IndexFunc(k.Links, func(n filing.Need) bool { return n.Field == cell.Name })
			if at < 0 {
				continue
			}
			if other := a.kindNamed(k.Links[at].Kind); other != nil {
				links[cell], ids = other, append(ids, strings.ToLower(cell.Value))
			}
		}
	}
	if ids == nil {
		return nil
	}
	slices.Sort(ids)
	found, err := tx.Briefs(slices.Compact(ids))
	for cell, other := range links {
		if f, there := found[strings.ToLower(cell.Value)]; there {
			cell.Link, cell.RecordName = other.Base+"/"+f.ID, other.title(&f)
		}
	}
	return err
}
