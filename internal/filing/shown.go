package filing

// Shows reports whether a record by itself shows members that are not stored with it.
func (t *Type) Shows() bool { return t.shown != nil }

// Show returns a record with the members that it shows by itself and that are not stored with it.
func (t *Type) Show(tx View, f Filing) (Filing, error) {
	if t.shown == nil {
		return f, nil
	}
	more, err := t.shown(tx, &f)
	if err != nil {
		return f, err
	}
	all, err := more.encoded()
	if err != nil {
		return f, err
	}
	f.Added, err = merge(f.Added, all)
	return f, err
}
