package store

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// namesPerQuery is the number of names that one statement looks up.
const namesPerQuery = 100

// findNames has a subquery for each name: for a list of values, PostgreSQL may read all names of
// the organisation while it has no statistics of a new table.
var findNames = func() string {
	each := make([]string, namesPerQuery)
	for i := range each {
		each[i] = fmt.Sprintf("SELECT value FROM filing_names WHERE org_id = $1 AND name = $2 AND value = $%d", i+3)
	}
	return strings.Join(each, " UNION ALL ")
}()

// ExistingNames returns those of some names that any record has.
func (t *Tx) ExistingNames(keys []filing.Key) (map[filing.Key]bool, error) {
	values := map[string][]any{}
	for _, k := range keys {
		values[k.Name] = append(values[k.Name], k.Value)
	}
	found := map[filing.Key]bool{}
	for name, all := range values {
		for some := range slices.Chunk(all, namesPerQuery) {
			if err := t.named(name, some, found); err != nil {
				return nil, fmt.Errorf("store: names %s: %w", name, err)
			}
		}
	}
	return found, nil
}

// NameTaken reports whether a record has a name, other than one. No other transaction of the organisation writes at the
// same time.
func (t *Tx) NameTaken(name filing.Key, but string) (bool, error) {
	return t.exists("SELECT 1 FROM filing_names WHERE org_id = $1 AND name = $2 AND value = $3 AND CAST(filing_id AS TEXT) <> $4", name.Name, name.Value, but)
}

// named looks up some values of a name; the last value fills the remaining parameters.
func (t *Tx) named(name string, values []any, found map[filing.Key]bool) error {
	args := append([]any{name}, values...)
	for len(args) <= namesPerQuery {
		args = append(args, values[len(values)-1])
	}
	return t.rows(findNames, args, func(r engine.Row) error {
		k := filing.Key{Name: name}
		err := r.Scan(&k.Value)
		found[k] = true
		return err
	})
}

// findNamed has a subquery for each name, for the same reason as findNames.
var findNamed = func() string {
	each := make([]string, namesPerQuery)
	for i := range each {
		each[i] = fmt.Sprintf("SELECT n.value, %s FROM filing_names n JOIN filings f ON f.org_id = $1 AND f.id = n.filing_id "+
			"WHERE n.org_id = $1 AND n.name = $2 AND n.value = $%d", columnsOfF, i+3)
	}
	return strings.Join(each, " UNION ")
}()

// NamedFilings returns the records that have some names, by name. Of several records with a name it returns any one.
func (t *Tx) NamedFilings(names []filing.Key) (map[filing.Key]filing.Filing, error) {
	values := map[string][]any{}
	for _, k := range names {
		values[k.Name] = append(values[k.Name], k.Value)
	}
	found := make(map[filing.Key]filing.Filing, len(names))
	for name, all := range values {
		for some := range slices.Chunk(all, namesPerQuery) {
			if err := t.namedFilings(name, some, found); err != nil {
				return nil, fmt.Errorf("store: records named %s: %w", name, err)
			}
		}
	}
	return found, nil
}

// namedFilings looks up the records of some values of a name; the last value fills the remaining parameters.
func (t *Tx) namedFilings(name string, values []any, found map[filing.Key]filing.Filing) error {
	args := append([]any{name}, values...)
	for len(args) <= namesPerQuery {
		args = append(args, values[len(values)-1])
	}
	return t.rows(findNamed, args, func(r engine.Row) error {
		k := filing.Key{Name: name}
		var f filing.Filing
		err := r.Scan(&k.Value, &f.ID, &f.Kind, &f.Status, &f.Version, &f.BodyVersion, (*[]byte)(&f.Body), (*[]byte)(&f.Brief), (*[]byte)(&f.Added),
			(*instant)(&f.CreatedAt), (*instant)(&f.UpdatedAt))
		found[k] = f
		return err
	})
}

// KeyedFilings returns the records that have some keys, by key.
func (t *Tx) KeyedFilings(keys []filing.Key) (map[filing.Key]filing.Filing, error) {
	found := make(map[filing.Key]filing.Filing, len(keys))
	for _, s := range recordsByKeys(keys) {
		err := t.rows(s.Query, s.Args, func(r engine.Row) error {
			var k filing.Key
			var f filing.Filing
			err := r.Scan(&k.Name, &k.Value, &f.ID, &f.Kind, &f.Status, &f.Version, &f.BodyVersion, (*[]byte)(&f.Body), (*[]byte)(&f.Brief), (*[]byte)(&f.Added),
				(*instant)(&f.CreatedAt), (*instant)(&f.UpdatedAt))
			found[k] = f
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("store: records with keys: %w", err)
		}
	}
	return found, nil
}

// likeEscaper escapes the pattern characters of LIKE.
var likeEscaper = strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`)

// NamedLike returns the IDs of the latest few records with a name that contains a text.
func (t *Tx) NamedLike(name, text string, limit int) (ids []string, err error) {
	const query = `SELECT filing_id FROM filing_names WHERE org_id = $1 AND name = $2 AND value LIKE $3 ESCAPE '\' ORDER BY filing_id DESC LIMIT $4` + computed
	err = t.rows(query, []any{name, "%" + likeEscaper.Replace(text) + "%", limit}, func(r engine.Row) error {
		var id string
		err := r.Scan(&id)
		ids = append(ids, id)
		return err
	})
	return ids, wrapError("names like "+name, err)
}

// rename stores the names of a record, and deletes those that it no longer has.
func (t *Tx) rename(id string, removed, names []filing.Key) error {
	for _, k := range removed {
		if slices.Contains(names, k) {
			continue
		}
		if err := t.execDeferred("DELETE FROM filing_names WHERE org_id = $1 AND name = $2 AND value = $3 AND filing_id = $4", k.Name, k.Value, id); err != nil {
			return fmt.Errorf("store: remove name %s: %w", k.Name, err)
		}
	}
	for _, k := range names {
		if slices.Contains(removed, k) {
			continue
		}
		if err := t.execDeferred("INSERT INTO filing_names (org_id, name, value, filing_id) VALUES ($1, $2, $3, $4)", k.Name, k.Value, id); err != nil {
			return fmt.Errorf("store: name %s: %w", k.Name, err)
		}
	}
	return nil
}

// addNames stores further names of a record, unless it has them.
func (t *Tx) addNames(id string, names []filing.Key) error {
	for _, k := range names {
		if err := t.execDeferred("INSERT INTO filing_names (org_id, name, value, filing_id) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING", k.Name, k.Value, id); err != nil {
			return fmt.Errorf("store: add name %s: %w", k.Name, err)
		}
	}
	return nil
}

// LastNamed returns the last values of a name in descending order, each with its record.
func (t *Tx) LastNamed(name string, limit int) (all []filing.NamedValue, err error) {
	const query = "SELECT value, filing_id FROM filing_names WHERE org_id = $1 AND name = $2 ORDER BY value DESC, filing_id DESC LIMIT $3" + computed
	err = t.rows(query, []any{name, limit}, func(r engine.Row) error {
		var v filing.NamedValue
		err := r.Scan(&v.Value, &v.ID)
		all = append(all, v)
		return err
	})
	return all, wrapError("last values of "+name, err)
}

// Limits of the search for namesakes.
const (
	namesakesPerName = 5 // the latest
	namesakeNames    = 4 // names in one query
)

// findNamesakes are the queries by the number of names. IDs rise with time, so the latest
// records of a name are at the end of its part of the primary key.
var findNamesakes = func() (queries [namesakeNames + 1]string) {
	each := make([]string, namesakeNames)
	for i := range each {
		each[i] = fmt.Sprintf("SELECT n.name, n.value, f.id, f.status, f.added, f.created_at FROM "+
			"(SELECT name, value, filing_id FROM filing_names WHERE org_id = $1 AND name = $%d AND value = $%d AND filing_id <> $2 "+
			"ORDER BY filing_id DESC LIMIT %d) AS n JOIN filings AS f ON f.org_id = $1 AND f.id = n.filing_id", 2*i+3, 2*i+4, namesakesPerName)
		queries[i+1] = strings.Join(each[:i+1], " UNION ALL ")
	}
	return queries
}()

// Namesakes returns the latest few records that have any of up to four names, except one record.
func (t *Tx) Namesakes(names []filing.Key, but string) (all []filing.NamedRecord, err error) {
	if len(names) == 0 {
		return nil, nil
	}
	names = names[:min(len(names), namesakeNames)]
	args := []any{but}
	for _, k := range names {
		args = append(args, k.Name, k.Value)
	}
	err = t.rows(findNamesakes[len(names)], args, func(r engine.Row) error {
		var n filing.NamedRecord
		err := r.Scan(&n.Key.Name, &n.Key.Value, &n.ID, &n.Status, (*[]byte)(&n.Added), (*instant)(&n.CreatedAt))
		all = append(all, n)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("store: namesakes: %w", err)
	}
	return all, nil
}
