package ident

// What new identifiers are made of.
const (
	digits       = "0123456789"
	alphanumeric = digits + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	crockford    = digits + "ABCDEFGHJKMNPQRSTVWXYZ" // no I, L, O or U to be misread
)
